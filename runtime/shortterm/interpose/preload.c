/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * malloc and its kin, for LD_PRELOAD: in front of whichever allocator the program would have used.
 *
 * Each function is a jump through a pointer. Until the program uses the library for the first time the pointers lead
 * straight to the allocator below: a program that never does pays a jump a call, and no memory. From then on they lead
 * to the library, and an object from before is told by what stands before it: no header of ours. That needs an
 * allocator below of which this is known, glibc's; with another one, in checked or measuring mode, and in a program
 * that is linked with the library and so may date what it allocated earlier, every object has a header from the start.
 *
 * With the optimisation of calls in last position, which the Makefile's flags ask for, a jump leaves no trace, and the
 * functions here still see who called.
 */
#define _GNU_SOURCE /* strnlen, vasprintf */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "prim/option.h"
#include "prim/watch.h"
#include "shortterm/root.h"
#include "shortterm/scope.h"
#include "tenure/platform.h"

#define EXPORT __attribute__((visibility("default")))
#define SYSTEM_PAGE ((size_t)4096)

EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t count, size_t size);
EXPORT void *realloc(void *object, size_t size);
EXPORT void *reallocarray(void *object, size_t count, size_t size);
EXPORT void free(void *object);
EXPORT void *aligned_alloc(size_t alignment, size_t size);
EXPORT void *memalign(size_t alignment, size_t size);
EXPORT int posix_memalign(void **result, size_t alignment, size_t size);
EXPORT void *valloc(size_t size);
EXPORT void *pvalloc(size_t size);
EXPORT size_t malloc_usable_size(void *object);
EXPORT char *strdup(const char *text);
EXPORT char *strndup(const char *text, size_t most);
EXPORT int asprintf(char **result, const char *format, ...);
EXPORT int vasprintf(char **result, const char *format, va_list arguments);
EXPORT int __asprintf_chk(char **result, int flag, const char *format, ...);
EXPORT int __vasprintf_chk(char **result, int flag, const char *format, va_list arguments);

/* What is allocated while the next allocator is looked for comes from here and is never given back. */
static _Alignas(16) char early[16384];
static size_t early_used;
static enum { UNREADY, SEARCHING, READY } state;

static void *early_allocate(size_t size) {
    size_t rounded = (size + 15) & ~(size_t)15;
    if (size > sizeof early || rounded > sizeof early - early_used) return NULL;
    void *block = early + early_used;
    early_used += rounded;
    return block;
}

static int is_early(const void *block) {
    return (uintptr_t)block >= (uintptr_t)early && (uintptr_t)block < (uintptr_t)early + sizeof early;
}

static void find_next(void);

/* Whether the allocator below is known; if not, it is being looked for by this very thread. */
static inline int ready(void) {
    if (tn_likely(state == READY)) return 1;
    find_next();
    return state == READY;
}

static TN_OUTLINE void *malloc_rare(size_t size, const void *caller) {
    return ready() ? stm_scope_malloc(size, caller) : early_allocate(size);
}

static void *our_malloc(size_t size) {
    return tn_likely(stm_thread.scope == NULL && state == READY) ? stm_malloc(size) : malloc_rare(size, tn_caller());
}

static void *our_calloc(size_t count, size_t size) {
    if (ready()) return stm_scope_calloc(count, size, tn_caller());
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : early_allocate(bytes);
}

static void *our_realloc(void *object, size_t size) {
    if (!ready()) return NULL;
    if (!is_early(object)) return stm_scope_realloc(object, size, tn_caller());
    void *copy = stm_scope_malloc(size, tn_caller());
    size_t room = (size_t)(early + sizeof early - (char *)object);
    return copy != NULL ? memcpy(copy, object, size < room ? size : room) : NULL;
}

static void our_free(void *object) {
    if (tn_likely(!is_early(object))) stm_scope_free(object);
}

static void *aligned(size_t alignment, size_t size, const void *caller) {
    /* As glibc: rounded up to a power of two. */
    size_t power = 16;
    while (power < alignment && power <= SIZE_MAX / 4) power *= 2;
    return ready() ? stm_scope_memalign(power, size, caller) : NULL;
}

static void *our_memalign(size_t alignment, size_t size) { return aligned(alignment, size, tn_caller()); }

static int our_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    int before = errno;
    void *object = ready() ? stm_scope_memalign(alignment, size, tn_caller()) : NULL;
    errno = before;
    if (object == NULL) return ENOMEM;
    *result = object;
    return 0;
}

static void *our_valloc(size_t size) { return aligned(SYSTEM_PAGE, size, tn_caller()); }

static void *our_pvalloc(size_t size) {
    size_t rounded;
    if (!__builtin_add_overflow(size, SYSTEM_PAGE - 1, &rounded))
        return aligned(SYSTEM_PAGE, rounded & ~(SYSTEM_PAGE - 1), tn_caller());
    errno = ENOMEM;
    return NULL;
}

static size_t our_usable_size(void *object) { return is_early(object) ? 0 : stm_scope_usable_size(object); }

/* Where each call goes. */
static struct {
    _Atomic(void *(*)(size_t)) malloc, valloc, pvalloc;
    _Atomic(void *(*)(size_t, size_t)) calloc, memalign, aligned_alloc;
    _Atomic(void *(*)(void *, size_t)) realloc;
    _Atomic(int (*)(void **, size_t, size_t)) posix_memalign;
    _Atomic(void (*)(void *)) free;
    _Atomic(size_t (*)(void *)) usable_size;
} now = {
    .malloc = our_malloc,
    .valloc = our_valloc,
    .pvalloc = our_pvalloc,
    .calloc = our_calloc,
    .memalign = our_memalign,
    .aligned_alloc = our_memalign,
    .realloc = our_realloc,
    .posix_memalign = our_posix_memalign,
    .free = our_free,
    .usable_size = our_usable_size,
};

