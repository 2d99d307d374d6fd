/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Filters of system calls (seccomp), some of which end a process that makes an unexpected call. Those that the process
 * was started under, as in a container, let through what programs commonly call; those that a program installs itself
 * may let through what it is going to call, and no more. Allocates nothing; errno is kept.
 */
#ifndef TENURE_PRIM_SANDBOX_H
#define TENURE_PRIM_SANDBOX_H

#include <stdbool.h>

/* Notes which filters there are at the start. */
void tn_sandbox_start(void);

/* Whether there was one. */
bool tn_sandbox_inherited(void);

/* The program prepares for a filter. */
void tn_sandbox_expect(void);

/* Whether it did: what can be asked at any time, as it costs nothing. */
bool tn_sandbox_expected(void);

/* Whether one may have come since the start: then this makes no system call. */
bool tn_sandbox_entered(void);

#endif
