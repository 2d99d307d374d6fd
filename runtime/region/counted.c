/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/counted.h"

#include "region/storage.h"
#include "tenure/value.h"

#define OFFSET_BITS (TN_COUNTED_ONE - 1)

static void *take(size_t size, size_t align, int zeroed, const struct tn_site *site) {
    /* The offset is a power of two that keeps the object aligned and has room for the header. */
    size_t offset = align < sizeof(uint64_t) ? sizeof(uint64_t) : align;
    char *block = (char *)tn_storage_take(TN_KIND_COUNTED, tn_size_add(size, offset), offset, zeroed);
    if (tn_unlikely(block == NULL)) tn_raise_alloc(site, size);
    char *object = block + offset;
    *tn_counted_header(object) = TN_COUNTED_ONE | (uint64_t)__builtin_ctzll(offset);
    return object;
}

void *tn_counted_alloc(size_t size, size_t align, const struct tn_site *site) { return take(size, align, 0, site); }

void *tn_counted_alloc_zero(size_t size, size_t align, const struct tn_site *site) {
    return take(size, align, 1, site);
}

void tn_counted_free(void *object) {
    size_t offset = (size_t)1 << (*tn_counted_header(object) & OFFSET_BITS);
    tn_storage_give(TN_KIND_COUNTED, (char *)object - offset);
}
