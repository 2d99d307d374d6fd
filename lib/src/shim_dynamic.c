/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What <core.h> declares about regions: keys, region sequences, sizes and limits.
 *
 * A structure with a hidden region is laid out as its members, because a region has no representation.
 */
#include "tenure/dynamic.h"
#include "tenure/unique.h"

struct new_key {
    struct tn_dynamic *key;
};

/* The capability to make the next key. Only its identity matters, and the type system sees to that. */
struct generator {
    char none;
};

struct sequence {
    struct tn_dynamic *key;
    struct generator *next;
};

struct new_key tn_new_ukey(void);
struct new_key tn_new_rckey(void);
void tn_free_ukey(struct tn_dynamic *key);
void tn_free_rckey(struct tn_dynamic *key);
struct sequence tn_new_drseq(void);
struct sequence tn_next_drseq(struct generator *next);
size_t tn_region_used_bytes(struct tn_arena *region);
size_t tn_region_free_bytes(struct tn_arena *region);
size_t tn_region_alloc_bytes(struct tn_arena *region);
void tn_region_set_limit(struct tn_arena *region, size_t bytes);

struct new_key tn_new_ukey(void) { return (struct new_key){tn_dynamic_new_unique(NULL)}; }

struct new_key tn_new_rckey(void) { return (struct new_key){tn_dynamic_new_counted(NULL)}; }

void tn_free_ukey(struct tn_dynamic *key) { tn_dynamic_free_unique(key); }

void tn_free_rckey(struct tn_dynamic *key) { tn_dynamic_drop_counted(key); }

struct sequence tn_next_drseq(struct generator *next) {
    return (struct sequence){tn_dynamic_new_unique(NULL), next};
}

struct sequence tn_new_drseq(void) {
    struct generator *first = (struct generator *)tn_unique_alloc(sizeof *first, _Alignof(struct generator), NULL);
    return tn_next_drseq(first);
}

size_t tn_region_alloc_bytes(struct tn_arena *region) { return region->reserved; }

size_t tn_region_free_bytes(struct tn_arena *region) {
    return (size_t)((uintptr_t)region->limit - (uintptr_t)region->cursor);
}

size_t tn_region_used_bytes(struct tn_arena *region) { return region->reserved - tn_region_free_bytes(region); }

void tn_region_set_limit(struct tn_arena *region, size_t bytes) {
    /* The heap is of all threads and has no limit of its own. */
    if (region != &tn_heap) tn_arena_set_quota(region, bytes);
}
