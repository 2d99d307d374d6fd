/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/object.h"

#include "tolerant/allocate.h"
#include "tolerant/large.h"
#include "tolerant/misuse.h"

struct place {
    struct tt_page *page;
    unsigned slot;
};

static struct place place_of(struct tt_segment *segment, const void *object) {
    size_t offset = (uintptr_t)object & (TT_SEGMENT_BYTES - 1);
    size_t index = offset >> TT_PAGE_SHIFT;
    size_t back = segment->pages[index].back;
    struct tt_page *page = &segment->pages[index - back];
    if (page->kind == TT_PAGE_FREE || page->kind == TT_PAGE_LARGE) return (struct place){page, TT_SLOTS_MOST};
    return (struct place){page, tt_slot_at(page, offset - ((index - back) << TT_PAGE_SHIFT))};
}

/* Of any object but a slot of this thread's. */
static __attribute__((noinline)) size_t size_of_other(void *object) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment == NULL) return tt_large_size(object);
    struct place place = place_of(segment, object);
    if (place.page->kind == TT_PAGE_LARGE) return tt_large_size(object);
    if (place.slot >= place.page->slots) return 0;
    return (tt_bits(&place.page->free[place.slot >> 6]) >> (place.slot & 63) & 1) != 0 ? 0 : place.page->size;
}

/* Of a slot of this thread's it is found as a free finds it. */
size_t tt_object_size(void *object) {
    struct tt_segment *segment = tt_segment_of(object);
    if (tn_unlikely(segment == NULL)) return size_of_other(object);
    size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    uintptr_t apart = tt_word_apart(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed), tt_self);
    if (tn_unlikely(apart >= TT_APART_MOST)) return size_of_other(object);
    const struct tt_page *page = tt_page_before(&segment->pages[index], apart);
    unsigned slot = tt_slot_at(page, ((uintptr_t)object & (TT_PAGE_BYTES - 1)) + tt_bytes_before(apart));
    if (tn_unlikely(slot >= page->slots)) return 0;
    uint64_t freed = tt_bits(&page->free[slot >> 6]) | tt_bin_claims(page->bin, page, slot >> 6);
    return (freed >> (slot & 63) & 1) != 0 ? 0 : page->size;
}

/* Some programs ask for each object's size, when it is allocated and when it is freed: of a slot one word tells it. */
size_t tt_live_size(void *object) {
    struct tt_segment *segment = tt_segment_of(object);
    if (tn_unlikely(segment == NULL)) return size_of_other(object);
    size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    size_t size = tt_class_sizes[tt_word_class(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed))];
    return tn_likely(size != 0) ? size : size_of_other(object);
}

void tt_misuse_of(void *object, uintptr_t address) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment == NULL) tt_misuse(TT_MISUSE_FOREIGN_FREE, object, address);
    struct place place = place_of(segment, object);
    if (place.slot < place.page->slots) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    tt_misuse(TT_MISUSE_INVALID_FREE, object, address);
}
