/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/tagged/span.h"

#include "prim/memory.h"
#include "prim/sanitize.h"
#include "prim/space.h"

struct tn_span *tn_spans;

/* Spans without objects that a thread keeps with their frames. */
#define WARM_MOST 16
/* A span whose slots have come so far is not worth new frames. */
#define FLOOR_MOST (TN_GENERATION_LAST - 16)
/* Slots up to this size are in spans of one unit, others in spans of eight. */
#define SMALL_STRIDE 1024
#define WIDE_UNITS 8

uint32_t tn_class_stride(unsigned class_index) {
    if (class_index < 64) return (class_index + 1) * 8;
    if (class_index < 64 + 48) return 512 + (class_index - 63) * 32;
    unsigned eighth = class_index - 64 - 48;
    return (UINT32_C(2048) << eighth / 8) + (eighth % 8 + 1) * (UINT32_C(256) << eighth / 8);
}

static size_t table_size(void) {
    return ((tn_reserve.end - tn_reserve.start) >> TN_UNIT_SHIFT) * sizeof(struct tn_span);
}

bool tn_spans_open(void) {
    tn_spans = tn_os_map_sparse(table_size());
    return tn_spans != NULL;
}

void tn_spans_close(void) {
    tn_os_unmap(tn_spans, table_size());
    tn_spans = NULL;
}

/* Queues: linked both ways, as a span leaves from the middle when it becomes empty. New ones come last, so that
 * they gather free slots before they are used. */
static void enqueue(struct tn_queue *queue, struct tn_span *span) {
    span->next = NULL;
    span->previous = queue->last;
    *(queue->last != NULL ? &queue->last->next : &queue->first) = span;
    queue->last = span;
}

static void dequeue(struct tn_queue *queue, struct tn_span *span) {
    *(span->previous != NULL ? &span->previous->next : &queue->first) = span->next;
    *(span->next != NULL ? &span->next->previous : &queue->last) = span->previous;
    span->next = span->previous = NULL;
}

static size_t span_size(const struct tn_span *span) { return (size_t)span->units << TN_UNIT_SHIFT; }

/* Whether it has no objects, though it may have retired slots. */
static bool is_empty(const struct tn_span *span) {
    return span->used == __atomic_load_n(&span->retired, __ATOMIC_RELAXED);
}

/* Gives the frames of an empty span back that is in no queue. Its slots begin anew behind all generations that they
 * had. */
static void cool(struct tn_heap *heap, struct tn_span *span) {
    tn_asan_unpoison((void *)(uintptr_t)tn_span_start(span), span_size(span));
    bool discarded = tn_space_discard((void *)(uintptr_t)tn_span_start(span), span_size(span));
    if (!discarded) { /* locked memory: it stays as it is */
        span->state = TN_SPAN_QUEUED;
        enqueue(&heap->queued[span->class_index], span);
        return;
    }
    tn_budget_give(span_size(span));
    span->free = 0;
    span->carved = span->used = span->retired = 0;
    span->floor = span->high;
    span->state = span->floor > FLOOR_MOST ? TN_SPAN_RETIRED : TN_SPAN_EMPTY;
    if (span->state == TN_SPAN_EMPTY) enqueue(&heap->empty[span->class_index], span);
}

void tn_span_freed(struct tn_heap *heap, struct tn_span *span) {
    struct tn_queue *queue = &heap->queued[span->class_index];
    if (span->state == TN_SPAN_FULL && span->free != 0) {
        span->state = TN_SPAN_QUEUED;
        enqueue(queue, span);
    }
    if (!is_empty(span) || span->state == TN_SPAN_CURRENT) return;
    if (span->state == TN_SPAN_QUEUED) {
        if (heap->warm_empty < WARM_MOST) {
            heap->warm_empty++;
            return;
        }
        dequeue(queue, span);
    }
    cool(heap, span);
}

/* A span of new address space. */
static struct tn_span *make_span(struct tn_heap *heap, unsigned class_index) {
    uint32_t stride = tn_class_stride(class_index);
    uint32_t units = stride <= SMALL_STRIDE ? 1 : WIDE_UNITS;
    uintptr_t start = tn_reserve_take(units);
    if (start == 0) return NULL;
    uint32_t head = (uint32_t)((start - tn_reserve.start) >> TN_UNIT_SHIFT);
    for (uint32_t i = 1; i < units; i++) tn_spans[head + i].head = head;
    struct tn_span *span = &tn_spans[head];
    span->head = head;
    span->units = units;
    span->owner = heap;
    span->stride = stride;
    span->reciprocal = (uint32_t)(((UINT64_C(1) << 32) + stride / 8 - 1) / (stride / 8));
    span->slots = (uint32_t)((span_size(span) - TN_SPAN_FIRST) / stride);
    span->class_index = (uint8_t)class_index;
    span->state = TN_SPAN_EMPTY;
    return span;
}

