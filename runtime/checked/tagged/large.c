/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Large objects: a run of units each. A run is used again only for objects of its class of sizes, whole, so that a
 * reference into it always finds the one header, in the span; its generations go on from object to object.
 */
#include "checked/tagged/span.h"

#include "prim/lock.h"
#include "prim/space.h"

/* Classes of runs: each number of units to 8, then 8 a doubling. */
#define RUN_CLASSES 128

static tn_lock lock = TN_LOCK_INITIALIZER;
static struct tn_span *free_runs[RUN_CLASSES];
static size_t live;

static unsigned run_class(size_t units) {
    if (units <= 8) return (unsigned)units - 1;
    unsigned top = 63 - (unsigned)__builtin_clzl(units - 1); /* from 3 on */
    return 8 + (top - 3) * 8 + (unsigned)((units - 1 - (UINT64_C(1) << top)) >> (top - 3));
}

static size_t run_units(unsigned class_index) {
    if (class_index < 8) return class_index + 1;
    unsigned eighth = class_index - 8;
    return (UINT64_C(8) << eighth / 8) + (eighth % 8 + 1) * (UINT64_C(1) << eighth / 8);
}

static struct tn_span *make_run(size_t units) {
    uintptr_t start = tn_reserve_take(units);
    if (start == 0) return NULL;
    uint32_t head = (uint32_t)((start - tn_reserve.start) >> TN_UNIT_SHIFT);
    for (size_t i = 1; i < units; i++) tn_spans[head + i].head = head;
    struct tn_span *span = &tn_spans[head];
    span->head = head;
    span->units = (uint32_t)units;
    span->class_index = TN_CLASS_LARGE;
    span->state = TN_SPAN_LARGE;
    __atomic_store_n(&span->free, TN_HEADER_FREE, __ATOMIC_RELEASE);
    return span;
}

struct tn_span *tn_large_take(size_t size) {
    if (size > tn_reserve.end - tn_reserve.start) return NULL;
    unsigned class_index = run_class((size + TN_UNIT - 1) >> TN_UNIT_SHIFT);
    size_t units = run_units(class_index);
    size_t rounded = (size + 4095) & ~(size_t)4095;
    if (!tn_budget_take(rounded)) return NULL;
    tn_lock_acquire(&lock);
    struct tn_span *span = free_runs[class_index];
    if (span != NULL) free_runs[class_index] = span->next;
    tn_lock_release(&lock);
    if (span == NULL) span = make_run(units);
    if (span == NULL) {
        tn_budget_give(rounded);
        return NULL;
    }
    span->next = NULL;
    span->slots = (uint32_t)(rounded >> 12);
    (void)__atomic_add_fetch(&live, 1, __ATOMIC_RELAXED);
    return span;
}

void tn_large_give(struct tn_span *span) {
    size_t size = (size_t)span->slots << 12;
    void *start = (void *)(uintptr_t)tn_span_start(span);
    (void)__atomic_sub_fetch(&live, 1, __ATOMIC_RELAXED);
    bool discarded = tn_space_discard(start, size);
    if (!discarded) __builtin_memset(start, 0, size); /* locked memory */
    tn_budget_give(size);
    uint64_t generation = span->free & TN_GENERATION_MASK;
    if (generation == TN_GENERATION_MASK) {
        span->state = TN_SPAN_RETIRED;
        return;
    }
    __atomic_store_n(&span->free, generation | TN_HEADER_FREE, __ATOMIC_RELAXED);
    unsigned class_index = run_class(span->units);
    tn_lock_acquire(&lock);
    span->next = free_runs[class_index];
    free_runs[class_index] = span;
    tn_lock_release(&lock);
}

size_t tn_large_count(void) { return __atomic_load_n(&live, __ATOMIC_RELAXED); }

void tn_large_clear(void) {
    for (unsigned i = 0; i < RUN_CLASSES; i++) free_runs[i] = NULL;
    live = 0;
}

void tn_large_hold(void) { tn_lock_acquire(&lock); }
void tn_large_release(void) { tn_lock_release(&lock); }
void tn_large_renew(void) { tn_lock_renew(&lock); }
