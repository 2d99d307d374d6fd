/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * All locks are held across a fork, so that the child finds every structure whole. The heaps of threads that the child
 * does not have stay as they are: their pages are live, and their slots are freed remotely.
 */
#ifndef TENURE_TOLERANT_FORK_H
#define TENURE_TOLERANT_FORK_H

/* Registers what has to happen around a fork; does nothing after the first call. */
void tt_fork_prepare(void);

#endif
