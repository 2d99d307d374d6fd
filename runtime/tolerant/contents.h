/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What lies on cold pages. A page whose live bytes are all zero, or that has none, gives its frame back: what is read
 * there next is zero. Of the others a number is kept, by which equal pages are found.
 */
#ifndef TENURE_TOLERANT_CONTENTS_H
#define TENURE_TOLERANT_CONTENTS_H

#include <stddef.h>
#include <stdint.h>

struct tt_segment;

/* The number of a page whose frame was given back. */
#define TT_CONTENT_RELEASED UINT64_C(2)

/* Looks at the pages of the cold run that begins there, those in swap and those that share frames left out. No run is
 * given back meanwhile. */
void tt_contents_examine(struct tt_segment *segment, size_t at, int map);

/* Bytes of frames that were given back, in all. */
uint64_t tt_contents_released_bytes(void);

#endif
