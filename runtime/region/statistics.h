/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Counting, for the other files of this layer. Thread safe.
 */
#ifndef TENURE_REGION_STATISTICS_H
#define TENURE_REGION_STATISTICS_H

#include "tenure/statistics.h"

/* Whether objects are to be counted one by one. */
int tn_statistics_per_object(void);

/* `objects` (negative: died) of `bytes` in all (same sign). */
void tn_statistics_objects(enum tn_region_kind kind, int64_t objects, int64_t bytes);

/* What a collector found: so many objects of the kind, of so many bytes in all, are live. */
void tn_statistics_live(enum tn_region_kind kind, int64_t objects, int64_t bytes);

/* bytes of storage taken for the kind, or given back if negative. */
void tn_statistics_reserve(enum tn_region_kind kind, int64_t bytes);

#endif
