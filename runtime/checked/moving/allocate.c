/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * New objects and deletes of the moving form.
 */
#include "checked/moving/moving.h"

#include "checked/error.h"

#define ALIGN_MOST 65536

static _Noreturn void raise_no_memory(size_t size, const struct tn_site *site) {
    tn_checked_raise(TN_CHECKED_NO_MEMORY, NULL, size, site, NULL);
}

/* With its header, and, where sites are remembered, with a last word for where it was made. */
static uint64_t total_of(size_t size) {
    return (size + TN_MOVING_HEADER + (tn_checked_remembers ? sizeof(uint64_t) : 0) + TN_CELL - 1) & ~(TN_CELL - 1);
}

static tn_checked_word *site_word(uint64_t at, uint64_t total) { return tn_moving_word(at + total - sizeof(uint64_t)); }

static void *new_large(struct tn_moving_heap *heap, size_t size, size_t align, const struct tn_layout *layout,
                       const struct tn_site *site) {
    uint64_t index = tn_large_blocks(size, align);
    if (index == 0) raise_no_memory(size, site);
    __atomic_store_n(&tn_blocks[index].large, (uint64_t)(uintptr_t)layout | TN_LARGE_IS, __ATOMIC_RELEASE);
    if (tn_checked_remembers) tn_blocks[index].site = (uint64_t)(uintptr_t)site;
    tn_active_add(index);
    tn_count(&tn_moving_counts.large_objects, 1);
    tn_count(&tn_moving_counts.large_bytes, size);
    heap->allocated++;
    heap->allocated_bytes += size;
    heap->debt += size;
    return (void *)(uintptr_t)tn_block_address(index);
}

static TN_OUTLINE void *new_slow(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,
                                 const struct tn_site *site) {
    bool refused;
    struct tn_moving_heap *heap = tn_moving_mine(flags, &refused);
    if (refused) tn_checked_raise(TN_CHECKED_FOREIGN, NULL, size, site, NULL);
    if (heap == NULL || align > ALIGN_MOST || size > SIZE_MAX / 4) raise_no_memory(size, site);
    if (size > TN_MOVING_MOST || align > TN_CELL) return new_large(heap, size, align, layout, site);
    if (heap->limit - heap->cursor < total_of(size)) {
        if (!tn_block_next(heap)) raise_no_memory(size, site);
        heap->debt += TN_BLOCK_SIZE;
        tn_moving_consider(heap);
    }
    return tn_moving_new(size, align, layout, flags, site);
}

void *tn_moving_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,
                    const struct tn_site *site) {
    struct tn_moving_heap *heap = tn_moving_self;
    if (size == 0) size = 1;
    uint64_t total = total_of(size);
    if (tn_unlikely(heap == NULL || size > TN_MOVING_MOST || align > TN_CELL || total > heap->limit - heap->cursor))
        return new_slow(size, align, layout, flags, site);
    uint64_t at = heap->cursor, cell = tn_cell_of(at);
    heap->cursor = at + total;
    heap->allocated++;
    heap->allocated_bytes += total;
    /* Read by who deletes, which knows the reference from this thread. */
    unsigned char *start = tn_block_byte(at, cell / 8);
    __atomic_store_n(start, (unsigned char)(*start | 1U << cell % 8), __ATOMIC_RELAXED);
    if (tn_unlikely(tn_checked_remembers)) *site_word(at, total) = (uint64_t)(uintptr_t)site;
    /* Read by the mover, which must not see the header before the bytes, which are zero, or the object that was
     * here. */
    __atomic_store_n(tn_moving_word(at), total >> TN_CELL_SHIFT << TN_MOVING_CELLS_SHIFT | (uint64_t)(uintptr_t)layout,
                     __ATOMIC_RELEASE);
    return (void *)(uintptr_t)(at + TN_MOVING_HEADER);
}

/* Marks the object with this header word deleted, which one caller alone can do; `bit` says so. */
static bool mark_gone(uint64_t *word, uint64_t bit, uint64_t *before) {
    if (!tn_moving_mode.threads) {
        *before = *word;
        if ((*before & bit) != 0) return false;
        __atomic_store_n(word, *before | bit, __ATOMIC_RELAXED);
        return true;
    }
    *before = __atomic_fetch_or(word, bit, __ATOMIC_SEQ_CST);
    return (*before & bit) == 0;
}

/* A delete of a reference to an object's middle. */
static _Noreturn void raise_interior(uint64_t word, bool gone, const struct tn_site *site) {
    tn_checked_raise(gone ? TN_CHECKED_SECOND_DELETE : TN_CHECKED_INTERIOR_DELETE, (void *)(uintptr_t)word, 0, site, NULL);
}

