/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/storage.h"

#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"
#include "prim/option.h"
#include "region/guard.h"

/* What malloc aligns to without being asked. */
#define MALLOC_ALIGN _Alignof(max_align_t)

static void *aligned(size_t size, size_t align, int zeroed) {
    size_t rounded = (size + align - 1) & ~(align - 1);
    if (rounded < size) return NULL;
    void *storage = aligned_alloc(align, rounded);
    return storage != NULL && zeroed ? memset(storage, 0, rounded) : storage;
}

void *tn_storage_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed) {
    if (size == 0) size = 1; /* malloc(0) may be NULL */
    void *storage;
    if (align > MALLOC_ALIGN) {
        storage = aligned(size, align, zeroed);
    } else {
        storage = zeroed ? calloc(1, size) : malloc(size);
    }
    if (storage == NULL || !tn_statistics_per_object()) return storage;
    /* What malloc set aside is what it can tell again when the object dies. */
    int64_t usable = (int64_t)tn_os_usable_size(storage);
    tn_statistics_objects(kind, 1, usable);
    tn_statistics_reserve(kind, usable);
    if (!zeroed && tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2) memset(storage, TN_FILL_BORN, size);
    return storage;
}

void tn_storage_give(enum tn_region_kind kind, void *storage) {
    if (tn_statistics_per_object()) {
        int64_t usable = (int64_t)tn_os_usable_size(storage);
        tn_statistics_objects(kind, -1, -usable);
        tn_statistics_reserve(kind, -usable);
        if (tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2) memset(storage, TN_FILL_DEAD, (size_t)usable);
    }
    free(storage);
}
