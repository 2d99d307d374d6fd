/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A walk over the invariants of the tagged form, for tests: that spans tile what was handed out, that each free slot is
 * linked once and has the free bit, that counts are those of the slots, and that no generation is above its span's.
 */
#include "checked/tagged/tagged.h"
#include "tenure/checked.h"

/* Walks a list of free slots; how many, or SIZE_MAX if one is none of the span's. */
static size_t free_slots(const struct tn_span *span, uint64_t at) {
    uint64_t first = tn_span_start(span) + TN_SPAN_FIRST;
    size_t count = 0;
    while (at != 0) {
        if (at < first || (at - first) % span->stride != 0 || (at - first) / span->stride >= span->carved) return SIZE_MAX;
        uint64_t header = *tn_word_at(at);
        if ((header & TN_HEADER_FREE) == 0 || ++count > span->slots) return SIZE_MAX;
        at = header & TN_HEADER_LOW;
    }
    return count;
}

static const char *check_slots(const struct tn_span *span) {
    uint64_t first = tn_span_start(span) + TN_SPAN_FIRST;
    size_t live = 0, retired = 0;
    if (span->carved > span->slots || span->used > span->carved) return "a span counts more slots than it has";
    for (uint32_t i = 0; i < span->carved; i++) {
        uint64_t at = first + (uint64_t)i * span->stride, header = *tn_word_at(at);
        uint64_t generation = header >> TN_GENERATION_SHIFT;
        if (generation == 0) return "a slot in use has no generation";
        if (generation <= span->floor) return "a generation is not above its span's floor";
        if (generation > span->high && span->remote == 0) return "a generation is above its span's greatest";
        if (tn_header_around((struct tn_span *)span, at + span->stride - 1) != at) return "a slot is not found by division";
        if ((header & TN_HEADER_FREE) == 0) live++;
        if (generation == TN_GENERATION_LAST && (header & ~TN_GENERATION_MASK) == TN_HEADER_FREE) retired++;
    }
    size_t linked = free_slots(span, span->free), remote = free_slots(span, span->remote);
    if (linked == SIZE_MAX || remote == SIZE_MAX) return "a free list leads astray";
    if (linked != span->carved - span->used) return "free slots are not those that are not used";
    if (live > span->used) return "more objects live than slots are used";
    if (retired < span->retired) return "fewer slots are retired than are counted";
    return NULL;
}

static const char *check_span(const struct tn_span *span) {
    switch (span->state) {
    case TN_SPAN_NONE: return "a unit is no span's";
    case TN_SPAN_LARGE:
    case TN_SPAN_RETIRED: return NULL;
    case TN_SPAN_EMPTY:
        if (span->used != 0 || span->carved != 0 || span->free != 0) return "an empty span has objects";
        return *tn_word_at(tn_span_start(span) + TN_SPAN_FIRST) == 0 ? NULL : "an empty span has a header";
    case TN_SPAN_FULL:
        if (span->free != 0) return "a full span has a free slot";
        return check_slots(span);
    default: return check_slots(span);
    }
}

const char *tn_tagged_validate(void) {
    size_t units = tn_reserve_units();
    if (units == 0) return NULL;
    size_t first = (tn_reserve_first() - tn_reserve.start) >> TN_UNIT_SHIFT;
    for (size_t i = first; i < first + units; i += tn_spans[i].units) {
        const struct tn_span *span = &tn_spans[i];
        if (span->units == 0 || span->head != i) return "a unit is no span's";
        for (uint32_t j = 0; j < span->units; j++)
            if (tn_spans[i + j].head != i) return "a unit does not know its span";
        const char *wrong = check_span(span);
        if (wrong != NULL) return wrong;
    }
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        const struct tn_heap *heap = (const struct tn_heap *)m;
        for (unsigned c = 0; c < TN_CLASS_COUNT; c++)
            for (const struct tn_span *s = heap->queued[c].first; s != NULL; s = s->next)
                if (s->state != TN_SPAN_QUEUED || s->owner != heap || (s->free == 0 && s->carved == s->slots))
                    return "a span is in the wrong queue";
    }
    return NULL;
}