#define CALL(function) atomic_load_explicit(&now.function, memory_order_acquire)

/* The program begins to use the library. First where objects come back, then where they come from: whoever has an
 * object with a header, from whichever thread, has been told of the former. */
static void lead_to_us(void) {
    atomic_store(&now.free, our_free);
    atomic_store(&now.realloc, our_realloc);
    atomic_store(&now.usable_size, our_usable_size);
    atomic_store(&now.malloc, our_malloc);
    atomic_store(&now.calloc, our_calloc);
    atomic_store(&now.memalign, our_memalign);
    atomic_store(&now.aligned_alloc, our_memalign);
    atomic_store(&now.posix_memalign, our_posix_memalign);
    atomic_store(&now.valloc, our_valloc);
    atomic_store(&now.pvalloc, our_pvalloc);
}

/* POSIX lets an object pointer from dlsym be one to a function. */
#define LEAD_PAST_US(function, symbol)                                                                                 \
    do {                                                                                                               \
        void *found_symbol = tn_watch_next(symbol);                                                                    \
        if (found_symbol != NULL) memcpy((void *)&now.function, &found_symbol, sizeof found_symbol);                   \
    } while (0)

static void lead_past_us(void) {
    LEAD_PAST_US(malloc, "malloc");
    LEAD_PAST_US(calloc, "calloc");
    LEAD_PAST_US(realloc, "realloc");
    LEAD_PAST_US(free, "free");
    LEAD_PAST_US(memalign, "memalign");
    LEAD_PAST_US(aligned_alloc, "aligned_alloc");
    LEAD_PAST_US(posix_memalign, "posix_memalign");
    LEAD_PAST_US(valloc, "valloc");
    LEAD_PAST_US(pvalloc, "pvalloc");
    LEAD_PAST_US(usable_size, "malloc_usable_size");
}

/* Objects of the allocator below can be told from those with a header, and nobody wants to see them all. */
static bool may_lead_past_us(const void *next_malloc) {
    return early_used == 0 && next_malloc == tn_watch_next("__libc_malloc") && tn_option_get(TN_OPTION_STM_CHECKED) == 0 &&
           tn_option_text(TN_TEXT_STM_MEASURE) == NULL && !tn_watch_needed("libtenure-shortterm.so.0");
}

/* The C library's, which allocate what they give away. */
static int (*next_vasprintf)(char **result, const char *format, va_list arguments);
static int (*next_vasprintf_chk)(char **result, int flag, const char *format, va_list arguments);

static void find_c_library(void) {
    uintptr_t low, high;
    tn_watch_object("setlocale", &low, &high);
    stm_scope_leave_out(low, high);
    void *found[] = {tn_watch_next("vasprintf"), tn_watch_next("__vasprintf_chk")};
    memcpy(&next_vasprintf, &found[0], sizeof found[0]);
    memcpy(&next_vasprintf_chk, &found[1], sizeof found[1]);
}

TN_AT_START static void find_next(void) {
    if (state != UNREADY) return;
    state = SEARCHING;
    struct stm_allocator below;
    void *found[] = {tn_watch_next("malloc"), tn_watch_next("calloc"), tn_watch_next("realloc"), tn_watch_next("free"),
                     tn_watch_next("malloc_usable_size")};
    _Static_assert(sizeof found == sizeof below, "five functions");
    memcpy(&below, found, sizeof below);
    bool past = may_lead_past_us(found[0]);
    stm_scope_interpose(&below, past ? lead_to_us : NULL);
    find_c_library();
    if (past) lead_past_us();
    state = READY;
}

void *malloc(size_t size) { return CALL(malloc)(size); }
void *calloc(size_t count, size_t size) { return CALL(calloc)(count, size); }
void *realloc(void *object, size_t size) { return CALL(realloc)(object, size); }
void free(void *object) { CALL(free)(object); }
void *memalign(size_t alignment, size_t size) { return CALL(memalign)(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return CALL(aligned_alloc)(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) { return CALL(posix_memalign)(result, alignment, size); }
void *valloc(size_t size) { return CALL(valloc)(size); }
void *pvalloc(size_t size) { return CALL(pvalloc)(size); }
size_t malloc_usable_size(void *object) { return CALL(usable_size)(object); }

void *reallocarray(void *object, size_t count, size_t size) {
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes)) return CALL(realloc)(object, bytes);
    errno = ENOMEM;
    return NULL;
}

/* What the C library allocates for its callers is theirs, and in their scope: these come here for that. */

char *strndup(const char *text, size_t most) {
    size_t length = strnlen(text, most);
    char *copy = CALL(malloc)(length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = CALL(malloc)(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

/* The text that the C library has allocated, in the scope if there is one; or -1. */
static int give_away(char **result, int length) {
    if (length < 0 || stm_thread.scope == NULL) return length;
    char *copy = CALL(malloc)((size_t)length + 1);
    if (copy != NULL) memcpy(copy, *result, (size_t)length + 1);
    CALL(free)(*result);
    *result = copy;
    return copy != NULL ? length : -1;
}

int vasprintf(char **result, const char *format, va_list arguments) {
    (void)ready();
    return give_away(result, next_vasprintf(result, format, arguments));
}

int __vasprintf_chk(char **result, int flag, const char *format, va_list arguments) {
    (void)ready();
    return give_away(result, next_vasprintf_chk(result, flag, format, arguments));
}

int asprintf(char **result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(result, format, arguments);
    va_end(arguments);
    return length;
}

int __asprintf_chk(char **result, int flag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __vasprintf_chk(result, flag, format, arguments);
    va_end(arguments);
    return length;
}
