/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Promotion (papers/002…, §2.4): the living objects of blocks with much garbage are copied together into other blocks,
 * and a map says where each 16 bytes of a block went. The map is a bitmap of the cells that moved, with a rank for each
 * word of it, so that an old reference, also one to the middle, finds its new place in constant time without words in
 * headers.
 *
 * Called by the mover alone. Handshakes are ragged: blocks are marked MOVING, each thread polls in its own time, and
 * a touch in between takes the mark away again.
 */
#include "checked/moving/moving.h"

#include <string.h>

#include "prim/memory.h"
#include "prim/thread.h"

/* Blocks that are marked at a time, where there are several threads. */
#define BATCH 64
/* Blocks that are copied and looked at in one step, where there is one. */
#define COPIES 4
#define LOOKS 2048

#define SLAB_MAPS 256

static struct tn_remap *free_maps; /* linked through to[0] */
static uint32_t promoted;          /* the first promoted block with a map; linked through next */
static struct tn_limbo dead_maps;  /* that another thread may still be reading */

static struct tn_remap *take_map(void) {
    if (free_maps == NULL) {
        struct tn_remap *slab = tn_os_map(SLAB_MAPS * sizeof *slab);
        if (slab == NULL) return NULL;
        for (int i = 0; i < SLAB_MAPS; i++) {
            slab[i].to[0] = (uint64_t)(uintptr_t)free_maps;
            free_maps = &slab[i];
        }
    }
    struct tn_remap *map = free_maps;
    free_maps = (struct tn_remap *)(uintptr_t)map->to[0];
    memset(map, 0, sizeof *map);
    return map;
}

static void give_map(uint64_t word, void *context) {
    (void)context;
    struct tn_remap *map = (struct tn_remap *)(uintptr_t)word;
    map->to[0] = (uint64_t)(uintptr_t)free_maps;
    free_maps = map;
}

/* Full, and at least a third of it is not living objects. */
static bool pays(uint64_t index) {
    const struct tn_block *block = &tn_blocks[index];
    uint32_t used = __atomic_load_n(&block->used, __ATOMIC_ACQUIRE);
    if (block->head != 0 || used == 0 || __atomic_load_n(&block->pins, __ATOMIC_RELAXED) != 0) return false;
    if (tn_moving_mode.trapping) return tn_state_of(index) == TN_BLOCK_NORMAL;
    uint64_t live = used - __atomic_load_n(&block->gone, __ATOMIC_RELAXED);
    return tn_state_of(index) == TN_BLOCK_NORMAL && live * 3 <= TN_BLOCK_CELLS * 2;
}

/* Takes back copies whose originals stay: `cells` cells from there on. */
static void abandon(uint64_t at, uint32_t cells) {
    __atomic_store_n(&tn_blocks[tn_block_index(at)].gone, tn_blocks[tn_block_index(at)].gone + cells, __ATOMIC_SEQ_CST);
    for (uint64_t end = at + cells * TN_CELL; at < end;) {
        uint64_t header = *tn_moving_word(at);
        *tn_moving_word(at) = header | TN_MOVING_GONE;
        at += header >> TN_MOVING_CELLS_SHIFT << TN_CELL_SHIFT;
    }
}

/* Puts a copy at the mover's cursor. */
static void put_copy(struct tn_moving_heap *mover, uint64_t from, uint64_t size) {
    uint64_t at = mover->cursor, cell = tn_cell_of(at);
    /* The mover alone writes it; who deletes another object of these eight cells reads it. */
    unsigned char *start = tn_block_byte(at, cell / 8);
    __atomic_store_n(start, (unsigned char)(*start | 1U << cell % 8), __ATOMIC_RELAXED);
    memcpy((void *)(uintptr_t)(at + TN_MOVING_HEADER), (const void *)(uintptr_t)(from + TN_MOVING_HEADER),
           size - TN_MOVING_HEADER);
    __atomic_store_n(tn_moving_word(at), *tn_moving_word(from), __ATOMIC_RELEASE);
    mover->cursor = at + size;
}

static void mark_cells(struct tn_remap *map, uint64_t cell, uint64_t cells) {
    for (uint64_t end = cell + cells; cell < end;) {
        uint64_t in_word = cell % 64, many = 64 - in_word < end - cell ? 64 - in_word : end - cell;
        uint64_t mask = many == 64 ? ~UINT64_C(0) : ((UINT64_C(1) << many) - 1) << in_word;
        map->bits[cell / 64] |= mask;
        cell += many;
    }
}

/* Copies what lives in the block, and fills the map; false if there is no memory. */
static bool copy_objects(struct tn_moving_heap *mover, uint64_t index, struct tn_remap *map, uint32_t *moved) {
    uint64_t at = tn_block_address(index) + TN_BLOCK_FIRST, end = at + (uint64_t)tn_blocks[index].used * TN_CELL;
    uint32_t rank = 0;
    map->split = UINT32_MAX;
    map->to[0] = mover->cursor;
    while (at < end) {
        uint64_t header = *tn_moving_word(at), cells = header >> TN_MOVING_CELLS_SHIFT, size = cells << TN_CELL_SHIFT;
        if ((header & TN_MOVING_GONE) == 0) {
            if (mover->limit - mover->cursor < size) {
                if (!tn_block_next(mover)) {
                    if (rank != 0) abandon(map->to[0], rank);
                    return false;
                }
                if (rank == 0) {
                    map->to[0] = mover->cursor;
                } else {
                    map->split = rank;
                    map->to[1] = mover->cursor;
                }
            }
            mark_cells(map, tn_cell_of(at), cells);
            put_copy(mover, at, size);
            rank += (uint32_t)cells;
        }
        at += size;
    }
    *moved = rank;
    return true;
}

