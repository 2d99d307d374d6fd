/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/bundled.h"

#if defined(TT_PREFIXED)

void *tt_bundled_allocate(size_t size) { return (void)size, (void *)0; }
void *tt_bundled_allocate_aligned(size_t alignment, size_t size) { return (void)alignment, (void)size, (void *)0; }
bool tt_bundled_free(void *object) { return (void)object, false; }
void tt_bundled_say(void) {}

#else

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"
#include "prim/symbol.h"
#include "tolerant/option.h"
#include "tolerant/page.h"
#include "tolerant/text.h"

/* These are our functions, whatever stands before them; interface.c has them. */
extern void tt_own_free(void *object) __attribute__((visibility("hidden")));
extern void *tt_own_calloc(size_t count, size_t size) __attribute__((visibility("hidden")));
extern void *tt_own_realloc(void *object, size_t size) __attribute__((visibility("hidden")));
extern void *tt_own_aligned_alloc(size_t alignment, size_t size) __attribute__((visibility("hidden")));
extern int tt_own_posix_memalign(void **place, size_t alignment, size_t size) __attribute__((visibility("hidden")));
int posix_memalign(void **place, size_t alignment, size_t size);

/* In a program that is not position-independent the address of malloc is that of an entry of the program's own, which
 * calls ours: only what it returns tells. */
bool tt_bundled_another(void) {
    enum { UNKNOWN, PROBING, OURS, ANOTHERS };
    static _Atomic unsigned char known;
    unsigned char answer = atomic_load_explicit(&known, memory_order_relaxed);
    if (answer == UNKNOWN) {
        atomic_store_explicit(&known, PROBING, memory_order_relaxed);
        void *probe = malloc(1);
        answer = probe == NULL ? UNKNOWN : tt_segment_holding(probe) != NULL ? OURS : ANOTHERS;
        atomic_store_explicit(&known, answer, memory_order_relaxed);
        free(probe);
    }
    return answer == ANOTHERS;
}

void *tt_bundled_allocate(size_t size) { return malloc(size); }

void *tt_bundled_allocate_aligned(size_t alignment, size_t size) {
    static TN_THREAD_LOCAL bool asking;
    if (!TT_IS(posix_memalign, tt_own_posix_memalign) && !asking) {
        void *object = NULL;
        asking = true;
        int error = posix_memalign(&object, alignment < sizeof object ? sizeof object : alignment, size);
        asking = false;
        return error == 0 ? object : NULL;
    }
    void *(*next)(size_t alignment, size_t size);
    uintptr_t found = tn_symbol_next("memalign");
    memcpy(&next, &found, sizeof next);
    if (next != NULL) return next(alignment, size);
    errno = ENOMEM;
    return NULL;
}

bool tt_bundled_free(void *object) {
    if (!tt_bundled() || TT_IS(free, tt_own_free)) return false;
    free(object);
    return true;
}

static void add_names(struct tt_text *text, bool own) {
    const struct {
        const char *name;
        bool own;
    } functions[] = {{"malloc", TT_IS(malloc, tt_own_malloc)},
                     {"free", TT_IS(free, tt_own_free)},
                     {"calloc", TT_IS(calloc, tt_own_calloc)},
                     {"realloc", TT_IS(realloc, tt_own_realloc)},
                     {"aligned_alloc", TT_IS(aligned_alloc, tt_own_aligned_alloc)},
                     {"posix_memalign", TT_IS(posix_memalign, tt_own_posix_memalign)}};
    const char *between = "";
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if (functions[i].own != own) continue;
        tt_text_add(text, between);
        tt_text_add(text, functions[i].name);
        between = ", ";
    }
}

void tt_bundled_say(void) {
    struct tn_symbol symbol;
    struct tt_text text;
    if (!tt_bundled() || tt_option(TT_OPTION_TELL) == 0 || !tn_symbol_at((uintptr_t)malloc, &symbol)) return;
    tt_text_start(&text);
    tt_text_add(&text, "tenure-tolerant: ");
    tt_text_add(&text, symbol.file);
    tt_text_add(&text, " has a malloc of its own (");
    add_names(&text, false);
    tt_text_add(&text, "): what it allocates is not looked at\n");
    if (TT_IS(calloc, tt_own_calloc) || TT_IS(realloc, tt_own_realloc) || TT_IS(free, tt_own_free)) {
        tt_text_add(&text, "  it has not ");
        add_names(&text, true);
        tt_text_add(&text, ": a program that uses both may fail, as it would without us\n");
    }
    tn_os_write_error(text.bytes, text.used);
}

#endif
