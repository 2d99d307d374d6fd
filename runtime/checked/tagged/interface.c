/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What tenure/checked.h offers beyond what compiled code calls, in the tagged form.
 */
#include <errno.h>

#include "checked/error.h"
#include "checked/tagged/tagged.h"
#include "tenure/checked.h"

int tn_tagged_open(const struct tnc_options *options) {
    struct tnc_options none = {0};
    if (options == NULL) options = &none;
    int error = tn_heap_open(options->threads, options->remember, options->memory_limit, options->pressure);
    return error != 0 ? error : tn_tagged_attach();
}

int tn_tagged_attach(void) {
    bool refused;
    if (tn_heap_mine(&refused) != NULL) return 0;
    return refused ? EBUSY : ENOMEM;
}

void tn_tagged_detach(void) {
    struct tn_heap *heap = tn_heap_self;
    tn_heap_self = NULL;
    if (heap != NULL) tn_members_part(&heap->member);
}

void tn_tagged_leave(void) {
    if (tn_heap_self != NULL) tn_member_leave(&tn_heap_self->member);
}

void tn_tagged_enter(void) {
    if (tn_heap_self != NULL) tn_member_enter(&tn_heap_self->member);
}

/* Objects of the tagged form stay where they are: a reference is as good anywhere. */
int tn_tagged_register(void *start, size_t count) {
    (void)start, (void)count;
    return 0;
}
void tn_tagged_unregister(void *start) { (void)start; }

void tn_tagged_poll(void) {
    struct tn_heap *heap = tn_heap_self;
    if (heap == NULL) return;
    tn_member_poll(&heap->member);
    if (heap->limbo.waiting.count != 0) tn_heap_settle(heap);
    tn_budget_poll();
}

size_t tn_tagged_size(const void *ref, const tnc_site *site) {
    uint64_t at = (uint64_t)(uintptr_t)tn_touch(ref, site);
    const struct tn_span *span = tn_span_of(at);
    if (span->stride == 0) return (size_t)span->slots << 12;
    return span->stride - TN_HEADER_SIZE - (tn_checked_remembers ? sizeof(uint64_t) : 0);
}

bool tn_tagged_alive(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref, at = tn_address_of(word);
    if (!tn_reserve_has(at)) return false;
    uint64_t header_at = (word & TN_REF_INDIRECT) == 0 ? at - TN_HEADER_SIZE : tn_header_around(tn_span_of(at), at);
    uint64_t header = __atomic_load_n(tn_word_at(header_at), __ATOMIC_RELAXED);
    return ((header ^ word) & (TN_GENERATION_MASK | TN_HEADER_FREE) & ~(word & TN_REF_INDIRECT)) == 0 &&
           (header & TN_HEADER_FREE) == 0;
}

void tn_tagged_statistics(struct tnc_statistics *statistics) {
    struct tnc_statistics sum = {0};
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        const struct tn_heap *heap = (const struct tn_heap *)m;
        sum.allocated_objects += heap->allocated;
        sum.deleted_objects += heap->deleted;
        sum.pinned_deleted += heap->pinned_deleted;
        for (unsigned c = 0; c < TN_CLASS_COUNT; c++) sum.live_bytes -= (uint64_t)heap->recent[c].count * tn_class_stride(c);
        sum.waiting_objects += tn_limbo_count(&heap->limbo);
    }
    size_t units = tn_reserve_units();
    size_t first = units != 0 ? (tn_reserve_first() - tn_reserve.start) >> TN_UNIT_SHIFT : 0;
    for (size_t i = first; i < first + units; i += tn_spans[i].units != 0 ? tn_spans[i].units : 1) {
        const struct tn_span *span = &tn_spans[i];
        if (span->state == TN_SPAN_NONE) continue;
        sum.spans++;
        sum.retired_slots += span->retired;
        sum.live_bytes += (uint64_t)(span->used - span->retired) * span->stride;
        if (span->state == TN_SPAN_LARGE && (span->free & TN_HEADER_FREE) == 0) sum.live_bytes += (uint64_t)span->slots << 12;
    }
    sum.large_objects = tn_large_count();
    sum.taken_bytes = tn_budget.taken;
    sum.peak_taken_bytes = tn_budget.peak;
    *statistics = sum;
}
