/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A stretch of time in which nobody else writes to pages that are being changed: the thread's signals are off, as they
 * are for all of a look, and in a process with threads ranges are held (prim/hold.h).
 */
#ifndef TENURE_TOLERANT_QUIET_H
#define TENURE_TOLERANT_QUIET_H

#include <stdbool.h>
#include <stddef.h>

struct tt_quiet {
    int hold; /* of a process with threads; -1: of one thread */
};

/* To be called once a look, whose time asking about open files may not take. */
void tt_quiet_start_look(void);

/* False if the process can have none now; then there is no end to be called. One thread at a time. */
bool tt_quiet_begin(struct tt_quiet *quiet);
void tt_quiet_end(struct tt_quiet *quiet);

/* Why there was none the last time, for reports: the process has threads and may not hold ranges; or it uses io_uring,
 * or a file past the page cache, or has too many open to be asked about. */
enum tt_quiet_refusal { TT_QUIET_GRANTED, TT_QUIET_NO_RIGHT, TT_QUIET_FILES };
enum tt_quiet_refusal tt_quiet_refused(void);

/* Keeps writers out of the range until it is released; false if that cannot be. */
bool tt_quiet_hold(const struct tt_quiet *quiet, void *start, size_t size);
void tt_quiet_release(const struct tt_quiet *quiet, void *start, size_t size);

/* To be called after ranges were held and before they are read: false if they may still be written to. */
bool tt_quiet_settle(const struct tt_quiet *quiet);

/* Whether something did not settle because that would have taken too long, and is left for another look. */
bool tt_quiet_is_spent(void);

#endif
