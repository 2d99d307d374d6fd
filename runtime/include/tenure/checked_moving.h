/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the moving and the strict form of the checked heap have inline; included by tenure/checked_inline.h alone.
 *
 * A reference is an address, perhaps one at which its object is no more. Each block of 16 KiB has a byte of state, 0
 * where all references into it are addresses; a touch is a look at that byte. NULL is in block 0, whose state is never
 * 0. The strict form looks also at the bit of the 16 bytes in a table at the block's start, which a delete sets.
 */
#ifndef TENURE_CHECKED_MOVING_H
#define TENURE_CHECKED_MOVING_H

#define TN_BLOCK_SHIFT 14
#define TN_BLOCK_SIZE (UINT64_C(1) << TN_BLOCK_SHIFT)

/* The heap is within a multiple of 2 to this power and the next. ThreadSanitizer and valgrind leave no place for
 * more. */
#ifndef TN_MOVING_SPACE_SHIFT
#if defined(__SANITIZE_THREAD__)
#define TN_MOVING_SPACE_SHIFT 38
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TN_MOVING_SPACE_SHIFT 38
#endif
#endif
#endif
#ifndef TN_MOVING_SPACE_SHIFT
#define TN_MOVING_SPACE_SHIFT 44
#endif
#define TN_BLOCK_MASK ((UINT64_C(1) << (TN_MOVING_SPACE_SHIFT - TN_BLOCK_SHIFT)) - 1)

/* Where in a block the bits are that a delete sets, one for 16 bytes; the first object's header is at a multiple of 16
 * and 8, and belongs to the same 16 bytes as the object's first 8. */
#define TN_BLOCK_GONE 128
#define TN_CELL_SHIFT 4

/* A byte for each block; at first of a table that knows none. */
extern unsigned char *tn_moving_states;

/* Whether the reference is an address of an object as it is. */
TN_INLINE bool tn_moving_fits(uint64_t word) {
    const unsigned char *state = tn_moving_states + (word >> TN_BLOCK_SHIFT & TN_BLOCK_MASK);
    if (tn_unlikely(__atomic_load_n(state, __ATOMIC_RELAXED) != 0)) return false;
#if TN_CHECKED_FORM >= TN_CHECKED_STRICT
    uint64_t cell = ((word & (TN_BLOCK_SIZE - 1)) - 8) >> TN_CELL_SHIFT;
    const unsigned char *gone = (const unsigned char *)(uintptr_t)((word & ~(TN_BLOCK_SIZE - 1)) + TN_BLOCK_GONE + cell / 8);
    if (tn_unlikely((__atomic_load_n(gone, __ATOMIC_RELAXED) >> cell % 8 & 1) != 0)) return false;
#endif
    return true;
}

TN_INLINE void *tn_touch(const void *ref, const struct tn_site *site) {
    if (tn_likely(tn_moving_fits((uint64_t)(uintptr_t)ref))) return (void *)(uintptr_t)ref;
    return tn_moving_touch((uint64_t)(uintptr_t)ref, site);
}
TN_INLINE void *tn_fresh(const void *ref, const struct tn_site *site) { return tn_touch(ref, site); }
TN_INLINE void *tn_address(const void *touched) { return (void *)(uintptr_t)touched; }

TN_INLINE void *tn_interior(const void *ref, size_t offset) { return (void *)(uintptr_t)((uint64_t)(uintptr_t)ref + offset); }

/* Brings both up to date where one of them may be old. */
bool tn_moving_equal(uint64_t a, uint64_t b);

TN_INLINE bool tn_equal(const void *a, const void *b) {
    uint64_t first = (uint64_t)(uintptr_t)a, second = (uint64_t)(uintptr_t)b;
    if (first == second) return true;
    if (first == 0 || second == 0) return false;
    unsigned states = __atomic_load_n(tn_moving_states + (first >> TN_BLOCK_SHIFT & TN_BLOCK_MASK), __ATOMIC_RELAXED);
    states |= __atomic_load_n(tn_moving_states + (second >> TN_BLOCK_SHIFT & TN_BLOCK_MASK), __ATOMIC_RELAXED);
    /* Where both are addresses, two are two. */
    return tn_unlikely(states != 0) && tn_moving_equal(first, second);
}

#endif
