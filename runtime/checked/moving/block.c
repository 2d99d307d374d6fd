/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/moving/block.h"

#include "prim/lock.h"
#include "prim/memory.h"
#include "prim/space.h"

static unsigned char no_states[1] = {TN_BLOCK_NONE};
unsigned char *tn_moving_states = no_states;
struct tn_block *tn_blocks;
struct tn_moving_mode tn_moving_mode;
struct tn_moving_counts tn_moving_counts;
TN_THREAD_LOCAL struct tn_moving_heap *tn_moving_self;

/* Blocks that a thread takes at a time, once it has filled some. */
#define CHUNK_BLOCKS 16
/* Frames are given back for at most so many bytes at once. */
#define COLD_MOST (UINT64_C(1) << 20)

static tn_lock active_lock = TN_LOCK_INITIALIZER;
static uint32_t *active;
static size_t active_count;

/* Tables are for all blocks from the multiple of the space on. */
static size_t table_blocks(void) { return tn_block_index(tn_reserve.end - 1) + 1; }

bool tn_blocks_open(void) {
    unsigned char *states = tn_os_map_sparse(table_blocks());
    tn_blocks = tn_os_map_sparse(table_blocks() * sizeof *tn_blocks);
    active = tn_os_map_sparse(table_blocks() * sizeof *active);
    active_count = 0;
    tn_moving_counts = (struct tn_moving_counts){0};
    if (states == NULL || tn_blocks == NULL || active == NULL) {
        if (states != NULL) tn_os_unmap(states, table_blocks());
        if (tn_blocks != NULL) tn_os_unmap(tn_blocks, table_blocks() * sizeof *tn_blocks);
        if (active != NULL) tn_os_unmap(active, table_blocks() * sizeof *active);
        return false;
    }
    states[0] = TN_BLOCK_NONE;
    tn_moving_states = states;
    return true;
}

void tn_blocks_close(void) {
    tn_os_unmap(tn_moving_states, table_blocks());
    tn_os_unmap(tn_blocks, table_blocks() * sizeof *tn_blocks);
    tn_os_unmap(active, table_blocks() * sizeof *active);
    tn_moving_states = no_states;
}

void tn_active_add(uint64_t index) {
    tn_lock_acquire(&active_lock);
    tn_blocks[index].position = (uint32_t)active_count;
    active[active_count++] = (uint32_t)index;
    tn_lock_release(&active_lock);
}

void tn_active_remove(uint64_t index) {
    tn_lock_acquire(&active_lock);
    uint32_t position = tn_blocks[index].position, last = active[--active_count];
    active[position] = last;
    tn_blocks[last].position = position;
    tn_lock_release(&active_lock);
}

size_t tn_active_blocks(uint32_t *indexes, size_t from, size_t count) {
    tn_lock_acquire(&active_lock);
    size_t all = active_count;
    for (size_t i = 0; i < count && from + i < all; i++) indexes[i] = active[from + i];
    tn_lock_release(&active_lock);
    return all;
}

void tn_active_hold(void) { tn_lock_acquire(&active_lock); }
void tn_active_release(void) { tn_lock_release(&active_lock); }
void tn_active_renew(void) { tn_lock_renew(&active_lock); }

/* The first chunk is small; a heap that has grown gets frames for a whole chunk in one call. */
static bool take_chunk(struct tn_moving_heap *heap) {
    bool grown = __atomic_load_n(&tn_moving_counts.block_bytes, __ATOMIC_RELAXED) >= CHUNK_BLOCKS * TN_BLOCK_SIZE * 4;
    size_t units = (grown ? CHUNK_BLOCKS : 4) * TN_BLOCK_SIZE / TN_UNIT;
    uint64_t start = tn_reserve_take(units);
    if (start == 0) return false;
    heap->chunk = start;
    heap->chunk_end = start + units * TN_UNIT;
    if (grown) tn_space_populate((void *)(uintptr_t)start, units * TN_UNIT);
    return true;
}

bool tn_block_next(struct tn_moving_heap *heap) {
    tn_block_fill_up(heap);
    if (!tn_budget_take(TN_BLOCK_SIZE)) return false;
    if (heap->chunk == heap->chunk_end && !take_chunk(heap)) {
        tn_budget_give(TN_BLOCK_SIZE);
        return false;
    }
    uint64_t base = heap->chunk;
    heap->chunk += TN_BLOCK_SIZE;
    heap->cursor = base + TN_BLOCK_FIRST;
    heap->limit = base + TN_BLOCK_SIZE;
    tn_count(&tn_moving_counts.block_bytes, TN_BLOCK_SIZE);
    tn_active_add(tn_block_index(base));
    return true;
}

