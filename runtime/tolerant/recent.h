/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What was freed last of a bin's objects, to be handed out first: it is in the processor's caches, and what a program
 * replaces stays where it was. A bin has such a list while its thread replaces objects at random (bin.c); then refills
 * would find few slots in many pages.
 *
 * A slot on the list has its bit set in its page, as any freed slot has, so that a second free is found; but its page
 * is told of the free only when the slot leaves the list by being forgotten, not when it is handed out again.
 *
 * Called by the bin's owner alone. Invariants: the list is empty unless the bin's frees are TT_FREES_RECENT; an entry's
 * page is the bin's, its bit is set and in no other entry. A bin hands out from a word of free bits only once the list
 * is empty: so no slot of the list is in that word.
 */
#ifndef TENURE_TOLERANT_RECENT_H
#define TENURE_TOLERANT_RECENT_H

#include "tolerant/thread.h"

#define TT_RECENT_MOST 16
struct tt_recent_slot {
    unsigned char *object; /* NULL below the first */
    uint64_t *word;        /* of its page's free bits */
    uint64_t bit;
};

struct tt_recent {
    struct tt_recent_slot none, slots[TT_RECENT_MOST];
};

/* Makes the list of a bin that has none; false if there is no memory. */
bool tt_recent_make(struct tt_bin *bin);

/* Tells pages of the slots that were freed first, until so many are left. */
void tt_recent_shorten(struct tt_bin *bin, size_t left);

/* Forgets those of a page that leaves the bin, or of which no slot is live. */
void tt_recent_forget(struct tt_bin *bin, const struct tt_page *page);

static inline bool tt_recent_is_empty(const struct tt_bin *bin) { return bin->recent == NULL || bin->recent_last == &bin->recent->none; }

static inline bool tt_recent_is_full(const struct tt_bin *bin) { return bin->recent_last == bin->recent_full; }

/* Adds a slot whose bit is set to a list that is not full. */
static inline void tt_recent_add(struct tt_bin *bin, unsigned char *object, uint64_t *word, uint64_t bit) {
    struct tt_recent_slot *slot = ++bin->recent_last;
    slot->object = object;
    slot->word = word;
    slot->bit = bit;
}

/* What was freed last; NULL if the list is empty. */
static inline void *tt_recent_take(struct tt_bin *bin) {
    struct tt_recent_slot *slot = bin->recent_last;
    unsigned char *object = slot->object;
    if (tn_unlikely(object == NULL)) return NULL;
    __atomic_store_n(slot->word, *slot->word ^ slot->bit, __ATOMIC_RELAXED); /* others read it in passing */
    bin->recent_last = slot - 1;
    bin->taken++;
    return object;
}

#endif
