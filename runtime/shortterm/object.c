/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/object.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"
#include "shortterm/error.h"
#include "shortterm/finalizer.h"
#include "shortterm/mode.h"
#include "shortterm/region.h"
#include "shortterm/root.h"
#include "tenure/platform.h"

/* Where these calls are themselves directed to the library by --wrap, in a static link, interpose/wrap.c has another
 * one. */
TN_WEAK struct stm_allocator stm_below = {malloc, calloc, realloc, free, tn_os_usable_size};

int stm_use_allocator(const struct stm_allocator *allocator) {
    if (allocator == NULL || allocator->allocate == NULL || allocator->allocate_zero == NULL ||
        allocator->reallocate == NULL || allocator->release == NULL || allocator->usable_size == NULL)
        return STM_BAD_ARGUMENT;
    if ((mode() & MODE_UNKNOWN) == 0) return STM_BAD_ARGUMENT;
    stm_below = *allocator;
    return STM_OK;
}

void stm_object_errno(int error) { errno = error == STM_EXTENSION_TOO_LONG ? ERANGE : ENOMEM; }

/* `root` is the thread's, or stm_no_root: then nobody owns the object, and all its dates are counted as others'. */
static inline void *put_header(const struct root *root, struct header *header, uint32_t class) {
    uint64_t owner = root->owner;
    memcpy(header, &owner, sizeof owner);
    atomic_store_explicit(&header->shared, SHARED_TAG + class, memory_order_relaxed);
    return object_of(header);
}

static TN_OUTLINE void *no_memory(void) {
    errno = ENOMEM;
    return NULL;
}

/* Also when a mode watches. */
static const struct root *root_to_own(void) { return stm_thread.root != NULL ? stm_thread.root : &stm_no_root; }

/* Sizes that no allocator has, and modes that watch. */
static TN_OUTLINE void *malloc_slow(size_t size, bool zero, const void *site) {
    if (size > OBJECT_MOST) return no_memory();
    stm_start();
    if ((mode() & MODE_CHECKED) != 0) return stm_mode_checked_malloc(size, 16, site);
    uint32_t class = class_of(size);
    size_t bytes = bytes_for(size, class);
    struct header *header = zero ? stm_below.allocate_zero(1, bytes) : stm_below.allocate(bytes);
    if (header == NULL) return no_memory();
    void *object = put_header(root_to_own(), header, class);
    stm_mode_allocated(header);
    return object;
}

/* An object in storage that the thread has kept, for a size of at most CLASS_MOST; NULL if there is none. */
static inline void *take_kept(struct root *root, size_t size) {
    uint32_t class = class_of_small(size);
    struct header *header = root->cache[class];
    if (tn_unlikely(header == NULL)) return NULL;
    memcpy(&root->cache[class], (void *)header, sizeof(void *));
    root->cache_room += (int64_t)class;
    return put_header(root, header, class);
}

static TN_OUTLINE void *malloc_new(size_t size, const void *site) {
    if (tn_unlikely(mode() != 0 || size > OBJECT_MOST)) return malloc_slow(size, false, site);
    uint32_t class = class_of(size);
    struct header *header = stm_below.allocate(bytes_for(size, class));
    return tn_likely(header != NULL) ? put_header(stm_thread.fast, header, class) : no_memory();
}

void *stm_malloc(size_t size) {
    if (tn_unlikely(size > CLASS_MOST)) return malloc_new(size, tn_caller());
    void *object = take_kept(stm_thread.fast, size);
    return tn_likely(object != NULL) ? object : malloc_new(size, tn_caller());
}

void *stm_calloc(size_t count, size_t size) {
    size_t bytes;
    if (tn_unlikely(__builtin_mul_overflow(count, size, &bytes))) return no_memory();
    if (tn_unlikely(mode() != 0 || bytes > OBJECT_MOST)) return malloc_slow(bytes, true, tn_caller());
    uint32_t class = class_of(bytes);
    void *object = class != 0 ? take_kept(stm_thread.fast, bytes) : NULL;
    if (object != NULL) return memset(object, 0, bytes);
    struct header *header = stm_below.allocate_zero(1, bytes_for(bytes, class));
    return tn_likely(header != NULL) ? put_header(stm_thread.fast, header, class) : no_memory();
}

void *stm_object_extended(size_t size, size_t alignment, bool zero) {
    size_t before = sizeof(struct extension) + HEADER_BYTES;
    size_t spare = alignment > 16 ? alignment : 0;
    size_t bytes;
    if (size > OBJECT_MOST || __builtin_add_overflow(size, before + spare, &bytes) || bytes > OBJECT_MOST ||
        spare > UINT32_MAX / 2)
        return no_memory();
    char *base = zero ? stm_below.allocate_zero(1, bytes) : stm_below.allocate(bytes);
    if (base == NULL) return no_memory();
    uintptr_t place = (uintptr_t)base + before;
    if (spare != 0) place = (place + alignment - 1) & ~(uintptr_t)(alignment - 1);
    struct header *header = header_of(base + (place - (uintptr_t)base));
    extension_of(header)->base_bytes = (uint32_t)(place - (uintptr_t)base);
    extension_of(header)->slot = NULL;
    (void)put_header(root_to_own(), header, 0);
    atomic_store_explicit(&header->shared, SHARED_TAG | SHARED_EXTENDED, memory_order_relaxed);
    stm_mode_allocated(header);
    return object_of(header);
}

