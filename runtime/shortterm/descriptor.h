/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Descriptors: expiration dates as entries in lists, one list a date, in the ring of a clock (papers/003…, §2.3).
 */
#ifndef TENURE_SHORTTERM_DESCRIPTOR_H
#define TENURE_SHORTTERM_DESCRIPTOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/platform.h"
#include "tenure/shortterm.h"

/* A descriptor is the address of an object or a region, with what is to be known about it in its low bits. */
#define DESCRIPTOR_SHARED UINT64_C(1) /* counted in `shared` */
#define DESCRIPTOR_REGION UINT64_C(2)
#define DESCRIPTOR_HOLE UINT64_C(4)   /* no object: the address of the list's next hole, or 0 */
#define DESCRIPTOR_BITS UINT64_C(7)

#define PAGE_SLOTS 126
struct page {
    struct page *next;
    uint64_t count; /* valid once the page is full or has expired */
    uintptr_t slots[PAGE_SLOTS];
};
_Static_assert(sizeof(struct page) == 1024, "a page is a power of two");

/* The descriptors of one date: the page that is being filled, and full ones behind it. */
struct list {
    uintptr_t *cursor, *end; /* in the first page; both NULL if there is none */
    struct page *tail;       /* the last one */
    uintptr_t hole;          /* the address of a descriptor whose object was freed early, to be used again; or see below */
};
#define HOLE_NONE UINT64_C(0)    /* nobody knows where the list's descriptors stand */
#define HOLE_PINNED UINT64_C(8)  /* some object knows where its descriptor stands, so none may be moved */

/* The page that is being filled; there is one. */
static inline struct page *list_head(const struct list *list) { return (struct page *)(void *)list->end - 1; }

/* A ring of lists: date d stands at d & mask. The ring grows when a longer extension is asked for. */
struct clock {
    struct list *lists;
    uint64_t mask;
    uint64_t time;
    uint64_t since_tick, longest_period; /* refreshes; kept by checked mode */
};

struct stm_clock {
    struct clock clock;
    _Atomic uint32_t owner; /* number of the root; 0: given up */
    uint32_t identity;      /* for reports */
};

struct root;

/* A ring for extensions of 0 to at least `extension`, dates of the clock kept. False if there is no memory. */
bool stm_clock_grow(struct clock *clock, uint64_t extension);

/* Another page for a list whose first page is full, or that has none. False if there is no memory. */
bool stm_list_extend(struct root *root, struct list *list);

/* Makes another page of expired descriptors the one that root->expired_top points into. False if there are no more. */
bool stm_expired_next(struct root *root);

/* How many expired descriptors wait. Takes as long as there are pages. */
uint64_t stm_expired_count(const struct root *root);

/* Advances a clock that has a ring by one, and moves what expires. */
void stm_clock_step(struct root *root, struct clock *clock);

/* All dates of the clock have passed, and its ring is given back. */
void stm_clock_finish(struct root *root, struct clock *clock);

/* Advances the clock by steps, and moves what expires. */
void stm_clock_advance(struct root *root, struct clock *clock, uint64_t steps);

/* How many dates the clock has. Takes as long as there are pages. */
uint64_t stm_clock_count(const struct clock *clock);

/* Settles at most `bound` expired descriptors. */
void stm_collect_some(struct root *root, uint64_t bound);

/* What a lazy or eager tick collects. */
void stm_collect_at_tick(struct root *root);

static inline struct list *list_at(struct clock *clock, uint64_t extension) {
    return &clock->lists[(clock->time + extension) & clock->mask];
}

#endif
