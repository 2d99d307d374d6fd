/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/unique.h"

#include "region/storage.h"

void *tn_unique_alloc_slow(size_t size, size_t align, int zeroed, const struct tn_site *site) {
    void *object = tn_storage_take(TN_KIND_UNIQUE, size, align, zeroed);
    if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
    return object;
}

void tn_unique_free_slow(void *object) {
    if (object != NULL) tn_storage_give(TN_KIND_UNIQUE, object);
}
