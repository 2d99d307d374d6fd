/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Dynamic regions: arenas that live as long as their keys. A key is a pointer to one of these. `open(key)` is
 * tn_dynamic_open and costs nothing more: the compiler sees to it that a key that is open is not freed, and a counted
 * key that is open is itself one of the counted ones.
 *
 * A unique key is an object of `U, a counted one an object of `RC with its count before it: alias_refptr and
 * refptr_count treat it as any other (tenure/counted.h).
 *
 * A region is used by one thread at a time. Not for signal handlers.
 */
#ifndef TENURE_DYNAMIC_H
#define TENURE_DYNAMIC_H

#include "tenure/arena.h"
#include "tenure/counted.h"

struct tn_dynamic {
    struct tn_arena arena;
};

/* new_ukey: an empty region and its one key. Raises Bad_alloc. site may be NULL. */
TN_FRESH_STORAGE struct tn_dynamic *tn_dynamic_new_unique(const struct tn_site *site);

/* new_rckey: an empty region and its first key, with a count of 1. Raises Bad_alloc. site may be NULL. */
TN_FRESH_STORAGE struct tn_dynamic *tn_dynamic_new_counted(const struct tn_site *site);

/* The handle for allocation in the region of a key of either kind. Takes it as emitted code has it: a pointer to a
 * type that is never complete there. */
TN_INLINE struct tn_arena *tn_dynamic_open(void *key) { return &((struct tn_dynamic *)key)->arena; }

/* free_ukey: frees the region with all its objects, and the key. NULL is left alone. */
void tn_dynamic_free_unique(struct tn_dynamic *key);

/* free_rckey: one key less; the last one frees the region. NULL is left alone. */
void tn_dynamic_drop_counted(struct tn_dynamic *key);

#endif
