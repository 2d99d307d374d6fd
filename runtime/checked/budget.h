/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * How much memory the heap has from the system, how much it may have, and who is told that it is much.
 */
#ifndef TENURE_CHECKED_BUDGET_H
#define TENURE_CHECKED_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that there may be frames for. */
struct tn_budget {
    size_t taken, peak;
    size_t limit; /* 0 for none */
    size_t mark;  /* 0 for none */
};
extern struct tn_budget tn_budget;

/* A new heap's; mark 0 is 7/8 of the limit. */
void tn_budget_open(size_t limit, size_t mark);

/* Counts bytes; false, and nothing is counted, beyond the limit. Beyond the mark threads are asked to poll. Thread
 * safe. */
bool tn_budget_take(size_t size);
void tn_budget_give(size_t size);

/* To be called where a thread polls, with no lock held: calls the pressure function if it is due. */
void tn_budget_poll(void);

#endif
