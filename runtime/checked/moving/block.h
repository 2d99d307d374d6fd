/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Blocks of the moving form: 16 KiB each, filled from their start on with objects, or some in a row with one large object.
 *
 * A block is, in order: a bit for each cell of 16 bytes that says where objects begin (set by who fills the block, and never
 * reset), a bit for each cell that says that its object is gone, 8 bytes, then objects. An object's header comes before it, at a
 * multiple of 16 and 8: cells begin there. From the top: 16 bits how many cells the object takes with its header; 1 bit that it
 * is gone; 47 bits its layout's address. A header of zero ends the block.
 *
 * The states of a block, and who may change them. "Mover" is the thread that holds the mover's lock.
 *
 * | state    | a touch                        | next     | by                                                                  |
 * |----------|--------------------------------|----------|---------------------------------------------------------------------|
 * | NORMAL   | is the address                 | MOVING   | the mover, for a full block that has much garbage                   |
 * |          |                                | DEAD     | who deletes or unpins a full block's last object, or fills it up    |
 * |          |                                | COPYING  | the mover, where it is the only thread and has no address           |
 * | MOVING   | makes it NORMAL, looks again   | NORMAL   | anyone                                                              |
 * |          |                                | COPYING  | the mover, when all threads have polled since MOVING                |
 * | COPYING  | waits, looks again             | NORMAL   | the mover, if it is pinned                                          |
 * |          |                                | PROMOTED | the mover                                                           |
 * | PROMOTED | is an address in another block | DEAD     | the mover, when all objects that it moved are gone                  |
 * | DEAD     | raises                         | none     |                                                                     |
 *
 * Why copying is safe: a thread that has an address in the block touched before its last poll at most, or after the block
 * became MOVING, and then it is not MOVING any more. Between two polls a touched block stays NORMAL or becomes DEAD; its
 * frames stay until all threads have polled.
 *
 * Addresses are used once: a block that is DEAD or PROMOTED is never anything else again, so what an old reference leads to is its
 * object or nothing.
 */
#ifndef TENURE_CHECKED_MOVING_BLOCK_H
#define TENURE_CHECKED_MOVING_BLOCK_H

#define TN_CHECKED_FORM TN_CHECKED_MOVING

#include "checked/budget.h"
#include "checked/limbo.h"
#include "checked/member.h"
#include "checked/reserve.h"
#include "tenure/checked.h"

#define TN_BLOCK_FIRST (2 * TN_BLOCK_GONE + 8)
#define TN_BLOCK_CELLS (TN_BLOCK_SIZE >> TN_CELL_SHIFT)
#define TN_CELL (UINT64_C(1) << TN_CELL_SHIFT)
_Static_assert(TN_BLOCK_GONE * 8 == TN_BLOCK_CELLS, "a bit for each cell");

#define TN_MOVING_HEADER 8
#define TN_MOVING_GONE (UINT64_C(1) << 47)
#define TN_MOVING_LAYOUT (TN_MOVING_GONE - 1)
#define TN_MOVING_CELLS_SHIFT 48
/* The largest object that is not a large one. */
#define TN_MOVING_MOST 8000

enum tn_block_state {
    TN_BLOCK_NORMAL = 0,
    TN_BLOCK_NONE, /* block 0: NULL */
    TN_BLOCK_MOVING,
    TN_BLOCK_COPYING,
    TN_BLOCK_PROMOTED,
    TN_BLOCK_DEAD,
    TN_BLOCK_LARGE_STRICT, /* NORMAL, of a large object in a strict heap, where there are no bits */
    TN_BLOCK_UNUSED        /* never filled; in the table as TN_BLOCK_NORMAL */
};

/* Where a promoted block's objects are. The rank of a cell is how many cells of living objects were before it. */
struct tn_remap {
    uint64_t bits[TN_BLOCK_CELLS / 64]; /* cells of objects that were moved */
    uint16_t before[TN_BLOCK_CELLS / 64]; /* rank of the word's first cell */
    uint64_t to[2]; /* the header of the first object moved, and of the first one in the second block */
    uint32_t split; /* rank from which on the second is meant */
    uint32_t next;  /* promoted block, in the mover's list */
};

struct tn_block {
    uint32_t used;     /* cells with objects; 0 while it is being filled */
    uint32_t gone;     /* cells of objects that are gone */
    uint32_t pins;
    uint32_t position; /* in the list of active blocks */
    uint32_t head;     /* of a large object's block: its first one; else 0 */
    uint32_t count;    /* of a large object's first block: how many blocks */
    uint64_t size;     /* of a large object: bytes */
    uint64_t site;     /* of a large object: where it was made, if that is remembered */
    uint64_t large;    /* of a large object: its layout with the bit that it is gone; 1 more for "is large" */
    struct tn_remap *remap;
};

