/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the tagged form of the checked heap has inline; included by tenure/checked_inline.h alone.
 *
 * A reference carries the generation of its object's slot in bits 48 to 63, and the word before the object, its header,
 * carries the slot's current one. Slots are used again at once, under the next generation; a slot whose generations are
 * used up is never used again, so no two objects ever share an address and a generation.
 *
 * Bit 47 of a reference says that its header is not just before it: `tn_interior` sets it, and large objects have it
 * from the start. Then the header is found through the table of spans. Why a reference without the bit may look just
 * before it: a span's slots never change their size or place, so that word has been a header ever since and nothing
 * else.
 */
#ifndef TENURE_CHECKED_TAGGED_H
#define TENURE_CHECKED_TAGGED_H

#define TN_REF_SHIFT 47
#define TN_REF_INDIRECT (UINT64_C(1) << TN_REF_SHIFT)

TN_INLINE void *tn_touch(const void *ref, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    uint64_t up = word << (63 - TN_REF_SHIFT);
    /* Positive: not NULL, and the header is just before. */
    if (tn_likely((int64_t)up > 0)) {
        uint64_t address = up >> (63 - TN_REF_SHIFT);
        uint64_t header = __atomic_load_n((const tn_checked_word *)(uintptr_t)address - 1, __ATOMIC_RELAXED);
        if (tn_likely((header ^ word) >> TN_REF_SHIFT == 0)) return (void *)(uintptr_t)address;
    }
    return tn_tagged_touch(word, site);
}

TN_INLINE void *tn_fresh(const void *ref, const struct tn_site *site) {
    (void)tn_touch(ref, site);
    return (void *)(uintptr_t)ref;
}
TN_INLINE void *tn_address(const void *touched) {
    return (void *)(uintptr_t)((uint64_t)(uintptr_t)touched << (64 - TN_REF_SHIFT) >> (64 - TN_REF_SHIFT));
}

/* The offset is from the first byte to one of the object. */
TN_INLINE void *tn_interior(const void *ref, size_t offset) {
    return (void *)(uintptr_t)(((uint64_t)(uintptr_t)ref + offset) | TN_REF_INDIRECT);
}

/* Here also of objects that are gone. */
TN_INLINE bool tn_equal(const void *a, const void *b) {
    return (((uint64_t)(uintptr_t)a ^ (uint64_t)(uintptr_t)b) & ~TN_REF_INDIRECT) == 0;
}

#endif
