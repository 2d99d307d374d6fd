/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of the tagged form: new, delete, touch out of line. The states of a header are in tagged/span.h.
 */
#include <string.h>

#include "checked/error.h"
#include "checked/tagged/tagged.h"

#define SMALL_ALIGN 16
#define UNIT_ALIGN 65536

/* With sites remembered, the last word of a slot; beside a large object, in its span. */
static uint64_t *site_word(struct tn_span *span, uint64_t header_at) {
    if (span->stride == 0) return &span->remote;
    return (uint64_t *)(uintptr_t)(header_at + span->stride - sizeof(uint64_t));
}

static const struct tn_site *site_of(struct tn_span *span, uint64_t header_at) {
    return tn_checked_remembers ? (const struct tn_site *)(uintptr_t)*site_word(span, header_at) : NULL;
}

static uint64_t first_byte(struct tn_span *span, uint64_t header_at) {
    return span->stride == 0 ? tn_span_start(span) : header_at + TN_HEADER_SIZE;
}

uint64_t tn_tagged_base(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref, address = tn_address_of(word);
    if (!tn_reserve_has(address)) return 0;
    struct tn_span *span = tn_span_of(address);
    return (word & TN_GENERATION_MASK) | first_byte(span, tn_header_around(span, address));
}

static _Noreturn void raise_no_memory(size_t size, const struct tn_site *site) {
    tn_checked_raise(TN_CHECKED_NO_MEMORY, NULL, size, site, NULL);
}

/* An object in pages of its own. */
static void *new_large(struct tn_heap *heap, size_t size, const struct tn_layout *layout, const struct tn_site *site) {
    struct tn_span *span = tn_large_take(size);
    if (span == NULL) raise_no_memory(size, site);
    uint64_t generation = (span->free & TN_GENERATION_MASK) + TN_GENERATION_ONE;
    __atomic_store_n(&span->free, generation | (uint64_t)(uintptr_t)layout, __ATOMIC_RELEASE);
    if (tn_checked_remembers) *site_word(span, 0) = (uint64_t)(uintptr_t)site;
    heap->allocated++;
    return (void *)(uintptr_t)(generation | TN_REF_INDIRECT | tn_span_start(span));
}

/* The current span has no slot that was used before: a new one, whose bytes are zero, or another span. */
static TN_OUTLINE void *new_slow(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,
                                 const struct tn_site *site) {
    bool refused;
    struct tn_heap *heap = tn_heap_mine(&refused);
    if (refused) tn_checked_raise(TN_CHECKED_FOREIGN, NULL, size, site, NULL);
    if (heap == NULL || align > UNIT_ALIGN || size > SIZE_MAX / 4) raise_no_memory(size, site);
    size_t stride = size + TN_HEADER_SIZE + (tn_checked_remembers ? sizeof(uint64_t) : 0);
    if (align == SMALL_ALIGN) stride = (stride + SMALL_ALIGN - 1) & ~(size_t)(SMALL_ALIGN - 1);
    if (stride > TN_STRIDE_MOST || align > SMALL_ALIGN) return new_large(heap, size, layout, site);
    unsigned class_index = tn_class_of(stride);
    struct tn_span *span = heap->current[class_index];
    if (span->free == 0 && span->carved == span->slots) {
        span = tn_span_refill(heap, class_index);
        if (span == NULL) raise_no_memory(size, site);
    }
    if (span->free != 0) return tn_tagged_new(size, align, layout, flags, site);
    uint64_t header_at = tn_span_start(span) + TN_SPAN_FIRST + (uint64_t)span->carved * span->stride;
    span->carved++;
    span->used++;
    heap->allocated++;
    uint64_t generation = (uint64_t)(span->floor + 1U) << TN_GENERATION_SHIFT;
    if (span->high <= span->floor) span->high = (uint16_t)(span->floor + 1);
    if (tn_checked_remembers) *site_word(span, header_at) = (uint64_t)(uintptr_t)site;
    __atomic_store_n(tn_word_at(header_at), generation | (uint64_t)(uintptr_t)layout, __ATOMIC_RELAXED);
    return (void *)(uintptr_t)(generation | (header_at + TN_HEADER_SIZE));
}

void *tn_tagged_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,
                     const struct tn_site *site) {
    struct tn_heap *heap = tn_heap_self;
    if (size == 0) size = 1;
    size_t stride = size + TN_HEADER_SIZE;
    if (tn_unlikely(heap == NULL || size > TN_STRIDE_MOST || align > SMALL_ALIGN))
        return new_slow(size, align, layout, flags, site);
    if (tn_unlikely(tn_checked_remembers)) stride += sizeof(uint64_t);
    if (align == SMALL_ALIGN) stride = (stride + SMALL_ALIGN - 1) & ~(size_t)(SMALL_ALIGN - 1);
    if (tn_unlikely(stride > TN_STRIDE_MOST)) return new_slow(size, align, layout, flags, site);
    unsigned class_index = tn_class_of(stride);
    struct tn_recent *recent = &heap->recent[class_index];
    uint64_t header_at = recent->first, word;
    if (tn_likely(header_at != 0)) {
        word = *tn_word_at(header_at);
        recent->first = word & TN_HEADER_LOW;
        recent->count--;
    } else {
        struct tn_span *span = heap->current[class_index];
        header_at = span->free;
        if (tn_unlikely(header_at == 0)) return new_slow(size, align, layout, flags, site);
        word = *tn_word_at(header_at);
        span->free = word & TN_HEADER_LOW;
        span->used++;
    }
    uint64_t generation = word & TN_GENERATION_MASK;
    heap->allocated++;
    if ((flags & TN_CHECKED_RAW) == 0) memset((void *)(uintptr_t)(header_at + TN_HEADER_SIZE), 0, size);
    if (tn_unlikely(tn_checked_remembers)) *site_word(tn_span_of(header_at), header_at) = (uint64_t)(uintptr_t)site;
    __atomic_store_n(tn_word_at(header_at), generation | (uint64_t)(uintptr_t)layout, __ATOMIC_RELAXED);
    return (void *)(uintptr_t)(generation | (header_at + TN_HEADER_SIZE));
}

