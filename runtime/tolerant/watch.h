/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Whether large objects are used. Each is on pages of its own, so the kernel can page a cold one out without our help;
 * but a report should say which sites have such. Of each site a sample of objects is watched, as many as make a figure,
 * chosen by their addresses: what is found of them stands for all of the site's large objects.
 */
#ifndef TENURE_TOLERANT_WATCH_H
#define TENURE_TOLERANT_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/mappings.h"

/* What the kernel says of a mapping, of objects that lie in it. In order of addresses. */
void tt_watch_take_mapping(const struct tn_mapping *mapping);

/* Ends a look: forgets the objects that were freed, and begins to watch others with at most so many more mappings.
 * Returns how many that took. looks_until_cold: how many looks without a reference make an object cold. */
size_t tt_watch_renew(size_t mappings, unsigned looks_until_cold);

/* Adds to each site what is to be taken as cold, from the sites' large objects as counted. Returns the bytes. */
uint64_t tt_watch_survey(void);

/* Clears the referenced bits of what is watched, by deactivating it. */
void tt_watch_forget(void);

#endif
