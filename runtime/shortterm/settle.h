/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Settling one expired date: the object loses a count, and with the last one its life. Inline, as each refresh does it.
 */
#ifndef TENURE_SHORTTERM_SETTLE_H
#define TENURE_SHORTTERM_SETTLE_H

#include "shortterm/object.h"
#include "shortterm/root.h"

/* The first page of the expired ones is empty: it goes to the pool, or back to the allocator below. */
TN_OUTLINE void stm_page_recycle(struct root *root, struct page *page);

/* Takes the newest expired descriptor; there is one. */
static inline uintptr_t take_expired(struct root *root) {
    struct page *page = root->expired;
    uintptr_t descriptor = page->slots[--page->count];
    if (tn_unlikely(page->count == 0)) stm_page_recycle(root, page);
    return descriptor;
}

/* The ways of settling that are not the short one, each of which returns STM_OK: all of it, and two halves of the short one. */
TN_OUTLINE int stm_settle_slow(struct root *root, uintptr_t descriptor);
TN_OUTLINE int stm_settle_last(struct root *root, struct page *page, uintptr_t descriptor);
TN_OUTLINE int stm_settle_release(struct header *header);

/* An object with one date, of its owner's, and nothing else to see to. */
static inline bool is_simple(uintptr_t descriptor, uint64_t shared, uint32_t local) {
    return (descriptor & DESCRIPTOR_BITS) == 0 && (shared & SHARED_LONG_WAY) == 0 &&
           (local & LOCAL_DATES) == LOCAL_ONE_DATE;
}

/* Settles the newest expired descriptor; there is one, and no mode watches. Returns STM_OK, so that callers can end with it. */
TN_INLINE int settle_one(struct root *root) {
    struct page *page = root->expired;
    uint64_t left = page->count - 1;
    uintptr_t descriptor = page->slots[left];
    if (tn_unlikely(left == 0)) return stm_settle_last(root, page, descriptor);
    page->count = left;
    if (tn_unlikely((descriptor & DESCRIPTOR_BITS) != 0)) return stm_settle_slow(root, descriptor);
    struct header *header = header_of((void *)descriptor);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    if (tn_unlikely(!is_simple(descriptor, shared, local))) return stm_settle_slow(root, descriptor);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG, memory_order_relaxed);
    uint32_t class = (uint32_t)((shared & SHARED_CLASS) >> SHARED_CLASS_SHIFT);
    if (tn_likely(root_keep(root, header, class))) return STM_OK;
    return stm_settle_release(header);
}

#endif