/* The block is COPYING: no thread but this one can have an address in it. */
static void copy_block(struct tn_moving_heap *mover, uint64_t index) {
    struct tn_block *block = &tn_blocks[index];
    struct tn_remap *map = NULL;
    uint32_t moved = 0;
    if (__atomic_load_n(&block->pins, __ATOMIC_SEQ_CST) == 0) map = take_map();
    if (map != NULL && !copy_objects(mover, index, map, &moved)) {
        give_map((uint64_t)(uintptr_t)map, NULL);
        map = NULL;
    }
    if (map == NULL) {
        tn_state_set(index, TN_BLOCK_NORMAL);
        if (tn_block_die(index)) tn_block_bury(mover, index);
        return;
    }
    uint16_t rank = 0;
    for (unsigned i = 0; i < TN_BLOCK_CELLS / 64; i++) {
        map->before[i] = rank;
        rank = (uint16_t)(rank + __builtin_popcountll(map->bits[i]));
    }
    tn_count(&tn_moving_counts.moved_blocks, 1);
    tn_count(&tn_moving_counts.moved_bytes, (uint64_t)moved << TN_CELL_SHIFT);
    if (moved == 0) {
        give_map((uint64_t)(uintptr_t)map, NULL);
        tn_state_set(index, TN_BLOCK_DEAD);
    } else {
        map->next = promoted;
        promoted = (uint32_t)index;
        block->remap = map;
        tn_state_set(index, TN_BLOCK_PROMOTED);
    }
    tn_block_discard(mover, index);
}

/* Waits until all threads have polled; false if the mover shall end meanwhile. */
static bool handshake(void) {
    uint64_t epoch = tn_epoch_begin();
    for (;;) {
        tn_member_poll(&tn_moving_self->member);
        if (tn_epoch_reached(epoch)) return true;
        if (tn_mover_ends()) return false;
        tn_thread_pause();
    }
}

static bool promote_among_threads(const uint32_t *indexes, size_t count, size_t *at) {
    uint32_t batch[BATCH];
    size_t marked = 0;
    for (; *at < count && marked < BATCH; ++*at)
        if (pays(indexes[*at]) && tn_state_change(indexes[*at], TN_BLOCK_NORMAL, TN_BLOCK_MOVING)) batch[marked++] = indexes[*at];
    bool all_polled = marked == 0 || handshake();
    tn_mover_hold();
    for (size_t i = 0; i < marked; i++) {
        if (!all_polled)
            (void)tn_state_change(batch[i], TN_BLOCK_MOVING, TN_BLOCK_NORMAL);
        else if (tn_state_change(batch[i], TN_BLOCK_MOVING, TN_BLOCK_COPYING))
            copy_block(tn_moving_self, batch[i]);
    }
    tn_mover_release();
    tn_blocks_settle(tn_moving_self);
    return all_polled && *at < count;
}

bool tn_promote_some(const uint32_t *indexes, size_t count, size_t *at) {
    if (tn_moving_mode.threads) return promote_among_threads(indexes, count, at);
    struct tn_moving_heap *mover = tn_mover_heap();
    unsigned copies = 0;
    for (unsigned looks = 0; *at < count && copies < COPIES && looks < LOOKS; ++*at, looks++) {
        if (!pays(indexes[*at]) || !tn_state_change(indexes[*at], TN_BLOCK_NORMAL, TN_BLOCK_COPYING)) continue;
        copy_block(mover, indexes[*at]);
        copies++;
    }
    tn_blocks_settle(mover);
    return *at < count;
}

static bool is_dead(uint64_t address) { return tn_state_of(tn_block_index(address)) == TN_BLOCK_DEAD; }

void tn_promote_sweep(void) {
    uint32_t kept = 0, next;
    for (uint32_t index = promoted; index != 0; index = next) {
        struct tn_remap *map = tn_blocks[index].remap;
        next = map->next;
        if (!is_dead(map->to[0]) || (map->split != UINT32_MAX && !is_dead(map->to[1]))) {
            map->next = kept;
            kept = index;
            continue;
        }
        tn_state_set(index, TN_BLOCK_DEAD);
        if (!tn_moving_mode.threads)
            give_map((uint64_t)(uintptr_t)map, NULL);
        else
            (void)tn_limbo_add(&dead_maps, (uint64_t)(uintptr_t)map); /* without memory for that it is lost */
    }
    promoted = kept;
    if (tn_moving_mode.threads) tn_limbo_settle(&dead_maps, &tn_moving_self->member, give_map, NULL);
}

void tn_promote_reset(void) {
    free_maps = NULL; /* the slabs are lost: a heap that closes is rare, and they are small */
    promoted = 0;
    tn_limbo_clear(&dead_maps);
}
