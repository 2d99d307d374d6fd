/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The mover: when it works, and in what order. A round is: promote, scan, sweep. In a heap for one thread a poll or a
 * delete does a step of it for each 16 KiB that were allocated or deleted, so that a pause is short and the work keeps
 * up; in a heap for several a thread of its own does the steps.
 */
#include "checked/moving/moving.h"

#include <time.h>

#include "prim/event.h"
#include "prim/lock.h"
#include "prim/memory.h"
#include "prim/thread.h"

/* Garbage that is not worth a round. */
#define FLOOR (UINT64_C(1) << 20)

enum phase { IDLE, PROMOTING, SCANNING };

static tn_lock lock = TN_LOCK_INITIALIZER; /* held while blocks are COPYING, and while objects are scanned */
static enum phase phase;
static uint32_t *snapshot; /* active blocks as of the phase's beginning */
static size_t snapshot_count, snapshot_size, at;
static uint64_t moved_before;
static uint64_t left_garbage; /* as of the last round's end */
static struct tn_moving_heap single; /* the mover's in a heap for one thread */

static struct tn_event wanted = TN_EVENT_INITIALIZER;
static bool is_wanted, thread_runs, thread_ends;

struct tn_moving_heap *tn_mover_heap(void) { return &single; }
bool tn_mover_ends(void) { return __atomic_load_n(&thread_ends, __ATOMIC_RELAXED); }
bool tn_mover_busy(void) { return __atomic_load_n(&is_wanted, __ATOMIC_RELAXED); }

void tn_mover_hold(void) { tn_lock_acquire(&lock); }
void tn_mover_release(void) { tn_lock_release(&lock); }

/* Bytes of blocks that are not living objects; and, in *live, of those. */
static TN_RACY uint64_t garbage(uint64_t *live) {
    uint64_t allocated = 0, deleted = 0;
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        const struct tn_moving_heap *heap = (const struct tn_moving_heap *)m;
        allocated += heap->allocated_bytes;
        deleted += heap->deleted_bytes;
    }
    uint64_t large = tn_moving_counts.large_bytes, bytes = tn_moving_counts.block_bytes;
    *live = allocated > deleted + large ? allocated - deleted - large : 0;
    return bytes > *live ? bytes - *live : 0;
}

static void drop_snapshot(void) {
    if (snapshot != NULL) tn_os_unmap(snapshot, snapshot_size);
    snapshot = NULL;
    snapshot_count = at = 0;
}

static void take_snapshot(void) {
    drop_snapshot();
    size_t count = tn_active_blocks(NULL, 0, 0) + 64;
    snapshot_size = count * sizeof *snapshot;
    snapshot = tn_os_map(snapshot_size);
    if (snapshot == NULL) return;
    size_t all = tn_active_blocks(snapshot, 0, count);
    snapshot_count = all < count ? all : count;
}

static void end_round(void) {
    uint64_t live;
    drop_snapshot();
    __atomic_store_n(&left_garbage, garbage(&live), __ATOMIC_RELAXED);
    phase = IDLE;
    __atomic_store_n(&is_wanted, false, __ATOMIC_RELAXED);
}

bool tn_mover_step(void) {
    if (!tn_mover_busy()) return false;
    switch (phase) {
    case IDLE:
        take_snapshot();
        moved_before = tn_moving_counts.moved_blocks;
        phase = PROMOTING;
        return true;
    case PROMOTING:
        if (tn_promote_some(snapshot, snapshot_count, &at)) return true;
        if (tn_moving_counts.moved_blocks == moved_before) {
            end_round();
            return false;
        }
        tn_count(&tn_moving_counts.promotions, 1);
        take_snapshot();
        phase = SCANNING;
        return true;
    default:
        if (tn_scan_some(snapshot, snapshot_count, &at)) return true;
        tn_mover_hold();
        tn_roots_scan();
        tn_mover_release();
        tn_promote_sweep();
        tn_count(&tn_moving_counts.scans, 1);
        end_round();
        return false;
    }
}

