/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Spans of the tagged form: runs of units with slots of one size, or with one large object.
 *
 * A slot is a header and the object after it. A span keeps its size of slots for good, also when its frames are given
 * back, so that the word before an object that is gone is a header for ever (or zero, which fits no reference). The
 * header, from the top: 16 bits generation, never 0 in use; 1 bit that says that the slot is free or the object
 * deleted; 47 bits, which are, while the object lives, its layout's address with the number of pins in its lowest 3
 * bits, and while the slot is free the next free slot's header.
 *
 * | header                         | means                          | becomes                                       |
 * |--------------------------------|--------------------------------|-----------------------------------------------|
 * | zero                           | never used since frames came   | live, by the owner, under floor + 1           |
 * | generation, layout, pins       | live                           | pins ± 1, or deleted, by any thread           |
 * | generation, free, layout, pins | deleted; pinned or waiting     | free, by who deleted or unpinned it last      |
 * | generation + 1, free, link     | free, or recent                | live, by the owner                            |
 * | 65535, free, 0                 | retired                        | nothing                                       |
 *
 * A span belongs to one thread: it alone takes slots, and gives back its own threads' deletes. Others push theirs on
 * `remote`. Large objects have their header here in the span; there every reference has the indirect bit.
 */
#ifndef TENURE_CHECKED_TAGGED_SPAN_H
#define TENURE_CHECKED_TAGGED_SPAN_H

#include "checked/budget.h"
#include "checked/limbo.h"
#include "checked/member.h"
#include "checked/reserve.h"
#include "tenure/checked_inline.h"

#define TN_GENERATION_SHIFT 48
#define TN_GENERATION_ONE (UINT64_C(1) << TN_GENERATION_SHIFT)
#define TN_GENERATION_MASK (~(TN_GENERATION_ONE - 1))
#define TN_GENERATION_LAST UINT64_C(65535)
#define TN_HEADER_FREE TN_REF_INDIRECT
#define TN_HEADER_LOW (TN_REF_INDIRECT - 1) /* layout and pins, or link */
#define TN_HEADER_PINS UINT64_C(7)
#define TN_HEADER_SIZE 8

_Static_assert(TN_REF_SHIFT + 1 == TN_GENERATION_SHIFT, "the flag is just below the generation");

/* Where the first header of a span is, so that objects in slots of a multiple of 16 bytes are at multiples of 16. */
#define TN_SPAN_FIRST 8

/* Classes of slots: by 8 bytes to 512, by 32 to 2048, then 8 a doubling to 32 KiB; a multiple of 16 from 512 on. */
#define TN_CLASS_COUNT (64 + 48 + 32)
#define TN_STRIDE_MOST 32768
#define TN_CLASS_LARGE TN_CLASS_COUNT

enum tn_span_state {
    TN_SPAN_NONE,    /* no span begins here */
    TN_SPAN_CURRENT, /* its owner's for new objects */
    TN_SPAN_QUEUED,  /* with free slots, in its owner's queue */
    TN_SPAN_FULL,    /* without free slots, or its last one's frees have not been seen */
    TN_SPAN_EMPTY,   /* without objects and frames; in its owner's list of those */
    TN_SPAN_LARGE,   /* one large object, or in a list of those that are free */
    TN_SPAN_RETIRED  /* its generations are used up: without frames, and unused for good */
};

struct tn_heap;

struct tn_span {
    uint64_t free;      /* the first free slot's header; of a large object its header itself */
    uint64_t remote;    /* the same for slots that other threads gave back; the owner takes them all at once */
    struct tn_heap *owner;
    struct tn_span *next, *previous; /* in a queue */
    struct tn_span *remote_next;     /* in the owner's list of spans with remote slots */
    uint32_t head;      /* the unit, from the start of the reservation, that the span begins at; of every unit of it */
    uint32_t units;
    uint32_t stride;    /* bytes a slot; 0 if large */
    uint32_t reciprocal; /* of stride / 8, times 2^32, rounded up */
    uint32_t slots;
    uint32_t carved;    /* slots from the start on that have been used since the frames came */
    uint32_t used;      /* slots with objects, waiting ones and retired ones among them */
    uint32_t retired;
    uint16_t floor;     /* generations up to this may have been used by slots that are not carved */
    uint16_t high;      /* the greatest generation given to a slot of this span */
    uint8_t state;      /* enum tn_span_state */
    uint8_t class_index;
    uint32_t padding[2];
};

