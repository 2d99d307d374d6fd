/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Dynamic regions: arenas that live as long as their keys. A key is a pointer to one of these. `open(key)` is
 * tn_dynamic_open and costs nothing more: the compiler sees to it that a key that is open is not freed, and a counted
 * key that is open is itself one of the counted ones.
 *
 * A region is used by one thread at a time. Not for signal handlers.
 */
#ifndef TENURE_DYNAMIC_H
#define TENURE_DYNAMIC_H

#include "tenure/arena.h"

struct tn_dynamic {
    struct tn_arena arena;
    uint64_t keys; /* how many keys there are; 1 for a unique key */
};

/* new_ukey, new_rckey: an empty region with one key. Raises Bad_alloc. site may be NULL. */
TN_FRESH_STORAGE struct tn_dynamic *tn_dynamic_new(const struct tn_site *site);

/* The handle for allocation in the region. */
TN_INLINE struct tn_arena *tn_dynamic_open(struct tn_dynamic *key) { return &key->arena; }

/* alias_refptr of a counted key. */
TN_INLINE struct tn_dynamic *tn_dynamic_alias(struct tn_dynamic *key) {
    if (key != NULL) key->keys++;
    return key;
}

/* Frees the region with all its objects. */
void tn_dynamic_free(struct tn_dynamic *key);

/* free_ukey, free_rckey: one key less; the last one frees the region. NULL is left alone. */
TN_INLINE void tn_dynamic_drop(struct tn_dynamic *key) {
    if (key != NULL && --key->keys == 0) tn_dynamic_free(key);
}

#endif
