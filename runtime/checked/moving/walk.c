/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A walk over the invariants of the moving form, for tests: that headers lead from a block's start to its end, that
 * bits and counts are those of the headers, that maps lead to objects, and that each block is in the list of active
 * ones once.
 */
#include "checked/moving/moving.h"

/* A full block, or one that is being filled. */
static const char *check_block(uint64_t index) {
    const struct tn_block *block = &tn_blocks[index];
    uint64_t base = tn_block_address(index), at = base + TN_BLOCK_FIRST, header;
    uint64_t cells = 0, gone = 0, starts = 0, bits = 0;
    while (at < base + TN_BLOCK_SIZE && (header = *tn_moving_word(at)) != 0) {
        uint64_t here = header >> TN_MOVING_CELLS_SHIFT, cell = tn_cell_of(at);
        if (here == 0 || cell + here > TN_BLOCK_CELLS) return "an object is longer than its block";
        if ((*tn_block_byte(at, cell / 8) >> cell % 8 & 1) == 0) return "an object's beginning has no bit";
        cells += here;
        if ((header & TN_MOVING_GONE) != 0) gone += here;
        starts++;
        at += here << TN_CELL_SHIFT;
    }
    for (unsigned i = 0; i < TN_BLOCK_GONE; i++) bits += (unsigned)__builtin_popcount(*tn_block_byte(base, i));
    if (bits != starts) return "a bit says that an object begins where none does";
    if (gone != block->gone) return "the cells of objects that are gone are not those that are counted";
    if (block->used != 0 && cells != block->used) return "the cells of objects are not those that are counted";
    if (block->used != 0 && gone == cells && block->pins == 0) return "a block without objects is not dead";
    return NULL;
}

static const char *check_map(uint64_t index) {
    const struct tn_remap *map = tn_blocks[index].remap;
    uint64_t rank = 0;
    for (unsigned i = 0; i < TN_BLOCK_CELLS / 64; i++) {
        if (map->before[i] != rank) return "a map's rank is wrong";
        rank += (unsigned)__builtin_popcountll(map->bits[i]);
    }
    return rank == 0 ? "a map is empty" : NULL;
}

const char *tn_moving_validate(void) {
    if (!tn_moving_mode.open) return NULL;
    size_t count = tn_active_blocks(NULL, 0, 0);
    for (size_t i = 0; i < count; i++) {
        uint32_t one;
        (void)tn_active_blocks(&one, i, 1);
        if (tn_blocks[one].position != i) return "a block is not where it thinks in the list";
        unsigned state = tn_state_of(one);
        if (state == TN_BLOCK_PROMOTED || state == TN_BLOCK_COPYING) return "a block in the list was moved";
        if (state == TN_BLOCK_DEAD || tn_blocks[one].head != 0) continue;
        const char *wrong = check_block(one);
        if (wrong != NULL) return wrong;
    }
    uint64_t first = tn_block_index(tn_reserve_first());
    for (uint64_t i = first; i < first + tn_reserve_units() * (TN_UNIT / TN_BLOCK_SIZE); i++) {
        const char *wrong = tn_state_of(i) == TN_BLOCK_PROMOTED ? check_map(i) : NULL;
        if (wrong != NULL) return wrong;
    }
    return NULL;
}
