/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Giving a date to an object or a region, on any clock.
 */
#ifndef TENURE_SHORTTERM_DATE_H
#define TENURE_SHORTTERM_DATE_H

#include "shortterm/object.h"
#include "shortterm/region.h"
#include "shortterm/root.h"

/* Which clock a date is given on. */
struct date {
    struct root *root;    /* of the calling thread */
    struct clock *clock;
    uint64_t offset;      /* from the clock's time */
    bool own;             /* the clock is one of the root's, so that only its thread settles the date */
    const char *function; /* for reports */
    const void *site;     /* for reports: who called */
    const char *clock_name;
};

/* STM_OK or STM_EXTENSION_TOO_LONG. */
int stm_date_check(const char *function, const void *object, unsigned extension);

int stm_date_give(const struct date *date, void *object);
int stm_date_give_region(const struct date *date, struct stm_region *region);

/* A date for a new object that nobody else knows of, whose descriptor's place is noted in its extension. */
int stm_date_give_scoped(struct root *root, void *object, unsigned extension);

/* Takes the one date of a scoped object back. False if it has others, or another thread's. */
bool stm_date_take_scoped(struct root *root, struct header *header);

#endif
