/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/source.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"

/* What malloc aligns to without being asked. */
#define MALLOC_ALIGN _Alignof(max_align_t)

/* From this size on a system call is cheap against the first touch of the memory, and giving it back really
 * lowers what the process holds. */
#define MAP_LEAST_BYTES ((size_t)64 * 1024)

static void *aligned(size_t size, size_t align, int zeroed) {
    size_t rounded = (size + align - 1) & ~(align - 1);
    if (rounded < size) return NULL;
    void *storage = aligned_alloc(align, rounded);
    return storage != NULL && zeroed ? memset(storage, 0, rounded) : storage;
}

void *tn_source_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed) {
    (void)kind;
    if (align > MALLOC_ALIGN) return aligned(size, align, zeroed);
    return zeroed ? calloc(1, size) : malloc(size);
}

void tn_source_give(void *storage) { free(storage); }

size_t tn_source_usable(void *storage) { return tn_os_usable_size(storage); }

void *tn_source_take_page(size_t size, int *zero) {
    *zero = size >= MAP_LEAST_BYTES;
    return *zero ? tn_os_map(size) : malloc(size);
}

void tn_source_give_page(void *page, size_t size) {
    if (size >= MAP_LEAST_BYTES) {
        tn_os_unmap(page, size);
    } else {
        free(page);
    }
}

int tn_source_is_malloc(void) { return 1; }

int tn_source_is_heap_only(void) { return 0; }

size_t tn_source_footprint(void) { return 0; }
