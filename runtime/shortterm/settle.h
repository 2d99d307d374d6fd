/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Settling one expired date: the object loses a count, and with the last one its life. Inline, as each refresh does it.
 */
#ifndef TENURE_SHORTTERM_SETTLE_H
#define TENURE_SHORTTERM_SETTLE_H

#include "shortterm/object.h"
#include "shortterm/root.h"

/* Some expired descriptor waits, and root->expired_top is just behind it. */
static inline bool has_expired(struct root *root) {
    return root->expired_top != root->expired_bottom || stm_expired_next(root);
}

/* Takes the newest expired descriptor; has_expired. */
static inline uintptr_t take_expired(struct root *root) { return *--root->expired_top; }

/* The ways of settling that are not the short one, each of which returns STM_OK: all of it, and the end of the short
 * one. */
TN_OUTLINE int stm_settle_slow(struct root *root, uintptr_t descriptor);
TN_OUTLINE int stm_settle_release(struct header *header);

/* Settles the newest expired descriptor; has_expired, and no mode watches. Returns STM_OK, so that callers can end with
 * it. The short way is for an object with one date, of its owner's, and nothing else to see to. */
TN_INLINE int settle_one(struct root *root) {
    uintptr_t descriptor = take_expired(root);
    if (tn_unlikely((descriptor & DESCRIPTOR_BITS) != 0)) return stm_settle_slow(root, descriptor);
    struct header *header = header_of((void *)descriptor);
    uint32_t class = class_if_simple(atomic_load_explicit(&header->shared, memory_order_acquire));
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    if (tn_unlikely(class == 0 || (local & LOCAL_DATES) != LOCAL_ONE_DATE)) return stm_settle_slow(root, descriptor);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG, memory_order_relaxed);
    return tn_likely(root_keep(root, header, class)) ? STM_OK : stm_settle_release(header);
}

#endif
