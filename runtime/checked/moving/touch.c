/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Touches that are more than a look at a state, pins, equality.
 */
#include "checked/moving/moving.h"

#include "checked/error.h"
#include "prim/thread.h"

/* How many bits are set, without a call (Warren, Hacker's Delight, §5-1). */
static unsigned ones(uint64_t word) {
    word -= word >> 1 & UINT64_C(0x5555555555555555);
    word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(word * UINT64_C(0x0101010101010101) >> 56);
}

/* The address in the copy, of a reference into a promoted block; 0 if its object was gone when the others were
 * moved. */
static uint64_t remapped(const struct tn_remap *map, uint64_t word) {
    uint64_t cell = tn_cell_of(word), bits = map->bits[cell / 64], bit = UINT64_C(1) << cell % 64;
    if ((bits & bit) == 0) return 0;
    uint32_t rank = map->before[cell / 64] + ones(bits & (bit - 1));
    uint64_t to = rank < map->split ? map->to[0] + rank * TN_CELL : map->to[1] + (rank - map->split) * TN_CELL;
    return to + ((word - 8) & (TN_CELL - 1));
}

uint64_t tn_moving_newer(uint64_t word) {
    uint64_t found = 0;
    for (;;) {
        uint64_t index = tn_block_index(word);
        if (tn_state_of(index) != TN_BLOCK_PROMOTED) return found;
        word = found = remapped(tn_blocks[index].remap, word);
        if (found == 0) return 0;
    }
}

uint64_t tn_moving_base(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    if (!tn_reserve_has(word)) return 0;
    for (;;) {
        uint64_t index = tn_block_index(word), head = tn_blocks[index].head;
        unsigned state = tn_state_of(index);
        if (head != 0) return tn_block_address(head);
        if (state == TN_BLOCK_NORMAL) return tn_header_before(word) + TN_MOVING_HEADER;
        uint64_t next = state == TN_BLOCK_PROMOTED ? remapped(tn_blocks[index].remap, word) : 0;
        if (next == 0) return word;
        word = next;
    }
}

uint64_t tn_moving_find(uint64_t word) {
    if (word == 0) return 0;
    for (;;) {
        uint64_t index = tn_block_index(word);
        switch (tn_state_of(index)) {
        case TN_BLOCK_NORMAL:
        case TN_BLOCK_LARGE_STRICT: return word;
        case TN_BLOCK_MOVING: /* in use: it stays. Looks again, as it may have become anything. */
            if (tn_state_change(index, TN_BLOCK_MOVING, TN_BLOCK_NORMAL)) tn_count(&tn_moving_counts.cancelled_blocks, 1);
            break;
        case TN_BLOCK_COPYING: tn_thread_yield(); break;
        case TN_BLOCK_PROMOTED:
            word = remapped(tn_blocks[index].remap, word);
            if (word == 0) return 0;
            break;
        default: return 0;
        }
    }
}

/* In a strict heap, whether the object at an address is gone. */
static bool is_gone(uint64_t word) {
    uint64_t index = tn_block_index(word), cell = tn_cell_of(word);
    if (!tn_moving_mode.strict) return false;
    if (tn_blocks[index].head != 0) {
        uint64_t large = __atomic_load_n(&tn_blocks[tn_blocks[index].head].large, __ATOMIC_RELAXED);
        return (large & TN_LARGE_GONE) != 0;
    }
    return (__atomic_load_n(tn_block_byte(word, TN_BLOCK_GONE + cell / 8), __ATOMIC_RELAXED) >> cell % 8 & 1) != 0;
}

static bool is_foreign(uint64_t word) { return !tn_reserve_has(word); }

static _Noreturn void raise_touch(uint64_t word, const struct tn_site *site) {
    enum tn_checked_kind kind = word == 0 ? TN_CHECKED_NULL : is_foreign(word) ? TN_CHECKED_FOREIGN : TN_CHECKED_DANGLING;
    tn_checked_raise(kind, (void *)(uintptr_t)word, 0, site, NULL);
}

void *tn_moving_touch(uint64_t word, const struct tn_site *site) {
    if (is_foreign(word)) raise_touch(word, site);
    uint64_t found = tn_moving_find(word);
    if (found == 0 || is_gone(found)) raise_touch(word, site);
    if (tn_moving_self != NULL) tn_moving_self->slow_touches++;
    return (void *)(uintptr_t)found;
}