/* Takes back what other threads released. */
static void drain(struct tn_heap *heap) {
    struct tn_span *next;
    struct tn_span *span = __atomic_exchange_n(&heap->remote_spans, NULL, __ATOMIC_ACQUIRE);
    for (; span != NULL; span = next) {
        next = span->remote_next;
        uint64_t at = __atomic_exchange_n(&span->remote, 0, __ATOMIC_ACQ_REL);
        while (at != 0) {
            tn_checked_word *header = tn_word_at(at);
            uint64_t link = *header & TN_HEADER_LOW;
            uint64_t generation = *header & TN_GENERATION_MASK;
            if (generation >> TN_GENERATION_SHIFT > span->high)
                span->high = (uint16_t)(generation >> TN_GENERATION_SHIFT);
            __atomic_store_n(header, generation | TN_HEADER_FREE | span->free, __ATOMIC_RELAXED);
            span->free = at;
            span->used--;
            at = link;
        }
        tn_span_freed(heap, span);
    }
}

static struct tn_span *usable(struct tn_heap *heap, unsigned class_index) {
    struct tn_span *span = heap->queued[class_index].first;
    if (span != NULL) {
        if (is_empty(span) && heap->warm_empty > 0) heap->warm_empty--;
        dequeue(&heap->queued[class_index], span);
        return span;
    }
    uint32_t stride = tn_class_stride(class_index);
    size_t size = (stride <= SMALL_STRIDE ? 1 : WIDE_UNITS) * TN_UNIT;
    if (!tn_budget_take(size)) return NULL;
    span = heap->empty[class_index].first;
    if (span != NULL)
        dequeue(&heap->empty[class_index], span);
    else
        span = make_span(heap, class_index);
    if (span == NULL) tn_budget_give(size);
    return span;
}

struct tn_span *tn_span_refill(struct tn_heap *heap, unsigned class_index) {
    struct tn_span *old = heap->current[class_index];
    drain(heap);
    if (old->free != 0 || old->carved < old->slots) return old;
    struct tn_span *span = usable(heap, class_index);
    if (span == NULL) return NULL;
    if (old->slots != 0) old->state = TN_SPAN_FULL;
    span->state = TN_SPAN_CURRENT;
    heap->current[class_index] = span;
    if (old->slots != 0 && is_empty(old)) cool(heap, old); /* all retired */
    return span;
}

/* Gives the slot its next generation, with the link; false if it has had its last. */
static bool advance(uint64_t header_at, uint64_t link) {
    tn_checked_word *header = tn_word_at(header_at);
    uint64_t generation = *header & TN_GENERATION_MASK;
    if (generation == TN_GENERATION_MASK) {
        __atomic_store_n(header, generation | TN_HEADER_FREE, __ATOMIC_RELAXED);
        return false;
    }
    __atomic_store_n(header, (generation + TN_GENERATION_ONE) | TN_HEADER_FREE | link, __ATOMIC_RELAXED);
    return true;
}

static void release_remote(struct tn_span *span, uint64_t header_at) {
    uint64_t link = __atomic_load_n(&span->remote, __ATOMIC_RELAXED);
    if (!advance(header_at, link)) {
        (void)__atomic_add_fetch(&span->retired, 1, __ATOMIC_RELAXED);
        return;
    }
    tn_checked_word *header = tn_word_at(header_at);
    uint64_t generation = *header & ~TN_HEADER_LOW;
    /* Acquires: the owner that took the list before has read remote_next, which is written below. */
    while (!__atomic_compare_exchange_n(&span->remote, &link, header_at, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_store_n(header, generation | link, __ATOMIC_RELAXED);
    if (link != 0) return;
    struct tn_heap *owner = span->owner;
    span->remote_next = __atomic_load_n(&owner->remote_spans, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&owner->remote_spans, &span->remote_next, span, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
}

void tn_slot_release(struct tn_heap *heap, uint64_t header_at) {
    struct tn_span *span = tn_span_of(header_at);
    if (span->owner != heap) {
        release_remote(span, header_at);
        return;
    }
    uint64_t generation = *tn_word_at(header_at) >> TN_GENERATION_SHIFT;
    if (generation < TN_GENERATION_LAST) generation++;
    if (generation > span->high) span->high = (uint16_t)generation;
    if (advance(header_at, span->free)) {
        span->free = header_at;
        span->used--;
    } else {
        (void)__atomic_add_fetch(&span->retired, 1, __ATOMIC_RELAXED);
    }
    if (tn_unlikely(span->state == TN_SPAN_FULL || is_empty(span))) tn_span_freed(heap, span);
}

void tn_recent_release(struct tn_heap *heap, struct tn_recent *recent) {
    uint64_t at = recent->first;
    recent->first = 0;
    recent->count = 0;
    while (at != 0) {
        struct tn_span *span = tn_span_of(at);
        tn_checked_word *header = tn_word_at(at);
        uint64_t next = *header & TN_HEADER_LOW;
        __atomic_store_n(header, (*header & ~TN_HEADER_LOW) | span->free, __ATOMIC_RELAXED);
        span->free = at;
        span->used--;
        if (span->state == TN_SPAN_FULL || is_empty(span)) tn_span_freed(heap, span);
        at = next;
    }
}