static void delete_large(struct tn_moving_heap *heap, uint64_t word, uint64_t index, const struct tn_site *site) {
    struct tn_block *block = &tn_blocks[index];
    uint64_t before;
    if (tn_block_address(index) != word)
        raise_interior(word, (__atomic_load_n(&block->large, __ATOMIC_RELAXED) & TN_LARGE_GONE) != 0, site);
    if (!mark_gone(&block->large, TN_LARGE_GONE, &before))
        tn_checked_raise(TN_CHECKED_SECOND_DELETE, (void *)(uintptr_t)word, 0, site, NULL);
    if (tn_checked_remembers) tn_deletes_add(word, (const struct tn_site *)(uintptr_t)block->site, site);
    (void)__atomic_sub_fetch(&tn_moving_counts.large_objects, 1, __ATOMIC_RELAXED);
    (void)__atomic_sub_fetch(&tn_moving_counts.large_bytes, block->size, __ATOMIC_RELAXED);
    heap->deleted++;
    heap->deleted_bytes += block->size;
    tn_large_try_bury(heap, index);
}

void tn_large_try_bury(struct tn_moving_heap *heap, uint64_t index) {
    struct tn_block *block = &tn_blocks[index];
    if ((__atomic_load_n(&block->large, __ATOMIC_SEQ_CST) & TN_LARGE_GONE) == 0) return;
    if (__atomic_load_n(&block->pins, __ATOMIC_SEQ_CST) != 0) return;
    /* One of a delete and the last unpin does it. */
    unsigned alive = tn_moving_mode.strict ? TN_BLOCK_LARGE_STRICT : TN_BLOCK_NORMAL;
    if (!tn_state_change(index, alive, TN_BLOCK_DEAD)) return;
    for (uint32_t i = 1; i < block->count; i++) tn_state_set(index + i, TN_BLOCK_DEAD);
    tn_block_bury(heap, index);
}

/* A strict heap's touches find the object gone from now on. */
static void set_gone_bits(uint64_t at, uint64_t cells) {
    uint64_t cell = tn_cell_of(at);
    for (uint64_t end = cell + cells; cell < end; cell++) {
        unsigned char *byte = tn_block_byte(at, TN_BLOCK_GONE + cell / 8);
        if (tn_moving_mode.threads)
            (void)__atomic_fetch_or(byte, (unsigned char)(1U << cell % 8), __ATOMIC_RELAXED);
        else
            *byte = (unsigned char)(*byte | 1U << cell % 8);
    }
}

static void delete_small(struct tn_moving_heap *heap, uint64_t word, uint64_t index, const struct tn_site *site) {
    struct tn_block *block = &tn_blocks[index];
    uint64_t at = word - TN_MOVING_HEADER, cell = tn_cell_of(at), before;
    const unsigned char *start = tn_block_byte(at, cell / 8);
    if (at % TN_CELL != 8 || (__atomic_load_n(start, __ATOMIC_RELAXED) >> cell % 8 & 1) == 0)
        raise_interior(word, (*tn_moving_word(tn_header_before(word)) & TN_MOVING_GONE) != 0, site);
    if (!mark_gone(tn_moving_word(at), TN_MOVING_GONE, &before))
        tn_checked_raise(TN_CHECKED_SECOND_DELETE, (void *)(uintptr_t)word, 0, site, NULL);
    uint32_t cells = (uint32_t)(before >> TN_MOVING_CELLS_SHIFT);
    if (tn_moving_mode.strict) set_gone_bits(at, cells);
    if (tn_unlikely(tn_checked_remembers)) {
        uint64_t made = *site_word(at, (uint64_t)cells << TN_CELL_SHIFT);
        tn_deletes_add(word, (const struct tn_site *)(uintptr_t)made, site);
    }
    heap->deleted++;
    heap->deleted_bytes += (uint64_t)cells << TN_CELL_SHIFT;
    heap->debt += (uint64_t)cells << TN_CELL_SHIFT;
    uint32_t gone;
    if (tn_moving_mode.threads)
        gone = __atomic_add_fetch(&block->gone, cells, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n(&block->gone, gone = block->gone + cells, __ATOMIC_RELAXED);
    if (tn_unlikely(gone == __atomic_load_n(&block->used, __ATOMIC_SEQ_CST)) && tn_block_die(index))
        tn_block_bury(heap, index);
}

void tn_moving_delete(const void *ref, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    if (word == 0) return;
    bool refused;
    struct tn_moving_heap *heap = tn_moving_self;
    if (tn_unlikely(heap == NULL)) heap = tn_moving_mine(0, &refused);
    if (heap == NULL || !tn_reserve_has(word)) tn_checked_raise(TN_CHECKED_FOREIGN, ref, 0, site, NULL);
    if (tn_unlikely(tn_state_of(tn_block_index(word)) != TN_BLOCK_NORMAL)) {
        word = tn_moving_find(word);
        if (word == 0) tn_checked_raise(TN_CHECKED_SECOND_DELETE, ref, 0, site, NULL);
    }
    uint64_t index = tn_block_index(word);
    if (tn_unlikely(tn_blocks[index].head != 0))
        delete_large(heap, word, tn_blocks[index].head, site);
    else
        delete_small(heap, word, index, site);
    /* A delete ends this thread's addresses: work that waited for that. */
    if (tn_unlikely(heap->limbo.open.count + heap->limbo.waiting.count != 0)) tn_blocks_settle(heap);
    if (tn_unlikely(__atomic_load_n(&tn_checked_polling, __ATOMIC_RELAXED) != 0)) tn_moving_poll();
}
