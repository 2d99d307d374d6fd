/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The moving form's parts as they see each other. Blocks are in block.h; here is what stands on them: finding an object
 * by an old reference, the threads, and the mover's work in steps.
 */
#ifndef TENURE_CHECKED_MOVING_MOVING_H
#define TENURE_CHECKED_MOVING_MOVING_H

#include "checked/moving/block.h"

#define TN_LARGE_IS UINT64_C(1)
#define TN_LARGE_GONE UINT64_C(2)

/* Opening, and the calling thread's heap, attached now if it was not. */
struct tn_moving_heap *tn_moving_mine(unsigned flags, bool *refused);

/* The address that a reference stands for now, whether or not its object is marked as gone in a block; 0 if it is gone
 * for sure. Makes the block one that is not moved before this thread's next poll. */
uint64_t tn_moving_find(uint64_t word);

/* The address that an object had when it was deleted, of the first byte as far as its block tells still; by which its
 * places are remembered. */
uint64_t tn_moving_base(const void *ref);

/* As tn_moving_find without any effect on blocks, for the mover, which alone makes them PROMOTED: 0 unless the block is
 * promoted and the object lives. */
uint64_t tn_moving_newer(uint64_t word);

/* The header of the object around an address in a block of small ones. */
uint64_t tn_header_before(uint64_t address);

/* A large object that is gone and not pinned is dead. */
void tn_large_try_bury(struct tn_moving_heap *heap, uint64_t index);

/* Whether there is so much garbage that moving pays: asks for it then. To be called now and then. */
void tn_moving_consider(struct tn_moving_heap *heap);

/* What a step does, and whether more is left to do. The caller's thread has no address; in a heap for several it is the
 * mover's thread. */
bool tn_mover_step(void);

/* Whether the mover has something to do. */
bool tn_mover_busy(void);
/* What it fills where it has no thread; and whether its thread shall end. */
struct tn_moving_heap *tn_mover_heap(void);
bool tn_mover_ends(void);
/* Ends its thread, and forgets all. */
void tn_mover_reset(void);

/* Promotes the living objects of full blocks with much garbage, from position *at of `count` blocks on; a few blocks at
 * a call. False at the end. */
bool tn_promote_some(const uint32_t *indexes, size_t count, size_t *at);
/* Blocks that were promoted, and whose objects have gone since, become dead; their maps are freed. */
void tn_promote_sweep(void);
void tn_promote_reset(void);

/* Brings references up to date in objects of blocks, from position *at on, and in registered ranges, some at a call.
 * False at the end. */
bool tn_scan_some(const uint32_t *indexes, size_t count, size_t *at);
void tn_scan_reset(void);

/* Registered ranges. */
void tn_roots_scan(void);
void tn_roots_clear(void);
void tn_roots_hold(void);
void tn_roots_release(void);
void tn_roots_renew(void);

/* For fork: held while it happens; the mover does not work meanwhile. */
void tn_mover_hold(void);
void tn_mover_release(void);
void tn_mover_renew(void);

#endif
