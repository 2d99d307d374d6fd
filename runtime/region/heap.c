/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The heap over the malloc that the program links. This file defines tn_heap_alloc and nothing else, so that
 * another definition linked before the archive (a collector's) takes its place whole.
 */
#include "tenure/heap.h"

#include "region/storage.h"

void *tn_heap_alloc(size_t size, size_t align, const struct tn_site *site) {
    void *object = tn_storage_take(TN_KIND_HEAP, size, align, 1);
    if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
    return object;
}
