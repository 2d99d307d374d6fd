/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Sampled objects: one in so many of a context's live on pages apart, where each slot knows its context, so that a free
 * is counted without a header in every object. One lock for all.
 */
#ifndef TENURE_TOLERANT_SAMPLE_H
#define TENURE_TOLERANT_SAMPLE_H

#include "tolerant/page.h"

/* An object of that class for the key, or the witness; NULL if there is no memory. */
void *tt_sample_allocate(unsigned size_class, uint32_t key);

enum tt_sample_end { TT_SAMPLE_FREED, TT_SAMPLE_DOUBLE, TT_SAMPLE_INVALID };
enum tt_sample_end tt_sample_free(struct tt_page *page, unsigned slot);

/* Gives back the pages that are kept though no sample lives there. */
void tt_samples_leave(void);

void tt_samples_before_fork(void);
void tt_samples_after_fork(bool child);

#endif
