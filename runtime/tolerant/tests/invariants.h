/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What holds of the malloc's structures whenever nobody is inside of it: counts agree with what they count, lists with
 * what is on them, and every page is where it will be found again.
 */
#ifndef TENURE_TOLERANT_TESTS_INVARIANTS_H
#define TENURE_TOLERANT_TESTS_INVARIANTS_H

#include <stdbool.h>

/* Says what does not hold, and returns how many things did not. To be called while no other thread allocates, frees or
 * looks. `whole`: no thread was lost in a fork in the middle of a call. */
unsigned broken_invariants(bool whole);

/* Whether the object lies in a slot that counts as taken, or in a large object's memory. */
bool is_taken(const void *object);

#endif
