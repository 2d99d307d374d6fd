/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Eager de-dangling (papers/002…, §2.7): after a promotion all references in living objects, and in registered ranges,
 * that lead to moved objects are brought up to date. Mutators go on: each slot is changed by a compare-and-swap, so
 * what they store meanwhile stays. Where the references in an object are its layout says; without a layout they stay
 * old, which a touch finds out.
 */
#include "checked/moving/moving.h"

#include <errno.h>

#include "prim/lock.h"
#include "prim/memory.h"

/* Bytes looked at in a step. */
#define STEP_BYTES (UINT64_C(256) << 10)

static uint64_t large_at; /* how far into a large object the scan came */

static void bring_up_to_date(tn_checked_word *slot) {
    uint64_t word = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (word - tn_reserve.start >= tn_reserve.end - tn_reserve.start) return;
    if (tn_state_of(tn_block_index(word)) != TN_BLOCK_PROMOTED) return;
    uint64_t newer = tn_moving_newer(word);
    if (newer != 0 && __atomic_compare_exchange_n(slot, &word, newer, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        tn_count(&tn_moving_counts.patched, 1);
}

static void scan_elements(uint64_t start, uint64_t size, const struct tn_layout *layout) {
    for (uint64_t at = 0; at + layout->size <= size; at += layout->size)
        for (uint32_t i = 0; i < layout->count; i++) bring_up_to_date(tn_moving_word(start + at + layout->offsets[i]));
}

static uint64_t scan_block(uint64_t index) {
    uint64_t base = tn_block_address(index), at = base + TN_BLOCK_FIRST, header;
    while (at < base + TN_BLOCK_SIZE && (header = __atomic_load_n(tn_moving_word(at), __ATOMIC_ACQUIRE)) != 0) {
        uint64_t size = header >> TN_MOVING_CELLS_SHIFT << TN_CELL_SHIFT;
        const struct tn_layout *layout = (const struct tn_layout *)(uintptr_t)(header & TN_MOVING_LAYOUT);
        if ((header & TN_MOVING_GONE) == 0 && layout != NULL && layout->count != 0)
            scan_elements(at + TN_MOVING_HEADER, size - TN_MOVING_HEADER, layout);
        at += size;
    }
    return at - base;
}

/* A part of a large object; large_at is 0 at its end. */
static uint64_t scan_large(uint64_t index) {
    const struct tn_block *block = &tn_blocks[index];
    uint64_t large = __atomic_load_n(&block->large, __ATOMIC_ACQUIRE);
    const struct tn_layout *layout = (const struct tn_layout *)(uintptr_t)(large & ~(TN_LARGE_IS | TN_LARGE_GONE));
    uint64_t from = large_at;
    large_at = 0;
    if ((large & TN_LARGE_GONE) != 0 || layout == NULL || layout->count == 0) return 0;
    uint64_t many = STEP_BYTES / layout->size * layout->size, left = block->size - from;
    if (many == 0) many = layout->size;
    if (left > many) {
        large_at = from + many;
        left = many;
    }
    scan_elements(tn_block_address(index) + from, left, layout);
    return left;
}

bool tn_scan_some(const uint32_t *indexes, size_t count, size_t *at) {
    uint64_t done = 0;
    tn_mover_hold();
    while (*at < count && done < STEP_BYTES) {
        uint64_t index = indexes[*at];
        unsigned state = tn_state_of(index);
        if (state == TN_BLOCK_NORMAL || state == TN_BLOCK_LARGE_STRICT)
            done += 256 + (tn_blocks[index].head != 0 ? scan_large(index) : scan_block(index));
        else
            large_at = 0;
        if (large_at == 0) ++*at;
    }
    tn_mover_release();
    tn_count(&tn_moving_counts.scanned_bytes, done);
    if (tn_moving_mode.threads) tn_member_poll(&tn_moving_self->member); /* no address is kept from block to block */
    return *at < count;
}

void tn_scan_reset(void) { large_at = 0; }

/* Registered ranges, in a list. */
struct range {
    struct range *next;
    uint64_t start, count;
};
static tn_lock roots_lock = TN_LOCK_INITIALIZER;
static struct range *ranges, *free_ranges;
#define RANGES 512

int tn_moving_register(void *start, size_t count) {
    tn_lock_acquire(&roots_lock);
    if (free_ranges == NULL) {
        struct range *more = tn_os_map(RANGES * sizeof *more);
        for (int i = 0; more != NULL && i < RANGES; i++) {
            more[i].next = free_ranges;
            free_ranges = &more[i];
        }
    }
    struct range *range = free_ranges;
    if (range != NULL) {
        free_ranges = range->next;
        *range = (struct range){ranges, (uint64_t)(uintptr_t)start, count};
        ranges = range;
    }
    tn_lock_release(&roots_lock);
    return range != NULL ? 0 : ENOMEM;
}

void tn_moving_unregister(void *start) {
    tn_lock_acquire(&roots_lock);
    for (struct range **link = &ranges; *link != NULL; link = &(*link)->next) {
        struct range *range = *link;
        if (range->start != (uint64_t)(uintptr_t)start) continue;
        *link = range->next;
        range->next = free_ranges;
        free_ranges = range;
        break;
    }
    tn_lock_release(&roots_lock);
}

void tn_roots_scan(void) {
    tn_lock_acquire(&roots_lock);
    for (const struct range *range = ranges; range != NULL; range = range->next)
        for (uint64_t i = 0; i < range->count; i++) bring_up_to_date(tn_moving_word(range->start + i * sizeof(uint64_t)));
    tn_lock_release(&roots_lock);
}

void tn_roots_clear(void) {
    while (ranges != NULL) {
        struct range *range = ranges;
        ranges = range->next;
        range->next = free_ranges;
        free_ranges = range;
    }
}

void tn_roots_hold(void) { tn_lock_acquire(&roots_lock); }
void tn_roots_release(void) { tn_lock_release(&roots_lock); }
void tn_roots_renew(void) { tn_lock_renew(&roots_lock); }
