/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Keeping all writers out of ranges of memory for a moment: other threads, and the kernel on behalf of their system
 * calls, wait until the range is released (userfaultfd with full rights; no signal, no failing call). What was set up
 * for devices to write into earlier is not kept out. The caller must not write there itself; signals should be off.
 */
#ifndef TENURE_PRIM_HOLD_H
#define TENURE_PRIM_HOLD_H

#include <stdbool.h>
#include <stddef.h>

/* A hold of no range yet; negative if the process may not have one. */
int tn_hold_open(void);

/* Keeps writers out of a range of private memory; false if that cannot be. */
bool tn_hold_range(int hold, void *start, size_t size);

/* All that was written to held ranges, and what the writers did before, is seen by the caller from now on. */
bool tn_hold_settle(void);

/* Lets writers in, into what is mapped there now. */
void tn_hold_release(int hold, void *start, size_t size);

/* Lets all writers in that wait. */
void tn_hold_close(int hold);

#endif
