/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/heap.h"

#include "region/storage.h"

void *tn_heap_alloc(size_t size, size_t align, const struct tn_site *site) {
    void *object = tn_storage_take(TN_KIND_HEAP, size, align, 1);
    if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
    return object;
}
