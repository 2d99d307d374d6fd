/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/finalizer.h"

#include "shortterm/error.h"
#include "shortterm/mode.h"
#include "shortterm/region.h"
#include "shortterm/root.h"

struct entry {
    stm_finalizer function;
    void *argument;
    _Atomic uint32_t next_free;
};

/* Chunk k holds FIRST_CHUNK << k entries; together they hold every number of 32 bits. */
#define FIRST_CHUNK UINT32_C(64)
#define CHUNKS 26

static _Atomic(struct entry *) chunks[CHUNKS];
static _Atomic uint32_t used = 1; /* numbers below were handed out at some time; 0 is none */

/* A stack of free numbers. The high half changes with each operation, so that a number that was taken and given back
 * meanwhile is noticed. */
static _Atomic uint64_t free_numbers;

static struct entry *entry_at(uint32_t number, bool make) {
    uint32_t chunk = 0;
    uint64_t first = 0, size = FIRST_CHUNK;
    while (number >= first + size) {
        first += size;
        size *= 2;
        chunk++;
    }
    struct entry *entries = atomic_load_explicit(&chunks[chunk], memory_order_acquire);
    if (entries == NULL) {
        if (!make) return NULL;
        struct entry *fresh = stm_below.allocate_zero(size, sizeof *fresh);
        if (fresh == NULL) return NULL;
        if (atomic_compare_exchange_strong_explicit(&chunks[chunk], &entries, fresh, memory_order_acq_rel,
                                                    memory_order_acquire))
            entries = fresh;
        else
            stm_below.release(fresh);
    }
    return entries + (number - first);
}

static uint32_t take_number(void) {
    uint64_t head = atomic_load_explicit(&free_numbers, memory_order_acquire);
    while ((uint32_t)head != 0) {
        uint32_t next = atomic_load_explicit(&entry_at((uint32_t)head, false)->next_free, memory_order_relaxed);
        uint64_t rest = ((head >> 32) + 1) << 32 | next;
        if (atomic_compare_exchange_weak_explicit(&free_numbers, &head, rest, memory_order_acq_rel, memory_order_acquire))
            return (uint32_t)head;
    }
    uint32_t number = atomic_load_explicit(&used, memory_order_relaxed);
    do {
        if (number == UINT32_MAX || entry_at(number, true) == NULL) return 0;
    } while (!atomic_compare_exchange_weak_explicit(&used, &number, number + 1, memory_order_relaxed, memory_order_relaxed));
    return number;
}

static void give_number(uint32_t number) {
    struct entry *entry = entry_at(number, false);
    uint64_t head = atomic_load_explicit(&free_numbers, memory_order_relaxed);
    uint64_t with;
    do {
        atomic_store_explicit(&entry->next_free, (uint32_t)head, memory_order_relaxed);
        with = ((head >> 32) + 1) << 32 | number;
    } while (!atomic_compare_exchange_weak_explicit(&free_numbers, &head, with, memory_order_release, memory_order_relaxed));
}

bool stm_finalizer_run(struct header *header, uint32_t number) {
    struct entry entry = *entry_at(number, false);
    stm_finalizer_drop(header);
    return entry.function(object_of(header), entry.argument) != 0;
}

void stm_finalizer_drop(struct header *header) {
    uint32_t number = atomic_exchange_explicit(&header->finalizer, 0, memory_order_acq_rel);
    if (number != 0) give_number(number);
}

/* Finalizers of a region's objects hang from the region, as its objects have no dates of their own. */
static int set_in_region(struct header *header, stm_finalizer finalizer, void *argument) {
    struct stm_region *region = region_of(header);
    return stm_region_set_finalizer(region, header, finalizer, argument) ? STM_OK : STM_NO_MEMORY;
}

int stm_set_finalizer(void *object, stm_finalizer finalizer, void *argument) {
    if (object == NULL) return stm_error_pointer("stm_set_finalizer", object, 0);
    if (mode() != 0 && !stm_mode_is_live("stm_set_finalizer", object)) return STM_EXPIRED;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    if (!is_tagged(shared)) return stm_error_pointer("stm_set_finalizer", object, shared);
    if ((shared & SHARED_REGION) != 0) return set_in_region(header, finalizer, argument);
    uint32_t number = 0;
    if (finalizer != NULL) {
        number = take_number();
        if (number == 0) return STM_NO_MEMORY;
        struct entry *entry = entry_at(number, false);
        entry->function = finalizer;
        entry->argument = argument;
    }
    if (number != 0) atomic_fetch_or_explicit(&header->shared, SHARED_FINALIZER, memory_order_relaxed);
    uint32_t before = atomic_exchange_explicit(&header->finalizer, number, memory_order_acq_rel);
    if (before != 0) give_number(before);
    return STM_OK;
}
