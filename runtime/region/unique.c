/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/unique.h"

#include "region/storage.h"

static void *take(size_t size, size_t align, int zeroed, const struct tn_site *site) {
    void *object = tn_storage_take(TN_KIND_UNIQUE, size, align, zeroed);
    if (tn_unlikely(object == NULL)) tn_raise_alloc(site, size);
    return object;
}

void *tn_unique_alloc(size_t size, size_t align, const struct tn_site *site) { return take(size, align, 0, site); }

void *tn_unique_alloc_zero(size_t size, size_t align, const struct tn_site *site) { return take(size, align, 1, site); }

void tn_unique_free(void *object) {
    if (object != NULL) tn_storage_give(TN_KIND_UNIQUE, object);
}