/* A thread's part. The mover has one, too, which it fills while it copies. */
struct tn_moving_heap {
    struct tn_member member;
    uint64_t cursor, limit; /* of the block that is being filled; equal if there is none */
    uint64_t chunk, chunk_end; /* blocks that are this thread's to fill */
    uint64_t debt; /* bytes allocated and deleted since the last step of the mover's work */
    uint64_t allocated, deleted, allocated_bytes, deleted_bytes, slow_touches;
    struct tn_limbo limbo; /* blocks that are dead */
    uint64_t cold, cold_end; /* dead blocks in a row whose frames will be given back; in a heap for one thread */
};
extern TN_THREAD_LOCAL struct tn_moving_heap *tn_moving_self;

struct tn_moving_mode {
    bool open, threads, strict;
    bool trapping; /* strict; frames that go are closed to accesses, and all objects move at each poll of a heap for one thread */
};
extern struct tn_moving_mode tn_moving_mode;

extern struct tn_block *tn_blocks;

/* Figures that several threads add to. */
struct tn_moving_counts {
    uint64_t promotions, moved_blocks, moved_bytes, dead_blocks, cancelled_blocks;
    uint64_t scans, scanned_bytes, patched, longest_step_ns;
    uint64_t block_bytes; /* of blocks with frames that are not large */
    uint64_t large_objects, large_bytes;
};
extern struct tn_moving_counts tn_moving_counts;

TN_INLINE uint64_t tn_block_index(uint64_t address) { return address >> TN_BLOCK_SHIFT & TN_BLOCK_MASK; }
TN_INLINE uint64_t tn_block_base(uint64_t address) { return address & ~(TN_BLOCK_SIZE - 1); }
TN_INLINE uint64_t tn_block_address(uint64_t index) {
    return (tn_reserve.start & ~((UINT64_C(1) << TN_MOVING_SPACE_SHIFT) - 1)) + (index << TN_BLOCK_SHIFT);
}
TN_INLINE uint64_t tn_cell_of(uint64_t address) { return ((address & (TN_BLOCK_SIZE - 1)) - 8) >> TN_CELL_SHIFT; }
TN_INLINE tn_checked_word *tn_moving_word(uint64_t address) { return (tn_checked_word *)(uintptr_t)address; }
TN_INLINE unsigned char *tn_block_byte(uint64_t address, uint64_t offset) {
    return (unsigned char *)(uintptr_t)(tn_block_base(address) + offset);
}

TN_INLINE unsigned tn_state_of(uint64_t index) { return __atomic_load_n(&tn_moving_states[index], __ATOMIC_ACQUIRE); }
TN_INLINE void tn_state_set(uint64_t index, unsigned state) {
    __atomic_store_n(&tn_moving_states[index], (unsigned char)state, __ATOMIC_RELEASE);
}
TN_INLINE bool tn_state_change(uint64_t index, unsigned from, unsigned to) {
    unsigned char expected = (unsigned char)from;
    return __atomic_compare_exchange_n(&tn_moving_states[index], &expected, (unsigned char)to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

TN_INLINE void tn_count(uint64_t *counter, uint64_t amount) { (void)__atomic_add_fetch(counter, amount, __ATOMIC_RELAXED); }

/* The tables. */
bool tn_blocks_open(void);
void tn_blocks_close(void);

/* Another block for the heap to fill; what it filled before is full. False if there is no memory. */
bool tn_block_next(struct tn_moving_heap *heap);

/* The block that the heap fills gets no more objects. */
void tn_block_fill_up(struct tn_moving_heap *heap);

/* Whether the block is full, not pinned and has only objects that are gone: then nobody but the caller may find it so. */
bool tn_block_die(uint64_t index);

/* The dead block's frames are given back at a tn_blocks_settle, when no thread can have an address in it. */
void tn_block_bury(struct tn_moving_heap *heap, uint64_t index);

/* Gives back frames. The calling thread has no address; the heap is its own. */
void tn_blocks_settle(struct tn_moving_heap *heap);

/* Gives back the block's frames. No thread has an address in it. */
void tn_block_discard(struct tn_moving_heap *heap, uint64_t index);

/* A row of blocks for a large object; 0 if there is no memory. */
uint64_t tn_large_blocks(size_t size, size_t align);

/* The list of blocks that may have objects, in no order: copies up to `count` of them from position `from` on, and returns how
 * many there are in all. */
size_t tn_active_blocks(uint32_t *indexes, size_t from, size_t count);
void tn_active_add(uint64_t index);
void tn_active_remove(uint64_t index);

/* For fork. */
void tn_active_hold(void);
void tn_active_release(void);
void tn_active_renew(void);

#endif
