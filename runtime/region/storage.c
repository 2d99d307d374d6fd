/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/storage.h"

#include <string.h>

#include "prim/option.h"
#include "region/guard.h"
#include "region/source.h"
#include "tenure/unique.h"

/* What is reserved for an object. A source that can be asked for all that it holds is asked instead for the heap. */
static void reserve(enum tn_region_kind kind, int64_t bytes) {
    if (kind != TN_KIND_HEAP || tn_source_footprint() == 0) tn_statistics_reserve(kind, bytes);
}

int tn_storage_direct;

void tn_storage_settle(void) {
    tn_storage_direct = tn_source_is_malloc() && !tn_statistics_per_object() && tn_option_get(TN_OPTION_DEBUG_LEVEL) == 0;
}

void *tn_storage_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed) {
    if (tn_source_is_heap_only()) kind = TN_KIND_HEAP;
    if (size == 0) size = 1; /* malloc(0) may be NULL */
    void *storage = tn_source_take(kind, size, align, zeroed);
    if (storage == NULL || !tn_statistics_per_object()) return storage;
    /* What was set aside is what the source can tell again when the object dies. */
    int64_t usable = (int64_t)tn_source_usable(storage);
    tn_statistics_objects(kind, 1, usable);
    reserve(kind, usable);
    if (!zeroed && tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2) memset(storage, TN_FILL_BORN, size);
    return storage;
}

void tn_storage_give(enum tn_region_kind kind, void *storage) {
    if (tn_source_is_heap_only()) return;
    if (tn_statistics_per_object()) {
        int64_t usable = (int64_t)tn_source_usable(storage);
        tn_statistics_objects(kind, -1, -usable);
        reserve(kind, -usable);
        if (tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2) memset(storage, TN_FILL_DEAD, (size_t)usable);
    }
    tn_source_give(storage);
}
