/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Which units of cold pages are to share frames. A unit is a row of pages, or a single page; members of a group have no
 * live byte in the same place (papers/004…, §4.1), or the same ones in all places. Size classes make no difference.
 */
#ifndef TENURE_TOLERANT_GROUP_H
#define TENURE_TOLERANT_GROUP_H

#include "tolerant/live.h"

#define TT_UNIT_WORDS_MOST (TT_UNIT_PAGES * TT_GRAIN_WORDS)
#define TT_UNITS_MOST ((size_t)65536)
#define TT_GROUPS_MOST ((size_t)32768)
#define TT_GROUP_WORDS_MOST ((size_t)4096 * TT_UNIT_WORDS_MOST) /* of all groups together */
#define TT_GROUP_MEMBERS_MOST 250

struct tt_unit {
    struct tt_segment *segment;
    uint32_t at;      /* its first page */
    uint32_t next;    /* in the group, plus 1 */
    uint32_t frames;  /* of its pages that hold objects */
    uint32_t group;   /* plus 1 */
    uint64_t content; /* of equal units the same */
};

struct tt_group {
    uint64_t *live;
    uint32_t size; /* of a slot of its first member */
    uint32_t members;
    uint32_t frames; /* of all members */
    uint32_t first;  /* unit plus 1 */
};

/* A pass over units of so many pages. */
struct tt_pass {
    size_t pages, bytes, words;
    size_t count, group_count, seen_count;
    bool equal;      /* units with the same bytes; otherwise those that are disjoint */
    bool incomplete; /* something was left for the next time */
    struct tt_unit units[TT_UNITS_MOST];
    struct tt_group groups[TT_GROUPS_MOST];
    uint64_t live[TT_GROUP_WORDS_MOST];
    uint32_t seen[2 * TT_UNITS_MOST]; /* by content: unit plus 1 */
};

/* The live grains of the unit that begins there; false if it holds anything but slots. */
bool tt_group_live(const struct tt_pass *pass, struct tt_segment *segment, size_t at, uint64_t *live);

/* The number of pages in which something lives. */
size_t tt_group_pages(const struct tt_pass *pass, const uint64_t *live);

/* Puts the pass's units into groups. */
void tt_group_units(struct tt_pass *pass);

/* Empties the pass, for units of so many pages. */
void tt_group_start(struct tt_pass *pass, size_t pages, bool equal);

#endif
