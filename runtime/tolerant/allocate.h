/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The fast paths, part of each function of the malloc interface. Allocation finds the bin that the calling context was
 * given (papers/004…, §3.1; here a context is the return address and the stack pointer, as a key to a cache) and takes
 * the next slot that it claimed. A free finds the page's description, checks that the address is a live slot's, and
 * sets a bit.
 */
#ifndef TENURE_TOLERANT_ALLOCATE_H
#define TENURE_TOLERANT_ALLOCATE_H

#include "tolerant/recent.h"
#include "tolerant/thread.h"

static inline struct tt_wrapper *tt_wrapper_slot(struct tt_thread *self, uintptr_t address) {
    return &self->wrappers[(address ^ address >> TT_WRAPPER_BITS) & (((size_t)1 << TT_WRAPPER_BITS) - 1)];
}

/* The second caller's return address, `offset` bytes up the stack. In a function whose frame is not of a fixed size it
 * is some other word of the stack: the context is then told apart from more others than need be. */
static inline __attribute__((no_sanitize("address"))) uintptr_t tt_second_caller(uintptr_t stack, size_t offset) {
    typedef uintptr_t TN_MAY_ALIAS word;
    return *(const word *)(const void *)((const unsigned char *)stack + offset);
}

/* The context without the class. Stacks are multiples of 16, and near callers' depths differ by little: shifted, they
 * change other bits than neighbouring addresses do. */
static inline uint64_t tt_context(const struct tt_thread *self, uintptr_t address, uintptr_t stack) {
    uint64_t context = (uint64_t)address ^ (uint64_t)(stack & self->depth_mask) << 4;
    if (address == self->wrapper.address) context ^= tt_second_caller(stack, self->wrapper.offset);
    return context;
}

/* What tells a context and a class apart. The factor is odd, so that the low bits of the product, a front's tag, tell
 * the low bits of what is multiplied: what is of another class never passes for this, and no tag is 0. */
static inline uint64_t tt_front_hash(uint64_t context, unsigned size_class, uint64_t factor) {
    _Static_assert(TT_CLASSES <= 128, "the low byte holds the class and a bit");
    return ((context << 8) + 128 + size_class) * factor;
}

static inline uint32_t tt_front_tag(uint64_t hash) { return (uint32_t)hash; }

static inline struct tt_front *tt_front_slot(struct tt_thread *self, uint64_t hash) {
    return &self->front[(size_t)(hash >> (64 - TT_FRONT_BITS)) & self->front_mask];
}

/* Others read the count in passing (tt_front_served): it is stored as a whole, as one instruction that subtracts
 * does. */
static inline TN_RACY int32_t tt_count_down(struct tt_front *front) { return --front->count; }

static inline uint64_t tt_bits(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
/* The owner's bits are read by others in passing; only the owner writes them. */
static inline void tt_bits_set(uint64_t *word, uint64_t bits) {
    __atomic_store_n(word, bits, __ATOMIC_RELAXED);
}

/* The slot of the first of these bits, which are those of the bin's word and not 0. */
static inline void *tt_take_first(struct tt_bin *bin, uint64_t bits) {
    /* In 32 bits: 64 slots have less, and no sign has to be extended. */
    uint32_t offset = (uint32_t)__builtin_ctzll(bits) * (uint32_t)bin->size;
    tt_bits_set(bin->word, bits & (bits - 1));
    return bin->base + offset;
}

/* What the system has no memory for is NULL with ENOMEM. */
static inline __attribute__((always_inline)) void *tt_allocate(size_t size, uintptr_t address, uintptr_t stack) {
    struct tt_thread *self = tt_self;
    if (tn_unlikely(size >= self->small_most)) return tt_allocate_slow(size, address, stack);
    unsigned size_class = tt_class_table[(size + TT_GRAIN - 1) / TT_GRAIN];
    uint64_t hash = tt_front_hash(tt_context(self, address, stack), size_class, self->hash_factor);
    struct tt_front *front = tt_front_slot(self, hash);
    if (tn_unlikely(front->tag != tt_front_tag(hash))) return tt_allocate_slow(size, address, stack);
    if (tn_unlikely(tt_count_down(front) < 0)) return tt_allocate_wrapped(size, address, stack, front);
    struct tt_bin *bin = front->bin;
    if (bin->frees == TT_FREES_RECENT) return tt_allocate_recent(bin);
    uint64_t bits = *bin->word;
    if (tn_unlikely(bits == 0)) return tt_allocate_refill(bin);
    return tt_take_first(bin, bits);
}

/* The slot that `offset` bytes into its span is the start of; TT_SLOTS_MOST if it is the start of none. With
 * reciprocal = (2^32 + e) / size, e < size, the product for offset = slot * size + r is slot * 2^32 + slot * e +
 * r * reciprocal; slot * e < 2^17 <= reciprocal, as spans have at most 2^17 bytes and slots at most 2^15. So the low
 * half is below the reciprocal just when r is 0. */
static inline unsigned tt_slot_at(const struct tt_page *page, size_t offset) {
    uint64_t product = offset * (uint64_t)page->reciprocal;
    return (uint32_t)product < page->reciprocal ? (unsigned)(product >> 32) : TT_SLOTS_MOST;
}

/* A freed object's first word says who freed it, for the report of a second free. Nothing else relies on it. */
static inline void tt_note_free(void *object, uintptr_t address) {
    typedef uintptr_t TN_MAY_ALIAS note;
    *(note *)object = address;
}

static inline __attribute__((always_inline)) void tt_release(void *object, uintptr_t address) {
    struct tt_segment *segment = tt_segment_of(object);
    if (tn_unlikely(segment == NULL)) {
        tt_free_slow(object, address);
        return;
    }
    size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    /* Relaxed: a page that this thread owns was given to it by itself, and another's only has to differ. */
    uintptr_t apart = tt_word_apart(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed), tt_self);
    if (tn_unlikely(apart >= TT_APART_MOST)) {
        tt_free_slow(object, address);
        return;
    }
    struct tt_page *page = &segment->pages[index];
    uint32_t reciprocal = page->reciprocal; /* each page of a span has it: no need to wait for the first */
    page = tt_page_before(page, apart);
    uint64_t product = (((uintptr_t)object & (TT_PAGE_BYTES - 1)) + tt_bytes_before(apart)) * reciprocal;
    size_t slot = product >> 32;
    uint64_t *word = &page->free[slot >> 6];
    uint64_t bits = *word, bit = (uint64_t)1 << (slot & 63);
    /* tt_slot_at says why this is the start of a slot. */
    if (tn_unlikely((uint32_t)product >= reciprocal) || tn_unlikely(slot >= page->slots) || tn_unlikely((bits & bit) != 0)) {
        tt_free_slow(object, address);
        return;
    }
    struct tt_bin *bin = page->bin;
    if (bin->frees != TT_FREES_PLAIN) {
        if (tn_likely(bin->frees == TT_FREES_RECENT) && tn_likely(!tt_recent_is_full(bin))) {
            tt_note_free(object, address);
            tt_bits_set(word, bits | bit);
            tt_recent_add(bin, object, word, bit);
            return;
        }
        tt_free_watchfully(page, object, slot, address);
        return;
    }
    tt_note_free(object, address);
    tt_bits_set(word, bits | bit);
    if (tn_unlikely(--page->until == 0)) tt_page_triggered(page);
}

#endif