static void run(void *unused) {
    (void)unused;
    bool refused;
    struct tn_moving_heap *heap = tn_moving_mine(0, &refused);
    while (heap != NULL && !tn_mover_ends()) {
        tn_member_leave(&heap->member);
        tn_event_wait(&wanted);
        tn_member_enter(&heap->member);
        while (!tn_mover_ends() && tn_mover_step()) tn_blocks_settle(heap);
    }
    tn_moving_detach();
    __atomic_store_n(&thread_runs, false, __ATOMIC_RELEASE);
}

void tn_moving_consider(struct tn_moving_heap *heap) {
    uint64_t live, now = garbage(&live);
    (void)heap;
    if (tn_mover_busy()) return;
    /* More than half of what lives, and more than what the last round did not get. */
    if (now < FLOOR || now < live / 2 || now < __atomic_load_n(&left_garbage, __ATOMIC_RELAXED) + live / 8) return;
    __atomic_store_n(&is_wanted, true, __ATOMIC_RELAXED);
    if (!tn_moving_mode.threads) {
        __atomic_store_n(&tn_checked_polling, 1, __ATOMIC_RELAXED);
        return;
    }
    bool runs = false;
    if (__atomic_compare_exchange_n(&thread_runs, &runs, true, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
        tn_thread_start(run, NULL) != 0)
        __atomic_store_n(&thread_runs, false, __ATOMIC_SEQ_CST);
    tn_event_set(&wanted);
}

/* Of the processor, not of the clock: what other programs take is none of ours. */
static uint64_t nanoseconds(void) { return (uint64_t)clock() * (UINT64_C(1000000000) / CLOCKS_PER_SEC); }

/* A step in the only thread, when it is due. */
static void step_if_due(struct tn_moving_heap *heap) {
    if (heap->debt < TN_BLOCK_SIZE) return;
    heap->debt = heap->debt < 8 * TN_BLOCK_SIZE ? heap->debt - TN_BLOCK_SIZE : 7 * TN_BLOCK_SIZE;
    uint64_t before = nanoseconds();
    if (!tn_mover_step()) __atomic_store_n(&tn_checked_polling, 0, __ATOMIC_RELAXED);
    uint64_t took = nanoseconds() - before;
    if (took > tn_moving_counts.longest_step_ns) tn_moving_counts.longest_step_ns = took;
}

/* A round of everything, in a trapping heap. A large one would take too long each time. */
static void move_all(struct tn_moving_heap *heap) {
    static unsigned polls;
    if (tn_active_blocks(NULL, 0, 0) > 64 && ++polls % 64 != 0) return;
    tn_block_fill_up(heap);
    tn_block_fill_up(&single);
    __atomic_store_n(&is_wanted, true, __ATOMIC_RELAXED);
    while (tn_mover_step()) {
    }
    tn_blocks_settle(heap);
    tn_blocks_settle(&single);
}

void tn_moving_poll(void) {
    struct tn_moving_heap *heap = tn_moving_self;
    if (heap == NULL) return;
    if (tn_moving_mode.trapping && !tn_moving_mode.threads) {
        move_all(heap);
        tn_budget_poll();
        return;
    }
    if (heap->limbo.open.count + heap->limbo.waiting.count != 0) tn_blocks_settle(heap);
    if (tn_moving_mode.threads)
        tn_member_poll(&heap->member);
    else if (tn_mover_busy())
        step_if_due(heap);
    else
        __atomic_store_n(&tn_checked_polling, 0, __ATOMIC_RELAXED);
    tn_budget_poll();
}

void tn_mover_reset(void) {
    __atomic_store_n(&thread_ends, true, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&thread_runs, __ATOMIC_ACQUIRE)) {
        tn_event_set(&wanted);
        tn_thread_pause();
    }
    __atomic_store_n(&thread_ends, false, __ATOMIC_SEQ_CST);
    drop_snapshot();
    tn_limbo_clear(&single.limbo);
    single = (struct tn_moving_heap){0};
    phase = IDLE;
    left_garbage = 0;
    is_wanted = false;
}

/* The child has no mover's thread; a round that was under way ends where it was, which is at no block's middle. */
void tn_mover_renew(void) {
    tn_lock_renew(&lock);
    if (!tn_moving_mode.threads) return;
    tn_event_renew(&wanted);
    drop_snapshot();
    tn_scan_reset();
    phase = IDLE;
    is_wanted = thread_runs = false;
}
