/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Regions: pages that live and die together.
 */
#ifndef TENURE_SHORTTERM_REGION_H
#define TENURE_SHORTTERM_REGION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shortterm/object.h"
#include "tenure/shortterm.h"

struct region_page {
    struct region_page *next;
    size_t bytes;
};

struct finalizer_node {
    struct finalizer_node *next;
    void *object;
    stm_finalizer function; /* NULL: taken away again */
    void *argument;
};

/* Lies in its own first page. */
struct stm_region {
    char *cursor, *limit;
    struct region_page *pages, *last;
    struct finalizer_node *finalizers;
    _Atomic uint64_t count;
    size_t bytes;
    uint64_t tag;
};
#define REGION_TAG UINT64_C(0x7265676965a7b5a5)
_Static_assert(sizeof(struct stm_region) % 16 == 0, "objects behind it are aligned");


/* The region of an object in one. */
static inline struct stm_region *region_of(struct header *header) {
    struct stm_region *region;
    __builtin_memcpy(&region, header, sizeof region);
    return region;
}

struct root;

/* Frees the region at once; it has expired if `short_term`, and then the finalizers are called first. */
void stm_region_release(struct root *root, struct stm_region *region, bool short_term);

/* Sets, changes or takes away the finalizer of an object in the region. False if there is no memory. */
bool stm_region_set_finalizer(struct stm_region *region, struct header *header, stm_finalizer finalizer, void *argument);

/* How many bytes of an object in a region may be used. */
size_t stm_region_object_bytes(const void *object);

/* Gives back the pages that the root keeps. */
void stm_region_trim(struct root *root);

#endif
