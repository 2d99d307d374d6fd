/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Debug level 3: each object of an arena between a header and a canary, and the walk that checks them. A write
 * just before or after an object, by C code that the compiler did not check, is found at the next walk.
 */
#ifndef TENURE_REGION_GUARD_H
#define TENURE_REGION_GUARD_H

#include "region/page.h"

/* Bytes before and after a guarded object; multiples of 16 and 8. */
#define TN_GUARD_BEFORE ((size_t)32)
#define TN_GUARD_AFTER ((size_t)16)

/* What memory is filled with that holds no value yet, or none any more. */
#define TN_FILL_BORN 0xC5
#define TN_FILL_DEAD 0xDF

/* Puts the header and the canary of an object of size bytes at start, the newest of the page. */
void tn_guard_place(struct tn_page *page, char *start, size_t size);

/* Checks all guarded objects of the page and of those after it, and returns how many there are. Ends the
 * program with a message if one is damaged. */
int64_t tn_guard_validate(const struct tn_page *page);

#endif
