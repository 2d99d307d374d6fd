/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The aging queue (papers/004…, §4.2.1 and §4.3). A run of pages is on one of two lists:
 *
 *   active    used lately, or never looked at; nothing is asked about it
 *   inactive  a mapping of its own, about which each look asks the kernel; it ages while it is not used
 *
 *   cold      has left the inactive list for compaction; it is a mapping of its own as long as it is
 *
 * A run that was used goes back to the active list when others wait there, and looks take active runs in turn. What a
 * run on the inactive list costs is a mapping and the text that the kernel writes about it. How many there may be
 * follows from the share of the processor's time that looks took: the target grows below half of the budget and shrinks
 * above one and a half of it, by the paper's steps, and it takes effect bit by bit.
 *
 * All functions are for who looks, one at a time.
 */
#ifndef TENURE_TOLERANT_AGING_H
#define TENURE_TOLERANT_AGING_H

#include <stdbool.h>
#include <stdint.h>

struct tt_aging {
    uint32_t active, inactive, cold; /* runs, as of the last look */
    uint32_t target;           /* of inactive ones */
};
extern struct tt_aging tt_aging_now __attribute__((visibility("hidden")));

/* The next target, when looks took `spent` of the processor time `elapsed` and should take `share` thousandths. */
uint32_t tt_aging_adapt(struct tt_aging aging, uint64_t spent, uint64_t elapsed, uint64_t share);

/* Counts the use of an inactive run, or a cold one; true if it is to be active. */
bool tt_aging_take_use(bool cold);

/* Processor time that must pass until a look is due again that took so much; none if looks may take it all. */
uint64_t tt_aging_pause(uint64_t spent, uint64_t share);

#endif
