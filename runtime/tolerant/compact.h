/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual compaction (papers/004…, §4).
 */
#ifndef TENURE_TOLERANT_COMPACT_H
#define TENURE_TOLERANT_COMPACT_H

#include <stddef.h>
#include <stdint.h>

/* Lets cold runs with disjoint live slots share frames, while the process has fewer than mappings_most mappings. To be
 * called by one thread at a time. */
void tt_compact_cold(size_t mappings_most, size_t mappings_now);

/* Of pages that share frames. */
uint64_t tt_compact_shared_bytes(void);

#endif
