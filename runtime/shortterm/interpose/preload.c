/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * malloc and its kin, for LD_PRELOAD: in front of whichever allocator the program would have used.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static void *next(const char *symbol) { return tn_watch_next(symbol); }

TN_AT_START static void find_next(void) {
    if (state != UNREADY) return;
    state = SEARCHING;
    struct stm_allocator below;
    void *found[] = {next("malloc"), next("calloc"), next("realloc"), next("free"), next("malloc_usable_size")};
    /* POSIX lets an object pointer from dlsym be one to a function. */
    _Static_assert(sizeof found == sizeof below, "five functions");
    memcpy(&below, found, sizeof below);
    stm_scope_interpose(&below);
    state = READY;
}

/* Whether the allocator below is known; if not, it is being looked for by this very thread. */
static inline int ready(void) {
    if (tn_likely(state == READY)) return 1;
    find_next();
    return state == READY;
}

static TN_OUTLINE void *malloc_rare(size_t size, const void *caller) {
    return ready() ? stm_scope_malloc(size, caller) : early_allocate(size);
}

void *malloc(size_t size) {
    return tn_likely(stm_thread.scope == NULL && state == READY) ? stm_malloc(size) : malloc_rare(size, tn_caller());
}

void *calloc(size_t count, size_t size) {
    if (ready()) return stm_scope_calloc(count, size, tn_caller());
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? NULL : early_allocate(bytes);
}

void *realloc(void *object, size_t size) {
    if (!ready()) return NULL;
    if (!is_early(object)) return stm_scope_realloc(object, size, tn_caller());
    void *copy = stm_scope_malloc(size, tn_caller());
    size_t room = (size_t)(early + sizeof early - (char *)object);
    return copy != NULL ? memcpy(copy, object, size < room ? size : room) : NULL;
}

void *reallocarray(void *object, size_t count, size_t size) {
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(object, bytes);
    errno = ENOMEM;
    return NULL;
}

void free(void *object) {
    if (tn_likely(!is_early(object))) stm_scope_free(object);
}

void *memalign(size_t alignment, size_t size) {
    /* As glibc: rounded up to a power of two. */
    size_t power = 16;
    while (power < alignment && power <= SIZE_MAX / 4) power *= 2;
    return ready() ? stm_scope_memalign(power, size, tn_caller()) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    int before = errno;
    void *object = ready() ? stm_scope_memalign(alignment, size, tn_caller()) : NULL;
    errno = before;
    if (object == NULL) return ENOMEM;
    *result = object;
    return 0;
}

void *valloc(size_t size) { return memalign(SYSTEM_PAGE, size); }

void *pvalloc(size_t size) {
    size_t rounded;
    if (!__builtin_add_overflow(size, SYSTEM_PAGE - 1, &rounded)) return valloc(rounded & ~(SYSTEM_PAGE - 1));
    errno = ENOMEM;
    return NULL;
}

size_t malloc_usable_size(void *object) { return is_early(object) ? 0 : stm_scope_usable_size(object); }
