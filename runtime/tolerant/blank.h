/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Large objects that are cold: their pages that hold only zeros give their frames back. Which sites have such, watched
 * objects tell (watch.h); what is done is safe for any object, so that all of the site's that are as old are looked at.
 *
 * A program may protect parts of a large object, map something else there, or hand it to a device. So pages are read by
 * a system call, which fails where a load would die; a page is given back while nobody can write to it; objects of
 * which the kernel said at this look that a part is no plain memory are left alone, and so are those that the program
 * had aligned to a page. Pages with other bytes are told to those that find equal ones (alike.h).
 */
#ifndef TENURE_TOLERANT_BLANK_H
#define TENURE_TOLERANT_BLANK_H

#include <stddef.h>
#include <stdint.h>

#include "prim/mappings.h"

/* By whoever looks: begins a look, takes what the kernel says of each mapping in order of addresses, and releases. */
void tt_blank_start_look(void);
void tt_blank_take_mapping(const struct tn_mapping *mapping);
void tt_blank_release(size_t mappings_most, size_t mappings_now);

/* Bytes of frames that were given back, in all. */
uint64_t tt_blank_released_bytes(void);

#endif
