/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Finding the pages that nobody uses (papers/004…, §4.2.1 and §4.3).
 */
#ifndef TENURE_TOLERANT_COLD_H
#define TENURE_TOLERANT_COLD_H

#include <stdbool.h>
#include <stddef.h>

struct tt_segment;

/* To be called now and then from the slow paths, holding no lock: looks, if it is time, for what became cold. */
void tt_cold_tick(void);

/* The run that begins there is about to be given back. */
void tt_cold_forget(struct tt_segment *segment, size_t at);

void tt_cold_before_fork(void);
void tt_cold_after_fork(bool child);

#endif
