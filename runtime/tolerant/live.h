/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Which bytes of a page belong to live objects, in grains of 16 bytes: the same measure for all size classes.
 */
#ifndef TENURE_TOLERANT_LIVE_H
#define TENURE_TOLERANT_LIVE_H

#include "tolerant/page.h"
#include "tolerant/size_class.h"

#define TT_GRAIN_WORDS (TT_PAGE_BYTES / TT_GRAIN / 64)
#define TT_PAGE_GRAINS (TT_GRAIN_WORDS * 64)

/* Sets the bits of the page's grains in which objects live, or may live soon. False if it is no page of slots. Others
 * go on allocating and freeing: the bits are of about now. */
bool tt_live_grains(struct tt_segment *segment, size_t at, uint64_t live[TT_GRAIN_WORDS]);

unsigned tt_live_count(const uint64_t live[TT_GRAIN_WORDS]);

/* Whether all live bytes of the page at `base` are zero, and a number made of them and their places, not 0: equal
 * for equal pages. */
struct tt_content {
    uint64_t number;
    bool zero;
};
struct tt_content tt_live_content(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS]);

/* Copies the live bytes of a page to `view`, whose own live bytes `taken` says. Where both have some they must be
 * equal; otherwise false, and nothing was copied. */
bool tt_live_fits(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS], const unsigned char *view,
                  const uint64_t taken[TT_GRAIN_WORDS]);
void tt_live_copy(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS], unsigned char *view);

#endif
