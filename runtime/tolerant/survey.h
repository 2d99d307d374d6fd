/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Counting what is live, by site, from the pages' descriptions. Other threads go on meanwhile: figures are of about
 * now.
 */
#ifndef TENURE_TOLERANT_SURVEY_H
#define TENURE_TOLERANT_SURVEY_H

#include <stdbool.h>
#include <stdint.h>

struct tt_survey {
    uint64_t objects, bytes;             /* live */
    uint64_t common_bytes;               /* of them, in the common bins */
    uint64_t large_bytes, large_objects; /* of them, above 32 KiB */
    uint64_t large_cold_bytes;           /* of them, as far as can be told; of the whole process only */
    uint64_t dead_bytes;                 /* in slots that are free */
    uint64_t pages, site_pages;
    uint64_t mapped_bytes; /* address space of segments and large objects */
};

/* Counts all, and into each site its own figures. One caller at a time. */
void tt_survey_all(struct tt_survey *survey);

/* Counts all, and leaves sites alone: any number of callers. */
void tt_survey_count(struct tt_survey *survey);

/* Counts the pages of one thread's heap. */
struct tt_thread;
void tt_survey_thread(struct tt_survey *survey, const struct tt_thread *thread);

/* Adds a point to each site's history. */
void tt_survey_note_history(uint64_t milliseconds);

#endif
