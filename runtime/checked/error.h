/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What happens when a reference is used wrongly, and what is remembered for its report.
 */
#ifndef TENURE_CHECKED_ERROR_H
#define TENURE_CHECKED_ERROR_H

#include "tenure/checked_inline.h"

/* Calls the handler. No lock of the heap's may be held. `allocated` is NULL where it is not known; for an object that
 * is gone what is remembered is added. */
_Noreturn void tn_checked_raise(enum tn_checked_kind kind, const void *ref, size_t size, const struct tn_site *used,
                                const struct tn_site *allocated);

/* Whether sites are remembered; set before the first object is made. */
extern bool tn_checked_remembers;

/* The reference to the first byte of the object, alive or gone, that a reference is to; 0 if it is to none. The heap's
 * form sets it. */
extern uint64_t (*tn_checked_base)(const void *ref);

/* Makes the table of deletes. False if there is no memory. */
bool tn_deletes_open(void);
void tn_deletes_close(void);

/* Remembers where the object with this reference to its first byte was made and deleted, until another delete takes the
 * entry. Thread safe. */
void tn_deletes_add(uint64_t base, const struct tn_site *allocated, const struct tn_site *deleted);

#endif