void tn_block_fill_up(struct tn_moving_heap *heap) {
    if (heap->limit == 0) return;
    uint64_t base = heap->limit - TN_BLOCK_SIZE, index = tn_block_index(base);
    if (heap->cursor == base + TN_BLOCK_FIRST) return;
    uint32_t used = (uint32_t)((heap->cursor - base - TN_BLOCK_FIRST) >> TN_CELL_SHIFT);
    heap->cursor = heap->limit = 0;
    __atomic_store_n(&tn_blocks[index].used, used, __ATOMIC_SEQ_CST);
    if (tn_block_die(index)) tn_block_bury(heap, index);
}

bool tn_block_die(uint64_t index) {
    struct tn_block *block = &tn_blocks[index];
    uint32_t used = __atomic_load_n(&block->used, __ATOMIC_SEQ_CST);
    if (used == 0 || __atomic_load_n(&block->gone, __ATOMIC_SEQ_CST) != used) return false;
    if (__atomic_load_n(&block->pins, __ATOMIC_SEQ_CST) != 0) return false;
    return tn_state_change(index, TN_BLOCK_NORMAL, TN_BLOCK_DEAD) || tn_state_change(index, TN_BLOCK_MOVING, TN_BLOCK_DEAD);
}

static void cool(struct tn_moving_heap *heap) {
    if (heap->cold != heap->cold_end) (void)tn_space_discard((void *)(uintptr_t)heap->cold, heap->cold_end - heap->cold);
    heap->cold = heap->cold_end = 0;
}

static void give_frames(uint64_t start, size_t size) {
    /* Beyond the limit of mappings the pages are not closed, but empty. */
    if (tn_moving_mode.trapping && tn_os_close((void *)(uintptr_t)start, size)) return;
    (void)tn_space_discard((void *)(uintptr_t)start, size);
}

void tn_block_discard(struct tn_moving_heap *heap, uint64_t index) {
    const struct tn_block *block = &tn_blocks[index];
    uint64_t base = tn_block_address(index);
    tn_active_remove(index);
    if (block->count != 0) {
        size_t size = (size_t)(block->size + 4095) & ~(size_t)4095;
        give_frames(base, size);
        tn_budget_give(size);
        return;
    }
    tn_budget_give(TN_BLOCK_SIZE);
    (void)__atomic_sub_fetch(&tn_moving_counts.block_bytes, TN_BLOCK_SIZE, __ATOMIC_RELAXED);
    if (tn_moving_mode.threads || tn_moving_mode.trapping) {
        give_frames(base, TN_BLOCK_SIZE);
        return;
    }
    /* Neighbours in one call. */
    if (base == heap->cold_end) {
        heap->cold_end += TN_BLOCK_SIZE;
    } else {
        cool(heap);
        heap->cold = base;
        heap->cold_end = base + TN_BLOCK_SIZE;
    }
    if (heap->cold_end - heap->cold >= COLD_MOST) cool(heap);
}

static void release(uint64_t index, void *heap) { tn_block_discard(heap, index); }

void tn_block_bury(struct tn_moving_heap *heap, uint64_t index) {
    tn_count(&tn_moving_counts.dead_blocks, 1);
    /* Where there is no memory to remember it, the frames stay, which is safe. */
    (void)tn_limbo_add(&heap->limbo, index);
}

void tn_blocks_settle(struct tn_moving_heap *heap) {
    if (tn_moving_mode.threads) {
        tn_limbo_settle(&heap->limbo, &heap->member, release, heap);
        return;
    }
    struct tn_limbo_list *list = &heap->limbo.open;
    for (size_t i = 0; i < list->count; i++) tn_block_discard(heap, list->words[i]);
    list->count = 0;
}

uint64_t tn_large_blocks(size_t size, size_t align) {
    size_t frames = (size + 4095) & ~(size_t)4095;
    if (size > tn_reserve.end - tn_reserve.start || !tn_budget_take(frames)) return 0;
    size_t extra = align > TN_BLOCK_SIZE ? align - TN_BLOCK_SIZE : 0;
    uint64_t start = tn_reserve_take((frames + extra + TN_UNIT - 1) >> TN_UNIT_SHIFT);
    if (start == 0) {
        tn_budget_give(frames);
        return 0;
    }
    if (align > TN_BLOCK_SIZE) start = (start + align - 1) & ~(uint64_t)(align - 1);
    uint64_t index = tn_block_index(start);
    uint32_t count = (uint32_t)((frames + TN_BLOCK_SIZE - 1) >> TN_BLOCK_SHIFT);
    for (uint32_t i = 0; i < count; i++) {
        tn_blocks[index + i].head = (uint32_t)index;
        if (tn_moving_mode.strict) tn_state_set(index + i, TN_BLOCK_LARGE_STRICT);
    }
    tn_blocks[index].count = count;
    tn_blocks[index].size = size;
    return index;
}
