/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The heap over the malloc that the program links. This file defines tn_heap_alloc and nothing else, so that
 * another definition linked before the archive (a collector's) takes its place whole.
 */
#include "tenure/heap.h"

#include <stdlib.h>
#include <string.h>

#include "region/statistics.h"

/* What malloc aligns to without being asked. */
#define MALLOC_ALIGN _Alignof(max_align_t)

static void *zeroed(size_t size, size_t align) {
    if (align <= MALLOC_ALIGN) return calloc(1, size);
    size_t rounded = (size + align - 1) & ~(align - 1);
    if (rounded < size) return NULL;
    void *p = aligned_alloc(align, rounded);
    return p != NULL ? memset(p, 0, rounded) : NULL;
}

void *tn_heap_alloc(size_t size, size_t align, const struct tn_site *site) {
    if (size == 0) size = 1; /* calloc(1, 0) may be NULL */
    void *p = zeroed(size, align);
    if (tn_unlikely(p == NULL)) tn_raise_alloc(site, size);
    if (tn_unlikely(tn_statistics_per_object())) {
        tn_statistics_objects(TN_KIND_HEAP, 1, (int64_t)size);
        tn_statistics_reserve(TN_KIND_HEAP, (int64_t)size);
    }
    return p;
}
