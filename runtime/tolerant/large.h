/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of more than TT_SMALL_MOST bytes: spans of pages of a segment up to 1 MiB, mappings of their own beyond.
 */
#ifndef TENURE_TOLERANT_LARGE_H
#define TENURE_TOLERANT_LARGE_H

#include "tolerant/page.h"

/* size bytes at a multiple of alignment (a power of two); NULL if there is no memory. *zero tells whether they are
 * known to be zero. The site is the number that reports show, or 0. */
void *tt_large_allocate(size_t size, size_t alignment, uint32_t site, bool *zero);

/* For a span of kind TT_PAGE_LARGE: frees the object; false if it does not start there. */
bool tt_large_free_span(struct tt_page *page, void *object);

/* For an address in no segment: frees the mapping; false if none starts there. */
bool tt_large_free_mapping(void *object);

/* The usable bytes of the object that starts there; 0 if none does. */
size_t tt_large_size(void *object);

/* Makes the object larger or smaller without copying, possibly elsewhere; NULL if it has to be copied. */
void *tt_large_resize(void *object, size_t size);

/* Set in an object's site where the program asked for its alignment to a page. */
#define TT_LARGE_ALIGNED (UINT32_C(1) << 31)

/* No two objects have the same birth, and a younger one has a greater: what lies at the same address a moment later is
 * another. */
struct tt_large {
    unsigned char *start;
    size_t size;
    uint64_t birth;
    uint32_t site, born; /* born: seconds of the monotonic clock */
};

/* The birth of the youngest object, dead or alive. */
uint64_t tt_large_last_birth(void);

/* Calls visit for each mapping, under a lock: visit may not allocate or free. Does nothing while another holds the
 * lock, as when a signal interrupted it. */
typedef void tt_large_visitor(const struct tt_large *object, void *context);
void tt_large_each_mapping(tt_large_visitor *visit, void *context);

/* The same for each large object, spans first. */
void tt_large_each(tt_large_visitor *visit, void *context);

/* Whether the object is still the one that was visited. One that cannot be told at the moment counts as live. */
bool tt_large_is_live(void *object, size_t size, uint64_t birth);

/* Keeps the object's memory from being given back until it is let go; false if it is another by now. Nothing large is
 * allocated or freed meanwhile. */
bool tt_large_keep(void *object, size_t size, uint64_t birth);
void tt_large_let_go(void);

/* Of objects up to a mebibyte, between tt_large_lock and tt_large_let_go: who frees one waits from the beginning on,
 * and makes its pages plain memory if there are views among them at the end (`sharing` of its segment). False if it is
 * another by now. */
void tt_large_lock(void);
bool tt_large_begin_views(void *object, size_t size, uint64_t birth);
void tt_large_end_views(void *object, size_t size);

/* Has the kernel keep counts for the object's pages alone; false if it refuses. */
bool tt_large_set_apart(void *object, size_t size);
extern _Atomic size_t tt_large_mapped_count __attribute__((visibility("hidden")));

/* Gives back, once in a while, what is kept of freed objects and was not used since. The time is the coarse clock's. */
void tt_large_age(uint64_t milliseconds);

/* Gives kept mappings back, at least so many bytes if there are; the bytes. */
size_t tt_large_trim(size_t bytes);

void tt_large_before_fork(void);
void tt_large_after_fork(bool child);

#endif