void *stm_aligned_alloc(size_t alignment, size_t size) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    stm_start();
    if ((mode() & MODE_CHECKED) != 0) return stm_mode_checked_malloc(size, alignment, tn_caller());
    return alignment <= 16 ? stm_malloc(size) : stm_object_extended(size, alignment, false);
}

size_t stm_object_bytes(struct header *header, uint64_t shared) {
    if ((shared & SHARED_CHECKED) != 0) return stm_mode_checked_bytes(header);
    char *base = base_of(header, shared);
    return stm_below.usable_size(base) - (size_t)((char *)object_of(header) - base);
}

void stm_object_release(struct header *header, uint64_t shared) {
    if ((shared & SHARED_CHECKED) != 0) {
        stm_mode_checked_release(header);
        return;
    }
    if ((mode() & MODE_CHECKED) != 0) stm_mode_checked_overwrite(object_of(header), stm_object_bytes(header, shared));
    stm_below.release(base_of(header, shared));
}

size_t stm_date_count(const void *object) {
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    if ((shared & SHARED_REGION) != 0) return stm_region_date_count(region_of(header));
    return (size_t)((shared & SHARED_COUNT) / SHARED_ONE_DATE) + (atomic_load_explicit(&header->local, memory_order_relaxed) & LOCAL_COUNT);
}

static TN_OUTLINE bool free_slow(void *object, struct header *header, uint64_t shared) {
    if ((shared & SHARED_REGION) != 0 || stm_date_count(object) != 0) return false;
    stm_finalizer_drop(header);
    stm_mode_freed(header, shared);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG | (shared & SHARED_SPECIAL), memory_order_relaxed);
    stm_object_release(header, shared);
    return true;
}

/* The header is an object's. False if it has dates. */
static inline bool free_object(void *object, struct header *header, uint64_t shared) {
    return tn_likely(mode() == 0 && free_simple(header, shared)) || free_slow(object, header, shared);
}

bool stm_object_free_if_persistent(void *object) {
    struct header *header = header_of(object);
    return free_object(object, header, atomic_load_explicit(&header->shared, memory_order_acquire));
}

void stm_free(void *object) {
    if (object == NULL || (mode() != 0 && !stm_mode_is_live("stm_free", object))) return;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    if (tn_unlikely(!is_tagged(shared)))
        (void)stm_error_pointer("stm_free", object, shared);
    else if (tn_unlikely(!free_object(object, header, shared)))
        (void)stm_error_report(STM_FREED_SHORT_TERM, "stm_free", object, "%p expires by itself: %s", object,
                               (shared & SHARED_REGION) != 0 ? "it is in a region" : "it has an expiration date");
}

size_t stm_usable_size(const void *object) {
    if (object == NULL) return 0;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    if ((shared & SHARED_REGION) != 0) return stm_region_object_bytes(object);
    return stm_object_bytes(header, shared);
}

/* A persistent object that nobody else refreshes meanwhile may move. */
static void *move(struct header *header, uint64_t shared, size_t size) {
    stm_mode_freed(header, shared);
    uint32_t class = class_of(size);
    struct header *moved = stm_below.reallocate(header, bytes_for(size, class));
    if (moved == NULL) {
        stm_mode_allocated(header);
        return no_memory();
    }
    atomic_store_explicit(&moved->shared, (shared & ~SHARED_CLASS) | class, memory_order_relaxed);
    stm_mode_allocated(moved);
    return object_of(moved);
}

void *stm_realloc(void *object, size_t size) {
    if (object == NULL) return stm_malloc(size);
    if (mode() != 0 && !stm_mode_is_live("stm_realloc", object)) return NULL;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    if (!is_tagged(shared)) {
        (void)stm_error_pointer("stm_realloc", object, shared);
        return NULL;
    }
    if (size > OBJECT_MOST) return no_memory();
    bool persistent = (shared & SHARED_REGION) == 0 && stm_date_count(object) == 0;
    if (persistent && (shared & SHARED_SPECIAL) == 0) return move(header, shared, size);
    size_t room = stm_usable_size(object);
    if (size <= room && !persistent) return object;
    void *copy = stm_malloc(size);
    if (copy == NULL) return NULL;
    memcpy(copy, object, size < room ? size : room);
    if (persistent) stm_free(object);
    return copy;
}
