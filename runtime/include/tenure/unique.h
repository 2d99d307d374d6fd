/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of the unique region `U: one malloc, one free, of the malloc that the program links. Thread safe: an
 * object may be freed by another thread than the one it was born in. Not for signal handlers.
 */
#ifndef TENURE_UNIQUE_H
#define TENURE_UNIQUE_H

#include "tenure/check.h"
#include "tenure/platform.h"

/* Not 0 while nobody counts, fills or collects objects, so that malloc and free are all there is to do. Set by
 * tn_start; an object may be born under one setting and die under the other. */
extern int tn_storage_direct;

/* The part of allocation and freeing that is not inline: alignment, statistics, debug levels, a collector, failure. */
TN_OUTLINE TN_FRESH_STORAGE void *tn_unique_alloc_slow(size_t size, size_t align, int zeroed,
                                                       const struct tn_site *site);
TN_OUTLINE void tn_unique_free_slow(void *object);

/* size bytes aligned to align, a power of two; indeterminate. Raises Bad_alloc. site may be NULL. */
TN_INLINE TN_FRESH_STORAGE void *tn_unique_alloc(size_t size, size_t align, const struct tn_site *site) {
    if (tn_likely(tn_storage_direct != 0 && align <= _Alignof(max_align_t) && size != 0)) {
        void *object = __builtin_malloc(size);
        if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
        return object;
    }
    return tn_unique_alloc_slow(size, align, 0, site);
}

/* As tn_unique_alloc, and all bytes are zero. */
TN_INLINE TN_FRESH_STORAGE void *tn_unique_alloc_zero(size_t size, size_t align, const struct tn_site *site) {
    if (tn_likely(tn_storage_direct != 0 && align <= _Alignof(max_align_t) && size != 0)) {
        void *object = __builtin_calloc(1, size);
        if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
        return object;
    }
    return tn_unique_alloc_slow(size, align, 1, site);
}

/* Frees what tn_unique_alloc or tn_unique_alloc_zero gave; NULL is left alone. */
TN_INLINE void tn_unique_free(void *object) {
    if (tn_likely(tn_storage_direct != 0)) {
        __builtin_free(object);
    } else {
        tn_unique_free_slow(object);
    }
}

#endif
