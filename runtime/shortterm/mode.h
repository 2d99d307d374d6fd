/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Checked mode and measuring mode: what happens at each step while one of them is on. Without them each function here
 * is a test of one word, and none is on a short path.
 */
#ifndef TENURE_SHORTTERM_MODE_H
#define TENURE_SHORTTERM_MODE_H

#include "shortterm/date.h"
#include "shortterm/object.h"
#include "shortterm/region.h"
#include "shortterm/root.h"

/* Called once, when the options ask for a mode. */
void stm_mode_begin(uint32_t wanted);

/* measure.c */
void stm_measure_begin(void);
void stm_measure_allocated(size_t bytes);
void stm_measure_dated(size_t bytes);
void stm_measure_persistent_again(size_t bytes);
void stm_measure_gone(size_t bytes, bool short_term);
void stm_measure_after_fork(void);
void stm_measure_line(struct root *root, struct clock *clock, uint32_t identity);

/* checked.c */
void stm_checked_begin(void);
void *stm_mode_checked_malloc(size_t size, size_t alignment, const void *site);
size_t stm_mode_checked_bytes(struct header *header);
void stm_mode_checked_release(struct header *header);
void stm_mode_checked_overwrite(void *object, size_t bytes); /* one that is not watched */
void stm_checked_dated(const struct date *date, struct header *header);
void stm_checked_ticked(struct clock *clock);
bool stm_checked_is_live(const char *function, const void *object);

/* The header may be read: the object has not expired, as far as the mode knows. Reports otherwise. */
static inline bool stm_mode_is_live(const char *function, const void *object) {
    return (mode() & MODE_CHECKED) == 0 || stm_checked_is_live(function, object);
}

static inline size_t stm_mode_bytes(struct header *header) {
    return stm_object_bytes(header, atomic_load_explicit(&header->shared, memory_order_relaxed));
}

static inline void stm_mode_allocated(struct header *header) {
    if (tn_unlikely(mode() != 0)) stm_measure_allocated(stm_mode_bytes(header));
}

static inline void stm_mode_freed(struct header *header, uint64_t shared) {
    if (tn_unlikely(mode() != 0)) stm_measure_gone(stm_object_bytes(header, shared), false);
}

static inline void stm_mode_expired(struct header *header, uint64_t shared) {
    if (tn_unlikely(mode() != 0)) stm_measure_gone(stm_object_bytes(header, shared), true);
}

static inline void stm_mode_persistent_again(struct header *header) {
    if (tn_unlikely(mode() != 0)) stm_measure_persistent_again(stm_mode_bytes(header));
}

/* The object has got a date, its first one if `first`. */
static inline void stm_mode_dated(const struct date *date, struct header *header, bool first) {
    if (tn_likely(mode() == 0)) return;
    if (first) stm_measure_dated(stm_mode_bytes(header));
    if ((mode() & MODE_CHECKED) != 0) stm_checked_dated(date, header);
}

static inline void stm_mode_region_grown(struct stm_region *region, size_t bytes) {
    if (tn_likely(mode() == 0)) return;
    stm_measure_allocated(bytes);
    if (stm_region_date_count(region) != 0) stm_measure_dated(bytes);
}

static inline void stm_mode_region_dated(struct stm_region *region, bool first) {
    if (tn_unlikely(mode() != 0) && first) stm_measure_dated(region->bytes);
}

/* `short_term`: it had dates. */
static inline void stm_mode_region_gone(struct stm_region *region, bool short_term) {
    if (tn_unlikely(mode() != 0)) stm_measure_gone(region->bytes, short_term);
}

/* After a tick and its collection. identity is that of a named clock; 0 is the thread's, 1 global time. */
static inline void stm_mode_ticked(struct root *root, struct clock *clock, uint32_t identity) {
    if (tn_likely(mode() == 0)) return;
    if ((mode() & MODE_CHECKED) != 0) stm_checked_ticked(clock);
    if ((mode() & MODE_MEASURED) != 0) stm_measure_line(root, clock, identity);
}

#endif
