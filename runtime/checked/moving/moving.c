/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Opening and closing the moving form, its threads, fork, figures.
 */
#include "checked/moving/moving.h"

#include <errno.h>

#include "checked/error.h"
#include "prim/lock.h"
#include "prim/memory.h"
#include "prim/thread.h"
#include "prim/watch.h"

/* 4 TiB of addresses, or what a sanitizer leaves. */
#define SPACE_MOST (UINT64_C(1) << (TN_MOVING_SPACE_SHIFT - 2))
#define SPACE_LEAST (UINT64_C(1) << 28)

static tn_lock open_lock = TN_LOCK_INITIALIZER;
static bool forks_are_known;

static void before_fork(void) {
    tn_mover_hold();
    tn_lock_acquire(&open_lock);
    tn_roots_hold();
    tn_members_hold();
    tn_active_hold();
    tn_reserve_hold();
}

static void in_parent(void) {
    tn_reserve_release();
    tn_active_release();
    tn_members_release();
    tn_roots_release();
    tn_lock_release(&open_lock);
    tn_mover_release();
}

static void in_child(void) {
    tn_reserve_renew();
    tn_active_renew();
    tn_members_renew(tn_moving_self != NULL ? &tn_moving_self->member : NULL);
    tn_roots_renew();
    tn_lock_renew(&open_lock);
    tn_mover_renew();
}

/* What cannot have all of the space, or tables for it, does with less. */
static bool open_space(void) {
    for (uint64_t most = SPACE_MOST; most >= SPACE_LEAST; most /= 4) {
        if (!tn_reserve_open(most, UINT64_C(1) << TN_MOVING_SPACE_SHIFT)) continue;
        if (tn_blocks_open()) return true;
        tn_reserve_close();
    }
    return false;
}

/* In a trapping heap, before an access to what was given back ends the program. Signal safe. */
static void explain(uintptr_t address) {
    static const char text[] = "checked heap: an address was used that no touch gave since the object moved or went\n";
    if (address >= tn_reserve.start && address < tn_reserve.end) tn_os_write_error(text, sizeof text - 1);
}

static int open_locked(const struct tnc_options *options) {
    if (!open_space()) return ENOMEM;
    if (options->remember && !tn_deletes_open()) {
        tn_blocks_close();
        tn_reserve_close();
        return ENOMEM;
    }
    tn_moving_mode.threads = options->threads;
    tn_moving_mode.strict = options->strict;
    tn_moving_mode.trapping = options->trapping;
    /* At every poll and delete there is something to do. */
    static bool explains;
    if (options->trapping && !explains) explains = tn_watch_faults(explain) == 0;
    if (options->trapping) __atomic_store_n(&tn_checked_polling, 1, __ATOMIC_RELAXED);
    tn_checked_base = tn_moving_base;
    tn_budget_open(options->memory_limit, options->pressure);
    if (!forks_are_known) forks_are_known = tn_thread_at_fork(before_fork, in_parent, in_child) == 0;
    __atomic_store_n(&tn_moving_mode.open, true, __ATOMIC_RELEASE);
    return 0;
}

static int open_once(const struct tnc_options *options) {
    tn_lock_acquire(&open_lock);
    int error = tn_moving_mode.open ? EALREADY : open_locked(options);
    tn_lock_release(&open_lock);
    return error;
}

int tn_moving_open(const struct tnc_options *options) {
    int error = open_once(options);
    return error != 0 ? error : tn_moving_attach();
}

static struct tn_member *make_heap(void) {
    struct tn_moving_heap *heap = tn_os_map(sizeof *heap);
    return heap != NULL ? &heap->member : NULL;
}

struct tn_moving_heap *tn_moving_mine(unsigned flags, bool *refused) {
    *refused = false;
    if (tn_moving_self != NULL) return tn_moving_self;
    if (!__atomic_load_n(&tn_moving_mode.open, __ATOMIC_ACQUIRE)) {
        int error = open_once(&(struct tnc_options){.strict = (flags & TN_CHECKED_OPEN_STRICT) != 0,
                                                    .trapping = (flags & TN_CHECKED_OPEN_TRAPPING) != 0});
        if (error != 0 && error != EALREADY) return NULL;
    }
    if (tn_thread_at_end(tn_moving_detach) != 0) return NULL;
    tn_moving_self = (struct tn_moving_heap *)tn_members_join(make_heap, tn_moving_mode.threads, refused);
    return tn_moving_self;
}

int tn_moving_attach(void) {
    bool refused;
    if (tn_moving_mine(0, &refused) != NULL) return 0;
    return refused ? EBUSY : ENOMEM;
}

void tn_moving_detach(void) {
    struct tn_moving_heap *heap = tn_moving_self;
    tn_moving_self = NULL;
    if (heap != NULL) tn_members_part(&heap->member);
}

void tn_moving_leave(void) {
    if (tn_moving_self != NULL) tn_member_leave(&tn_moving_self->member);
}

void tn_moving_enter(void) {
    if (tn_moving_self != NULL) tn_member_enter(&tn_moving_self->member);
}

void tn_moving_close(void) {
    if (!tn_moving_mode.open) return;
    tn_moving_leave();
    tn_mover_reset();
    struct tn_member *next;
    for (struct tn_member *m = tn_members(); m != NULL; m = next) {
        struct tn_moving_heap *heap = (struct tn_moving_heap *)m;
        next = m->next;
        tn_limbo_clear(&heap->limbo);
        tn_os_unmap(heap, sizeof *heap);
    }
    tn_members_clear();
    tn_moving_self = NULL;
    tn_promote_reset();
    tn_scan_reset();
    tn_roots_clear();
    tn_deletes_close();
    tn_blocks_close();
    tn_reserve_close();
    tn_moving_mode = (struct tn_moving_mode){false, false, false, false};
}

TN_RACY void tn_moving_statistics(struct tnc_statistics *statistics) {
    struct tnc_statistics sum = {0};
    const struct tn_moving_counts *counts = &tn_moving_counts;
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        const struct tn_moving_heap *heap = (const struct tn_moving_heap *)m;
        sum.allocated_objects += heap->allocated;
        sum.deleted_objects += heap->deleted;
        sum.live_bytes += heap->allocated_bytes - heap->deleted_bytes;
        sum.waiting_objects += tn_limbo_count(&heap->limbo);
        sum.slow_touches += heap->slow_touches;
    }
    sum.taken_bytes = tn_budget.taken;
    sum.peak_taken_bytes = tn_budget.peak;
    sum.spans = tn_active_blocks(NULL, 0, 0);
    sum.large_objects = counts->large_objects;
    sum.promotions = counts->promotions;
    sum.moved_blocks = counts->moved_blocks;
    sum.moved_bytes = counts->moved_bytes;
    sum.dead_blocks = counts->dead_blocks;
    sum.cancelled_blocks = counts->cancelled_blocks;
    sum.scans = counts->scans;
    sum.scanned_bytes = counts->scanned_bytes;
    sum.patched_references = counts->patched;
    sum.longest_step_ns = counts->longest_step_ns;
    *statistics = sum;
}
