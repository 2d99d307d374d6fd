/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What tenure/checked.h offers beyond what compiled code calls.
 */
#include <errno.h>

#include "checked/error.h"
#include "checked/tagged/tagged.h"
#include "prim/lock.h"
#include "tenure/checked.h"

static tn_lock pressure_lock = TN_LOCK_INITIALIZER;
static void (*pressure_call)(const struct tnc_pressure *pressure, void *context);
static void *pressure_context;
static bool pressure_told; /* the function ran, and the heap has not been below the mark since */

int tnc_open(const struct tnc_options *options) {
    struct tnc_options none = {0};
    if (options == NULL) options = &none;
    int error = tn_heap_open(options->threads, options->remember, options->memory_limit, options->pressure);
    return error != 0 ? error : tnc_thread_attach();
}

void tnc_close_tagged(void);
void tnc_close(void) {
    tnc_close_tagged();
    pressure_call = NULL;
    pressure_told = false;
}

int tnc_thread_attach(void) {
    bool refused;
    if (tn_heap_mine(&refused) != NULL) return 0;
    return refused ? EBUSY : ENOMEM;
}

void tnc_thread_detach(void) {
    struct tn_heap *heap = tn_heap_self;
    tn_heap_self = NULL;
    if (heap != NULL) tn_members_part(&heap->member);
}

void tnc_leave(void) {
    if (tn_heap_self != NULL) tn_member_leave(&tn_heap_self->member);
}

void tnc_enter(void) {
    if (tn_heap_self != NULL) tn_member_enter(&tn_heap_self->member);
}

/* Objects of the tagged form stay where they are: a reference is as good anywhere. */
int tnc_register(void *start, size_t count) {
    (void)start, (void)count;
    return 0;
}
void tnc_unregister(void *start) { (void)start; }

void tnc_on_pressure(void (*call)(const struct tnc_pressure *pressure, void *context), void *context) {
    tn_lock_acquire(&pressure_lock);
    pressure_call = call;
    pressure_context = context;
    tn_lock_release(&pressure_lock);
}

static void tell_pressure(void) {
    struct tnc_pressure pressure = {__atomic_load_n(&tn_budget.taken, __ATOMIC_RELAXED), tn_budget.mark};
    tn_lock_acquire(&pressure_lock);
    bool above = pressure.mark != 0 && pressure.taken > pressure.mark;
    bool tell = above && !pressure_told && pressure_call != NULL;
    void (*call)(const struct tnc_pressure *, void *) = pressure_call;
    void *context = pressure_context;
    pressure_told = above;
    tn_lock_release(&pressure_lock);
    if (tell) call(&pressure, context);
}

void tn_checked_poll_slow(void) {
    struct tn_heap *heap = tn_heap_self;
    if (heap == NULL) return;
    tn_member_poll(&heap->member);
    if (heap->waiting.count != 0) tn_heap_settle(heap);
    if (tn_budget.mark != 0) tell_pressure();
}

void *tnc_pin_forever(const void *ref, const tnc_site *site) {
    void *address = tn_pin(ref, site);
    uint64_t at = (uint64_t)(uintptr_t)address;
    uint64_t header_at = ((uint64_t)(uintptr_t)ref & TN_REF_INDIRECT) == 0 ? at - TN_HEADER_SIZE
                                                                        : tn_header_around(tn_span_of(at), at);
    (void)__atomic_or_fetch(tn_word_at(header_at), TN_HEADER_PINS, __ATOMIC_RELAXED);
    return address;
}

size_t tnc_size(const void *ref, const tnc_site *site) {
    uint64_t at = (uint64_t)(uintptr_t)tn_touch(ref, site);
    const struct tn_span *span = tn_span_of(at);
    if (span->stride == 0) return (size_t)span->slots << 12;
    return span->stride - TN_HEADER_SIZE - (tn_checked_remembers ? sizeof(uint64_t) : 0);
}

bool tnc_alive(const void *ref) {
    uint64_t word = (uint64_t)(uintptr_t)ref, at = tn_address_of(word);
    if (!tn_reserve_has(at)) return false;
    uint64_t header_at = (word & TN_REF_INDIRECT) == 0 ? at - TN_HEADER_SIZE : tn_header_around(tn_span_of(at), at);
    uint64_t header = __atomic_load_n(tn_word_at(header_at), __ATOMIC_RELAXED);
    return ((header ^ word) & (TN_GENERATION_MASK | TN_HEADER_FREE) & ~(word & TN_REF_INDIRECT)) == 0 &&
           (header & TN_HEADER_FREE) == 0;
}

void tnc_statistics(struct tnc_statistics *statistics) {
    struct tnc_statistics sum = {0};
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        const struct tn_heap *heap = (const struct tn_heap *)m;
        sum.allocated_objects += heap->allocated;
        sum.deleted_objects += heap->deleted;
        sum.pinned_deleted += heap->pinned_deleted;
        sum.waiting_objects += heap->open.count + heap->waiting.count;
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