static uint64_t header_now(uint64_t header_at) { return __atomic_load_n(tn_word_at(header_at), __ATOMIC_RELAXED); }

void *tn_tagged_touch(uint64_t word, const struct tn_site *site) {
    const void *ref = (const void *)(uintptr_t)word;
    uint64_t address = tn_address_of(word);
    if (word == 0) tn_checked_raise(TN_CHECKED_NULL, ref, 0, site, NULL);
    if (!tn_reserve_has(address)) tn_checked_raise(TN_CHECKED_FOREIGN, ref, 0, site, NULL);
    uint64_t header = header_now(tn_header_around(tn_span_of(address), address));
    if (!tn_header_fits(header, word)) tn_checked_raise(TN_CHECKED_DANGLING, ref, 0, site, NULL);
    return (void *)(uintptr_t)address;
}

/* What is wrong with a delete whose reference does not simply fit. */
static _Noreturn void raise_delete(uint64_t word, bool lives, const struct tn_site *site, const struct tn_site *allocated) {
    enum tn_checked_kind kind = lives ? TN_CHECKED_INTERIOR_DELETE : TN_CHECKED_SECOND_DELETE;
    tn_checked_raise(kind, (const void *)(uintptr_t)word, 0, site, lives ? allocated : NULL);
}

/* Marks the object deleted, which one caller alone can do. */
static bool mark_deleted(uint64_t header_at, uint64_t word, uint64_t *before) {
    tn_checked_word *header = tn_word_at(header_at);
    *before = __atomic_load_n(header, __ATOMIC_RELAXED);
    do {
        if (!tn_header_fits(*before, word)) return false;
    } while (!__atomic_compare_exchange_n(header, before, *before | TN_HEADER_FREE, true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return true;
}

static TN_OUTLINE void delete_slow(uint64_t word, const struct tn_site *site) {
    uint64_t address = tn_address_of(word);
    if (!tn_reserve_has(address)) tn_checked_raise(TN_CHECKED_FOREIGN, (void *)(uintptr_t)word, 0, site, NULL);
    struct tn_span *span = tn_span_of(address);
    uint64_t header_at = tn_header_around(span, address), before = header_now(header_at);
    const struct tn_site *allocated = tn_header_fits(before, word) ? site_of(span, header_at) : NULL;
    if (first_byte(span, header_at) != address || !tn_header_fits(before, word))
        raise_delete(word, tn_header_fits(before, word), site, allocated);
    bool refused;
    struct tn_heap *heap = tn_heap_mine(&refused);
    if (refused) tn_checked_raise(TN_CHECKED_FOREIGN, (void *)(uintptr_t)word, 0, site, NULL);
    if (heap == NULL) raise_no_memory(sizeof *heap, site);
    if (!mark_deleted(header_at, word, &before)) raise_delete(word, false, site, NULL);
    if (tn_checked_remembers) tn_deletes_add((word & TN_GENERATION_MASK) | address, allocated, site);
    heap->deleted++;
    if ((before & TN_HEADER_PINS) != 0)
        heap->pinned_deleted++;
    else
        tn_heap_bury(heap, header_at);
}

void tn_tagged_delete(const void *ref, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    if (word == 0) return;
    struct tn_heap *heap = tn_heap_self;
    if (tn_unlikely((word & TN_REF_INDIRECT) != 0 || tn_tagged_threads || tn_checked_remembers || heap == NULL)) {
        delete_slow(word, site);
        return;
    }
    /* A thread alone: plain loads and stores do. */
    uint64_t header_at = tn_address_of(word) - TN_HEADER_SIZE;
    if (tn_unlikely(header_at - tn_reserve.start >= tn_reserve.end - tn_reserve.start)) {
        delete_slow(word, site);
        return;
    }
    tn_checked_word *header = tn_word_at(header_at);
    uint64_t now = *header;
    if (tn_unlikely((now ^ word) >> TN_REF_SHIFT != 0 || (now & TN_HEADER_PINS) != 0 || now >= TN_GENERATION_MASK)) {
        delete_slow(word, site);
        return;
    }
    struct tn_span *span = tn_span_of(header_at);
    struct tn_recent *recent = &heap->recent[span->class_index];
    uint64_t generation = (now & TN_GENERATION_MASK) + TN_GENERATION_ONE;
    *header = generation | TN_HEADER_FREE | recent->first;
    recent->first = header_at;
    if (generation >> TN_GENERATION_SHIFT > span->high) span->high = (uint16_t)(generation >> TN_GENERATION_SHIFT);
    heap->deleted++;
    if (tn_unlikely(++recent->count == TN_RECENT_MOST)) tn_recent_release(heap, recent);
}

const struct tn_layout *tn_tagged_layout(const void *ref) {
    uint64_t address = tn_address_of((uint64_t)(uintptr_t)ref);
    uint64_t header = header_now(tn_header_around(tn_span_of(address), address));
    return (const struct tn_layout *)(uintptr_t)(header & TN_HEADER_LOW & ~TN_HEADER_PINS);
}
