/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The checked heap's address space: one reservation, handed out once in runs of units, from its start on. A run is
 * never taken back here: who has it uses it again for what it was, because references to what it held may still be
 * about.
 */
#ifndef TENURE_CHECKED_RESERVE_H
#define TENURE_CHECKED_RESERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TN_UNIT_SHIFT 16
#define TN_UNIT (UINT64_C(1) << TN_UNIT_SHIFT)

/* Where the heap is. Written by tn_reserve_open alone. */
struct tn_reserve {
    uintptr_t start, end;
};
extern struct tn_reserve tn_reserve;

/* Reserves as much address space as the system gives, at most `most`, at a multiple of `alignment` (0: of its size) and
 * below 2^47. False if it gives less than 64 MiB, or has been open. */
bool tn_reserve_open(uint64_t most, uint64_t alignment);

/* Gives all of it back. No reference to it is used any more. */
void tn_reserve_close(void);

/* `units` units that are readable, writable, zero and without frames; 0 if there are no more. Thread safe. */
uintptr_t tn_reserve_take(size_t units);

/* The first unit that is handed out, and how many were. */
uintptr_t tn_reserve_first(void);
size_t tn_reserve_units(void);

/* Whether the address is in what was handed out. */
bool tn_reserve_has(uintptr_t address);

/* For fork: held while it happens. */
void tn_reserve_hold(void);
void tn_reserve_release(void);
void tn_reserve_renew(void);

#endif
