/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/statistics.h"

#include <stdatomic.h>
#include <stddef.h>

#include "prim/counter.h"
#include "prim/option.h"
#include "region/source.h"

static struct kind_counters {
    struct tn_counter objects, bytes, reserved;
} counters[TN_KIND_COUNT];

static void (*_Atomic trace_hook)(void *context);
static void *trace_context;
static int64_t trace_every_bytes;
static _Atomic int64_t trace_moved_bytes;

int tn_statistics_per_object(void) {
    return tn_option_get(TN_OPTION_STATISTICS) != 0 || tn_option_get(TN_OPTION_DEBUG_LEVEL) != 0;
}

/* Counts what moved, in either direction, towards the next call of the hook. */
static void trace(int64_t bytes) {
    void (*hook)(void *) = atomic_load_explicit(&trace_hook, memory_order_acquire);
    if (hook == NULL) return;
    int64_t moved = bytes < 0 ? -bytes : bytes;
    if (atomic_fetch_add_explicit(&trace_moved_bytes, moved, memory_order_relaxed) + moved < trace_every_bytes) return;
    atomic_store_explicit(&trace_moved_bytes, 0, memory_order_relaxed);
    hook(trace_context);
}

void tn_statistics_objects(enum tn_region_kind kind, int64_t objects, int64_t bytes) {
    tn_counter_add(&counters[kind].objects, objects);
    tn_counter_add(&counters[kind].bytes, bytes);
    trace(bytes);
}

void tn_statistics_reserve(enum tn_region_kind kind, int64_t bytes) {
    tn_counter_add(&counters[kind].reserved, bytes);
    trace(bytes);
}

/* Where one source holds the storage of all kinds, the heap has what no other kind has reserved. */
static void heap_is_the_rest(struct tn_region_statistics out[TN_KIND_COUNT]) {
    int64_t rest = (int64_t)tn_source_footprint();
    if (rest == 0) return;
    for (int kind = 0; kind < TN_KIND_COUNT; kind++)
        if (kind != TN_KIND_HEAP) rest -= out[kind].bytes_reserved;
    out[TN_KIND_HEAP].bytes_reserved = rest > 0 ? rest : 0;
    /* Such a source grows only. */
    if (out[TN_KIND_HEAP].bytes_reserved_peak < rest) out[TN_KIND_HEAP].bytes_reserved_peak = rest;
}

void tn_statistics_live(enum tn_region_kind kind, int64_t objects, int64_t bytes) {
    tn_statistics_objects(kind, objects - tn_counter_now(&counters[kind].objects),
                          bytes - tn_counter_now(&counters[kind].bytes));
}

void tn_statistics_read(struct tn_region_statistics out[TN_KIND_COUNT]) {
    for (int kind = 0; kind < TN_KIND_COUNT; kind++) {
        struct kind_counters *c = &counters[kind];
        out[kind] = (struct tn_region_statistics){
            .objects_live = tn_counter_now(&c->objects),
            .objects_live_peak = tn_counter_peak(&c->objects),
            .bytes_live = tn_counter_now(&c->bytes),
            .bytes_live_peak = tn_counter_peak(&c->bytes),
            .bytes_reserved = tn_counter_now(&c->reserved),
            .bytes_reserved_peak = tn_counter_peak(&c->reserved),
        };
    }
    heap_is_the_rest(out);
}

const char *tn_region_kind_name(enum tn_region_kind kind) {
    static const char *const names[TN_KIND_COUNT] = {"lexical", "dynamic", "heap", "unique", "counted"};
    return names[kind];
}

void tn_statistics_trace(void (*hook)(void *context), void *context, int64_t every_bytes) {
    trace_context = context;
    trace_every_bytes = every_bytes;
    atomic_store_explicit(&trace_moved_bytes, 0, memory_order_relaxed);
    atomic_store_explicit(&trace_hook, hook, memory_order_release);
}
