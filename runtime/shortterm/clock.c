/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Named clocks (papers/003…, §2.5): each belongs to one thread at a time. Their dates are counted as shared ones,
 * because another thread may come to settle them.
 */
#include <errno.h>

#include "shortterm/date.h"
#include "shortterm/error.h"
#include "shortterm/mode.h"
#include "shortterm/settle.h"

#define FIRST_IDENTITY 2 /* 0 is a thread's clock and 1 global time */

static _Atomic uint32_t identities = FIRST_IDENTITY;

stm_clock *stm_clock_create(void) {
    struct root *root = stm_root();
    stm_clock *clock = root != NULL ? stm_below.allocate_zero(1, sizeof *clock) : NULL;
    if (clock == NULL || !stm_clock_grow(&clock->clock, 0)) {
        stm_below.release(clock);
        errno = ENOMEM;
        return NULL;
    }
    clock->identity = atomic_fetch_add_explicit(&identities, 1, memory_order_relaxed);
    atomic_store_explicit(&clock->owner, root->number, memory_order_relaxed);
    return clock;
}

/* This thread's root if the clock is its own; otherwise NULL, reported. */
static struct root *owner_of(stm_clock *clock, const char *function) {
    uint32_t owner = atomic_load_explicit(&clock->owner, memory_order_acquire);
    struct root *root = stm_thread.root;
    if (root != NULL && owner == root->number) return root;
    (void)stm_error_report(STM_NOT_OWNER, function, clock, "clock %u %s", (unsigned)clock->identity,
                           owner == 0 ? "was given up" : "belongs to another thread");
    return NULL;
}

static struct date date_on(stm_clock *clock, struct root *root, unsigned extension, const char *function, const void *site) {
    return (struct date){.root = root,
                         .clock = &clock->clock,
                         .offset = extension,
                         .own = false,
                         .function = function,
                         .site = site,
                         .clock_name = "a named clock"};
}

int stm_clock_refresh(stm_clock *clock, void *object, unsigned extension) {
    struct root *root = owner_of(clock, "stm_clock_refresh");
    if (root == NULL) return STM_NOT_OWNER;
    int error = stm_date_check("stm_clock_refresh", object, extension);
    if (error != STM_OK) return error;
    struct date date = date_on(clock, root, extension, "stm_clock_refresh", tn_caller());
    return stm_date_give(&date, object);
}

int stm_clock_region_refresh(stm_clock *clock, stm_region *region, unsigned extension) {
    struct root *root = owner_of(clock, "stm_clock_region_refresh");
    if (root == NULL) return STM_NOT_OWNER;
    int error = stm_date_check("stm_clock_region_refresh", region, extension);
    if (error != STM_OK) return error;
    struct date date = date_on(clock, root, extension, "stm_clock_region_refresh", tn_caller());
    return stm_date_give_region(&date, region);
}

int stm_clock_tick(stm_clock *clock) {
    struct root *root = owner_of(clock, "stm_clock_tick");
    if (root == NULL) return STM_NOT_OWNER;
    root->ticks++;
    stm_clock_advance(root, &clock->clock, 1);
    stm_collect_at_tick(root);
    stm_mode_ticked(root, &clock->clock, clock->identity);
    return STM_OK;
}

uint64_t stm_clock_time(const stm_clock *clock) { return clock->clock.time; }

int stm_clock_give(stm_clock *clock) {
    if (owner_of(clock, "stm_clock_give") == NULL) return STM_NOT_OWNER;
    atomic_store_explicit(&clock->owner, 0, memory_order_release);
    return STM_OK;
}

int stm_clock_take(stm_clock *clock) {
    struct root *root = stm_root();
    if (root == NULL) return STM_NO_MEMORY;
    uint32_t expected = 0;
    if (atomic_compare_exchange_strong_explicit(&clock->owner, &expected, root->number, memory_order_acq_rel,
                                                memory_order_acquire))
        return STM_OK;
    return stm_error_report(STM_NOT_OWNER, "stm_clock_take", clock, "clock %u belongs to %s thread",
                            (unsigned)clock->identity, expected == root->number ? "this" : "another");
}

int stm_clock_destroy(stm_clock *clock) {
    struct root *root = owner_of(clock, "stm_clock_destroy");
    if (root == NULL) return STM_NOT_OWNER;
    stm_clock_finish(root, &clock->clock);
    stm_collect_at_tick(root);
    atomic_store_explicit(&clock->owner, 0, memory_order_release);
    /* Records of checked mode refer to it. */
    if ((mode() & MODE_CHECKED) == 0) stm_below.release(clock);
    return STM_OK;
}
