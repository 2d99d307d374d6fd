/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of the counted region `RC: one word before the object counts its pointers.
 *
 *     header word      meaning
 *     n << 6 | k       n pointers refer to the object, n >= 1; the block that malloc gave begins 2^k bytes before it
 *
 * The count is of one thread: an object's pointers may not be in use in two threads at once. Not for signal handlers.
 */
#ifndef TENURE_COUNTED_H
#define TENURE_COUNTED_H

#include "tenure/check.h"
#include "tenure/platform.h"

#define TN_COUNTED_ONE ((uint64_t)1 << 6)

/* size bytes aligned to align, a power of two, with a count of 1; indeterminate. Raises Bad_alloc. site may be
 * NULL. */
TN_FRESH_STORAGE void *tn_counted_alloc(size_t size, size_t align, const struct tn_site *site);

/* As tn_counted_alloc, and all bytes are zero. */
TN_FRESH_STORAGE void *tn_counted_alloc_zero(size_t size, size_t align, const struct tn_site *site);

/* Frees the object, whose count has come to 0. */
TN_OUTLINE void tn_counted_free(void *object);

/* The header of an object. Never accessed through another type. */
TN_INLINE uint64_t *tn_counted_header(const void *object) { return (uint64_t *)(uintptr_t)object - 1; }

/* alias_refptr: object with one more pointer to it; NULL stays NULL. A count cannot overflow: each pointer takes 8
 * bytes and there are less than 2^58 of those. */
TN_INLINE void *tn_counted_alias(void *object) {
    if (object != NULL) *tn_counted_header(object) += TN_COUNTED_ONE;
    return object;
}

/* drop_refptr: one pointer less; the last one frees the object. NULL is left alone. */
TN_INLINE void tn_counted_drop(void *object) {
    if (object == NULL) return;
    uint64_t header = *tn_counted_header(object) -= TN_COUNTED_ONE;
    if (header < TN_COUNTED_ONE) tn_counted_free(object);
}

/* refptr_count: how many pointers refer to the object; 0 for NULL. */
TN_INLINE uint64_t tn_counted_count(const void *object) {
    return object != NULL ? *tn_counted_header(object) / TN_COUNTED_ONE : 0;
}

#endif
