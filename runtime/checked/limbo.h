/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a thread has deleted and others may still have an address of: it waits in two lists, one that fills, and one
 * whose epoch has begun.
 */
#ifndef TENURE_CHECKED_LIMBO_H
#define TENURE_CHECKED_LIMBO_H

#include "checked/member.h"

#include <stddef.h>

struct tn_limbo_list {
    uint64_t *words;
    size_t count, capacity;
};
struct tn_limbo {
    struct tn_limbo_list open, waiting;
    uint64_t epoch; /* that must have been reached for `waiting` */
};

/* Adds a word; false if there is no memory for it. It is the caller's whether to lose it. */
bool tn_limbo_add(struct tn_limbo *limbo, uint64_t word);

/* Calls release for each word that waited long enough, and begins an epoch for the next ones. The calling thread is
 * `self`, and has no address that a touch gave. */
void tn_limbo_settle(struct tn_limbo *limbo, struct tn_member *self, void (*release)(uint64_t word, void *context), void *context);

/* How many words are in it. */
size_t tn_limbo_count(const struct tn_limbo *limbo);

/* Forgets all. */
void tn_limbo_clear(struct tn_limbo *limbo);

#endif