/* A thread's part of the heap. */
struct tn_queue {
    struct tn_span *first, *last;
};
struct tn_recent {
    uint64_t first; /* header */
    uint64_t count;
};
struct tn_heap {
    struct tn_member member;
    struct tn_recent recent[TN_CLASS_COUNT]; /* slots that were deleted last, and are used first: they are warm, and near what was used
                                              * last. To their spans they are in use. */
    struct tn_span *current[TN_CLASS_COUNT]; /* never NULL: at first a span without slots */
    struct tn_queue queued[TN_CLASS_COUNT];
    struct tn_queue empty[TN_CLASS_COUNT];
    struct tn_span *remote_spans; /* spans to which other threads gave slots back */
    struct tn_limbo limbo; /* headers of deleted objects */
    size_t warm_empty; /* wholly free spans that still have their frames */
    uint64_t allocated, deleted, pinned_deleted;
};

extern TN_THREAD_LOCAL struct tn_heap *tn_heap_self;

/* Set while the heap is open for several threads; changed by open and close alone. */
extern bool tn_tagged_threads;

/* The span table, by units; valid for every unit that was handed out. */
extern struct tn_span *tn_spans;

TN_INLINE struct tn_span *tn_span_of(uint64_t address) {
    struct tn_span *unit = &tn_spans[(address - tn_reserve.start) >> TN_UNIT_SHIFT];
    return &tn_spans[unit->head];
}
TN_INLINE uint64_t tn_span_start(const struct tn_span *span) {
    return tn_reserve.start + ((uint64_t)span->head << TN_UNIT_SHIFT);
}

TN_INLINE tn_checked_word *tn_word_at(uint64_t address) { return (tn_checked_word *)(uintptr_t)address; }
TN_INLINE uint64_t tn_address_of(uint64_t ref) { return ref & (TN_REF_INDIRECT - 1); }

/* The header of the slot that the address is in, by division. The span has slots, or a large object. */
TN_INLINE uint64_t tn_header_around(struct tn_span *span, uint64_t address) {
    if (span->stride == 0) return (uint64_t)(uintptr_t)&span->free;
    uint64_t first = tn_span_start(span) + TN_SPAN_FIRST;
    uint64_t index = ((address - first) >> 3) * span->reciprocal >> 32;
    return first + index * span->stride;
}

/* Whether the header is that of a living object that the reference is to. */
TN_INLINE bool tn_header_fits(uint64_t header, uint64_t word) {
    return (header & TN_GENERATION_MASK) == (word & TN_GENERATION_MASK) && (header & TN_HEADER_FREE) == 0 &&
           header >> TN_GENERATION_SHIFT != 0;
}

/* The class of slots of at least stride bytes, which is at most TN_STRIDE_MOST. */
TN_INLINE unsigned tn_class_of(size_t stride) {
    if (stride <= 512) return (unsigned)((stride + 7) / 8) - 1;
    if (stride <= 2048) return 64 + (unsigned)((stride - 512 + 31) / 32) - 1;
    unsigned top = 63 - (unsigned)__builtin_clzl(stride - 1); /* 11 … 14 */
    return 64 + 48 + (top - 11) * 8 + (unsigned)((stride - 1 - (UINT64_C(1) << top)) >> (top - 3));
}
uint32_t tn_class_stride(unsigned class_index);

/* Makes the table. False if there is no memory. */
bool tn_spans_open(void);
void tn_spans_close(void);

/* A span of the class with at least one free slot, as the current one of the heap; NULL if there is no memory. */
struct tn_span *tn_span_refill(struct tn_heap *heap, unsigned class_index);

/* A slot of one of the heap's spans is free again: does what the change of the count asks for. */
void tn_span_freed(struct tn_heap *heap, struct tn_span *span);

/* The slot with this header, which has the free bit, is nobody's: links it, under its next generation, in its span. */
void tn_slot_release(struct tn_heap *heap, uint64_t header_at);

/* Gives the recent slots of a class back to their spans. */
void tn_recent_release(struct tn_heap *heap, struct tn_recent *recent);
#define TN_RECENT_MOST 64

/* A large object's span with room for size bytes; NULL if there is no memory. Its bytes are zero. */
struct tn_span *tn_large_take(size_t size);
void tn_large_give(struct tn_span *span);
void tn_large_clear(void);
void tn_large_hold(void);
void tn_large_release(void);
void tn_large_renew(void);
size_t tn_large_count(void);

#endif
