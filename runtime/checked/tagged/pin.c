/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Pins of the tagged form. The header counts up to 6; 7 says that there are more, counted in a table by the header's
 * address. An entry exists while there are 7 or more; whoever changes a header from or to 7 holds the table's lock.
 */
#include "checked/error.h"
#include "checked/tagged/tagged.h"
#include "prim/lock.h"
#include "prim/memory.h"
#include "tenure/checked.h"

struct entry {
    uint64_t header_at; /* 0: empty */
    uint64_t count;     /* pins beyond 7 */
};
static tn_lock lock = TN_LOCK_INITIALIZER;
static struct entry *entries; /* open addressing */
static size_t capacity, used;

#define FIRST_CAPACITY 256
#define FOR_GOOD (UINT64_C(1) << 62)

static size_t place_of(uint64_t header_at) {
    size_t place = (size_t)(header_at * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (capacity - 1);
    while (entries[place].header_at != 0 && entries[place].header_at != header_at) place = (place + 1) & (capacity - 1);
    return place;
}

/* Room for one more entry; false if there is no memory. */
static bool make_room(void) {
    if (used * 2 < capacity) return true;
    size_t old_capacity = capacity;
    struct entry *old = entries, *more = tn_os_map((old_capacity != 0 ? 2 * old_capacity : FIRST_CAPACITY) * sizeof *more);
    if (more == NULL) return false;
    capacity = old_capacity != 0 ? 2 * old_capacity : FIRST_CAPACITY;
    entries = more;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].header_at != 0) entries[place_of(old[i].header_at)] = old[i];
    if (old != NULL) tn_os_unmap(old, old_capacity * sizeof *old);
    return true;
}

/* Takes the entry out, and puts those behind it where they are found without it (Knuth, vol. 3, 6.4, algorithm R). */
static void remove_entry(size_t place) {
    entries[place].header_at = 0;
    used--;
    for (size_t i = (place + 1) & (capacity - 1); entries[i].header_at != 0; i = (i + 1) & (capacity - 1)) {
        struct entry moved = entries[i];
        entries[i].header_at = 0;
        entries[place_of(moved.header_at)] = moved;
    }
}

void tn_pins_clear(void) {
    if (entries != NULL) tn_os_unmap(entries, capacity * sizeof *entries);
    entries = NULL;
    capacity = used = 0;
}
void tn_pins_hold(void) { tn_lock_acquire(&lock); }
void tn_pins_release(void) { tn_lock_release(&lock); }
void tn_pins_renew(void) { tn_lock_renew(&lock); }

static uint64_t pins_of(uint64_t header) { return header & TN_HEADER_PINS; }

/* Counts a pin of a living object; false if the object is gone, or, with *memory set, if there is none for the
 * table. */
static bool count_pin(uint64_t header_at, uint64_t word, uint64_t many, bool *no_memory) {
    tn_checked_word *header = tn_word_at(header_at);
    uint64_t now = __atomic_load_n(header, __ATOMIC_RELAXED);
    for (;;) {
        if (!tn_header_fits(now, word)) return false;
        bool table = many > 1 || pins_of(now) >= TN_HEADER_PINS - 1;
        if (table) tn_lock_acquire(&lock);
        if (table && !make_room()) {
            tn_lock_release(&lock);
            *no_memory = true;
            return false;
        }
        uint64_t then = table ? now | TN_HEADER_PINS : now + 1;
        bool done = __atomic_compare_exchange_n(header, &now, then, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
        if (done && table) {
            struct entry *entry = &entries[place_of(header_at)];
            if (entry->header_at == 0) {
                *entry = (struct entry){header_at, 0};
                used++;
            }
            entry->count += pins_of(now) == TN_HEADER_PINS ? many : pins_of(now) + many - TN_HEADER_PINS;
        }
        if (table) tn_lock_release(&lock);
        if (done) return true;
    }
}

static uint64_t header_of(uint64_t word, const struct tn_site *site) {
    uint64_t address = tn_address_of(word);
    if (word == 0) tn_checked_raise(TN_CHECKED_NULL, NULL, 0, site, NULL);
    if (!tn_reserve_has(address)) tn_checked_raise(TN_CHECKED_FOREIGN, (void *)(uintptr_t)word, 0, site, NULL);
    if ((word & TN_REF_INDIRECT) == 0) return address - TN_HEADER_SIZE;
    return tn_header_around(tn_span_of(address), address);
}

static void *pin(const void *ref, uint64_t many, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    bool no_memory = false;
    if (!count_pin(header_of(word, site), word, many, &no_memory)) {
        if (no_memory) tn_checked_raise(TN_CHECKED_NO_MEMORY, ref, 2 * capacity * sizeof *entries, site, NULL);
        tn_checked_raise(TN_CHECKED_DANGLING, ref, 0, site, NULL);
    }
    return tn_address(ref);
}

void *tn_tagged_pin(const void *ref, const struct tn_site *site) { return pin(ref, 1, site); }
void *tn_tagged_pin_forever(const void *ref, const struct tn_site *site) { return pin(ref, FOR_GOOD, site); }

/* Takes a pin back where the header says 7: the table has the rest. */
static bool uncount_in_table(tn_checked_word *header, uint64_t header_at) {
    tn_lock_acquire(&lock);
    bool seven = pins_of(__atomic_load_n(header, __ATOMIC_RELAXED)) == TN_HEADER_PINS;
    if (seven) {
        size_t place = place_of(header_at);
        if (entries[place].count != 0) {
            entries[place].count--;
        } else {
            remove_entry(place);
            (void)__atomic_sub_fetch(header, 1, __ATOMIC_SEQ_CST);
        }
    }
    tn_lock_release(&lock);
    return seven;
}

void tn_tagged_unpin(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref, header_at = header_of(word, NULL);
    tn_checked_word *header = tn_word_at(header_at);
    uint64_t now = __atomic_load_n(header, __ATOMIC_RELAXED);
    do {
        if (pins_of(now) == 0 || (now & TN_GENERATION_MASK) != (word & TN_GENERATION_MASK))
            tn_checked_raise(TN_CHECKED_FOREIGN, ref, 0, NULL, NULL); /* was not pinned */
        if (pins_of(now) == TN_HEADER_PINS) {
            if (uncount_in_table(header, header_at)) return;
            now = __atomic_load_n(header, __ATOMIC_RELAXED);
        }
    } while (!__atomic_compare_exchange_n(header, &now, now - 1, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    if (((now - 1) & (TN_HEADER_PINS | TN_HEADER_FREE)) != TN_HEADER_FREE) return;
    bool refused;
    struct tn_heap *heap = tn_heap_mine(&refused);
    if (heap == NULL) return; /* the slot is lost, which is safe */
    heap->pinned_deleted--;
    tn_heap_bury(heap, header_at);
}
