/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * C's allocation functions. Each takes its caller's return address and stack pointer as the context.
 */
#include "tolerant/interface.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "prim/space.h"
#include "tolerant/allocate.h"
#include "tolerant/bundled.h"
#include "tolerant/harden.h"
#include "tolerant/large.h"
#include "tolerant/misuse.h"
#include "tolerant/object.h"

TT_EXPORT void *TT_NAME(malloc)(size_t size);
TT_EXPORT void TT_NAME(free)(void *object);
TT_EXPORT void *TT_NAME(calloc)(size_t count, size_t size);
TT_EXPORT void *TT_NAME(realloc)(void *object, size_t size);
TT_EXPORT void *TT_NAME(reallocarray)(void *object, size_t count, size_t size);
TT_EXPORT void *TT_NAME(memalign)(size_t alignment, size_t size);
TT_EXPORT void *TT_NAME(aligned_alloc)(size_t alignment, size_t size);
TT_EXPORT int TT_NAME(posix_memalign)(void **place, size_t alignment, size_t size);
TT_EXPORT void *TT_NAME(valloc)(size_t size);
TT_EXPORT void *TT_NAME(pvalloc)(size_t size);
TT_EXPORT size_t TT_NAME(malloc_usable_size)(void *object);
TT_EXPORT void TT_NAME(free_sized)(void *object, size_t size);
TT_EXPORT void TT_NAME(free_aligned_sized)(void *object, size_t alignment, size_t size);

#define GROWN_LEAST 256

#if !defined(TT_PREFIXED)
/* The same functions, under names that no other file's definitions come before (bundled.h). */
#define OWN(name) __attribute__((alias(#name), visibility("hidden")))
OWN(malloc) void *tt_own_malloc(size_t size);
OWN(free) void tt_own_free(void *object);
OWN(calloc) void *tt_own_calloc(size_t count, size_t size);
OWN(realloc) void *tt_own_realloc(void *object, size_t size);
OWN(aligned_alloc) void *tt_own_aligned_alloc(size_t alignment, size_t size);
OWN(posix_memalign) int tt_own_posix_memalign(void **place, size_t alignment, size_t size);
#endif

__attribute__((used)) static const char *const start_is_linked = &tt_start_is_linked;

void *TT_NAME(malloc)(size_t size) { return TT_ALLOCATE(TT_KIND_MALLOC, size, TT_CALLER(), tn_stack_pointer()); }

void TT_NAME(free)(void *object) { TT_RELEASE(TT_KIND_MALLOC, object, TT_CALLER()); }

void TT_NAME(free_sized)(void *object, size_t size) {
    (void)size;
    TT_RELEASE(TT_KIND_MALLOC, object, TT_CALLER());
}

void TT_NAME(free_aligned_sized)(void *object, size_t alignment, size_t size) {
    (void)alignment, (void)size;
    TT_RELEASE(TT_KIND_MALLOC, object, TT_CALLER());
}

void *TT_NAME(calloc)(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t address = TT_CALLER(), stack = tn_stack_pointer();
#if !defined(TT_HARDENED)
    if (bytes > TT_SMALL_MOST && !tt_bundled()) {
        bool zero;
        void *large = tt_large_allocate(bytes, 1, tt_large_site(address, stack), &zero);
        if (large == NULL)
            errno = ENOMEM;
        else if (!zero)
            memset(large, 0, bytes);
        return large;
    }
#endif
    void *object = TT_ALLOCATE(TT_KIND_MALLOC, bytes, address, stack);
    return object == NULL ? NULL : memset(object, 0, bytes);
}

#if defined(TT_HARDENED)
static void *reallocate(void *object, size_t size, uintptr_t address, uintptr_t stack) {
    if (object == NULL) return TT_ALLOCATE(TT_KIND_MALLOC, size, address, stack);
    if (tn_unlikely(tt_object_size(object) == 0)) tt_misuse_of(object, address);
    if (size != 0 && tt_harden_resize(object, size, address)) return object;
    size_t old_size = tt_harden_size(object);
    void *fresh = size == 0 ? NULL : TT_ALLOCATE(TT_KIND_MALLOC, size, address, stack);
    if (size != 0 && fresh == NULL) return size <= old_size ? object : NULL;
    if (fresh != NULL) memcpy(fresh, object, size < old_size ? size : old_size);
    TT_RELEASE(TT_KIND_MALLOC, object, address);
    return fresh;
}
#else
/* What grows likely grows again, and is copied each time: of large classes it takes every second one. */
static size_t with_room(size_t size) {
    if (size <= GROWN_LEAST || size > TT_SMALL_MOST) return size;
    return tt_class_size(tt_class_of(size) | 1);
}