bool tn_moving_equal(uint64_t a, uint64_t b) {
    uint64_t first = tn_moving_find(a), second = tn_moving_find(b);
    return first != 0 && first == second;
}

/* The block that counts the pins of an address's object. */
static uint64_t pin_index(uint64_t word) {
    uint64_t index = tn_block_index(word), head = tn_blocks[index].head;
    return head != 0 ? head : index;
}

static void unpin(uint64_t index) {
    struct tn_block *block = &tn_blocks[index];
    if (__atomic_sub_fetch(&block->pins, 1, __ATOMIC_SEQ_CST) != 0) return;
    struct tn_moving_heap *heap = tn_moving_self;
    if (heap == NULL) return; /* the frames stay, which is safe */
    if (block->head != 0)
        tn_large_try_bury(heap, index);
    else if (tn_block_die(index))
        tn_block_bury(heap, index);
}

/* Pins, then looks: a block that is found NORMAL after its pins were counted is not copied, because the mover counts
 * them when it has made it COPYING. */
void *tn_moving_pin(const void *ref, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    if (is_foreign(word)) raise_touch(word, site);
    for (;;) {
        uint64_t found = tn_moving_find(word);
        if (found == 0 || is_gone(found)) raise_touch(word, site);
        uint64_t index = pin_index(found);
        (void)__atomic_add_fetch(&tn_blocks[index].pins, 1, __ATOMIC_SEQ_CST);
        if (tn_moving_find(found) == found) return (void *)(uintptr_t)found;
        unpin(index);
    }
}

void tn_moving_unpin(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    /* What is pinned stays, so that the references lead there; but one that is strictly gone has its place still. */
    uint64_t found = is_foreign(word) ? 0 : tn_moving_find(word);
    if (found == 0 || __atomic_load_n(&tn_blocks[pin_index(found)].pins, __ATOMIC_RELAXED) == 0)
        tn_checked_raise(TN_CHECKED_FOREIGN, ref, 0, NULL, NULL); /* was not pinned */
    unpin(pin_index(found));
}

void *tn_moving_pin_forever(const void *ref, const struct tn_site *site) { return tn_moving_pin(ref, site); }

bool tn_moving_alive(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    if (is_foreign(word)) return false;
    uint64_t found = tn_moving_find(word);
    if (found == 0 || is_gone(found)) return false;
    if (tn_blocks[tn_block_index(found)].head != 0)
        return (__atomic_load_n(&tn_blocks[pin_index(found)].large, __ATOMIC_RELAXED) & TN_LARGE_GONE) == 0;
    /* By the headers from the block's start on: a strict heap has answered by the bit. */
    return tn_moving_mode.strict || (*tn_moving_word(tn_header_before(found)) & TN_MOVING_GONE) == 0;
}

/* The header of the object around an address, by the bits of beginnings. */
uint64_t tn_header_before(uint64_t address) {
    uint64_t cell = tn_cell_of(address);
    while (cell > 0 && (__atomic_load_n(tn_block_byte(address, cell / 8), __ATOMIC_RELAXED) >> cell % 8 & 1) == 0) cell--;
    return tn_block_base(address) + 8 + (cell << TN_CELL_SHIFT);
}

const struct tn_layout *tn_moving_layout(const void *ref) {
    uint64_t found = tn_moving_find((uint64_t)(uintptr_t)ref);
    if (found == 0) return NULL;
    if (tn_blocks[tn_block_index(found)].head != 0)
        return (const struct tn_layout *)(uintptr_t)(tn_blocks[pin_index(found)].large & ~(TN_LARGE_IS | TN_LARGE_GONE));
    return (const struct tn_layout *)(uintptr_t)(*tn_moving_word(tn_header_before(found)) & TN_MOVING_LAYOUT);
}

size_t tn_moving_size(const void *ref, const struct tn_site *site) {
    uint64_t at = (uint64_t)(uintptr_t)tn_moving_touch((uint64_t)(uintptr_t)ref, site);
    if (tn_blocks[tn_block_index(at)].head != 0) return tn_blocks[pin_index(at)].size;
    size_t total = (size_t)(*tn_moving_word(tn_header_before(at)) >> TN_MOVING_CELLS_SHIFT << TN_CELL_SHIFT);
    return total - TN_MOVING_HEADER - (tn_checked_remembers ? sizeof(uint64_t) : 0);
}