static void *reallocate(void *object, size_t size, uintptr_t address, uintptr_t stack) {
    if (object == NULL) return tt_allocate(size, address, stack);
    size_t old_size = tt_object_size(object);
    if (tn_unlikely(old_size == 0)) tt_misuse_of(object, address);
    if (size == 0) {
        tt_release(object, address);
        return NULL;
    }
    /* An object stays where it is while it fills half of its slot. */
    if (size <= old_size && size > old_size / 2) return object;
    void *larger = old_size > TT_SMALL_MOST ? tt_large_resize(object, size) : NULL;
    if (larger != NULL) return larger;
    void *fresh = tt_allocate(size > old_size ? with_room(size) : size, address, stack);
    if (fresh == NULL) return size <= old_size ? object : NULL;
    memcpy(fresh, object, size < old_size ? size : old_size);
    tt_release(object, address);
    return fresh;
}
#endif

void *TT_NAME(realloc)(void *object, size_t size) { return reallocate(object, size, TT_CALLER(), tn_stack_pointer()); }

void *TT_NAME(reallocarray)(void *object, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(object, bytes, TT_CALLER(), tn_stack_pointer());
}

void *tt_allocate_aligned(size_t alignment, size_t size, uintptr_t address, uintptr_t stack) {
    if (alignment <= TT_GRAIN) return tt_allocate(size, address, stack);
    if (tn_unlikely(tt_bundled())) return tt_bundled_allocate_aligned(alignment, size);
    /* What begins with a page of the system's has pages of its own, which nothing of ours is ever shown in: the program
     * may have it given back or protected (madvise, mprotect), and expect what the system makes of fresh memory. */
    if (alignment <= TT_PAGE_BYTES && alignment < tn_space_page_size() && size <= TT_SMALL_MOST) {
        /* Spans begin at multiples of a page: the slots of a class whose size is a multiple of it are aligned. */
        unsigned size_class = tt_class_of(size < alignment ? alignment : size);
        while ((tt_class_size(size_class) & (alignment - 1)) != 0) size_class++;
        return tt_allocate(tt_class_size(size_class), address, stack);
    }
    bool zero;
    void *object = tt_large_allocate(size, alignment, tt_large_site(address, stack), &zero);
    if (object == NULL) errno = ENOMEM;
    return object;
}

/* The power of two at or above; 0 if there is none. */
static size_t power_of_two(size_t alignment) {
    if ((alignment & (alignment - 1)) == 0) return alignment;
    if (alignment > SIZE_MAX / 2 + 1) return 0;
    return (size_t)1 << (64 - __builtin_clzll((unsigned long long)alignment));
}

static void *memalign_checked(size_t alignment, size_t size, uintptr_t address, uintptr_t stack) {
    size_t power = power_of_two(alignment);
    if (power == 0 && alignment != 0) {
        errno = EINVAL;
        return NULL;
    }
    return TT_ALLOCATE_ALIGNED(TT_KIND_MALLOC, power, size, address, stack);
}

void *TT_NAME(memalign)(size_t alignment, size_t size) {
    return memalign_checked(alignment, size, TT_CALLER(), tn_stack_pointer());
}

void *TT_NAME(aligned_alloc)(size_t alignment, size_t size) {
    return memalign_checked(alignment, size, TT_CALLER(), tn_stack_pointer());
}

int TT_NAME(posix_memalign)(void **place, size_t alignment, size_t size) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment % sizeof(void *) != 0) return EINVAL;
    int error = errno;
    void *object = TT_ALLOCATE_ALIGNED(TT_KIND_MALLOC, alignment, size, TT_CALLER(), tn_stack_pointer());
    errno = error;
    if (object == NULL) return ENOMEM;
    *place = object;
    return 0;
}

void *TT_NAME(valloc)(size_t size) {
    return TT_ALLOCATE_ALIGNED(TT_KIND_MALLOC, tn_space_page_size(), size, TT_CALLER(), tn_stack_pointer());
}

void *TT_NAME(pvalloc)(size_t size) {
    size_t page = tn_space_page_size();
    if (size > SIZE_MAX - page) {
        errno = ENOMEM;
        return NULL;
    }
    size_t rounded = (size + page - 1) & ~(page - 1);
    return TT_ALLOCATE_ALIGNED(TT_KIND_MALLOC, page, rounded == 0 ? page : rounded, TT_CALLER(), tn_stack_pointer());
}

#if defined(TT_HARDENED)
size_t TT_NAME(malloc_usable_size)(void *object) { return object == NULL ? 0 : tt_harden_size(object); }
#else
size_t TT_NAME(malloc_usable_size)(void *object) { return object == NULL ? 0 : tt_live_size(object); }
#endif
