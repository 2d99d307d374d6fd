/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The Boehm-Demers-Weiser collector as the source of all storage: heap objects die when nothing refers to them, and
 * so do unique and counted objects, keys and arenas that a program leaked. What is freed by hand is freed at once.
 *
 * All of it is in the collector's memory, because any of it may hold pointers to heap objects. Its roots are the stack,
 * static data, and the storage of the first thread's own variables; programs have one thread. libc's malloc is not
 * searched: what C code hides there keeps nothing alive. Objects of the checked heap are roots as long as they live.
 */
#include <gc/gc.h>
#include <gc/gc_mark.h>
#include <stdint.h>
#include <string.h>

#include "checked/reserve.h"
#include "prim/option.h"
#include "prim/thread.h"
#include "region/source.h"
#include "region/statistics.h"

#define COLLECTOR_ALIGN 16

/* While objects are counted, those of each kind have a kind of the collector's, so that it can tell which of them
 * it found alive. Pages of arenas are counted by the arenas. */
static int collector_kinds[TN_KIND_COUNT];

struct census {
    int64_t objects[TN_KIND_COUNT], bytes[TN_KIND_COUNT];
};

static void count_object(void *object, size_t size, void *context) {
    struct census *census = (struct census *)context;
    int collector_kind = GC_get_kind_and_size(object, NULL);
    for (int kind = TN_KIND_HEAP; kind < TN_KIND_COUNT; kind++)
        if (collector_kinds[kind] == collector_kind) {
            census->objects[kind]++;
            census->bytes[kind] += (int64_t)size;
        }
}

static void GC_CALLBACK after_marking(GC_EventType event) {
    if (event != GC_EVENT_MARK_END || !tn_statistics_per_object()) return;
    struct census census = {{0}, {0}};
    GC_enumerate_reachable_objects_inner(count_object, &census);
    for (int kind = TN_KIND_HEAP; kind < TN_KIND_COUNT; kind++)
        tn_statistics_live((enum tn_region_kind)kind, census.objects[kind], census.bytes[kind]);
}

/* The checked heap, in programs that use it: its objects are none of the collector's, and what they refer to is. Those
 * that were deleted still count until their memory is used again. */
#pragma weak tn_reserve_first
#pragma weak tn_reserve_units

static GC_push_other_roots_proc other_roots;

static void GC_CALLBACK push_checked(void) {
    if (other_roots != NULL) other_roots();
    if (tn_reserve_units == NULL) return;
    size_t units = tn_reserve_units();
    if (units == 0) return;
    uintptr_t first = tn_reserve_first();
    GC_push_all((void *)first, (void *)(first + (units << TN_UNIT_SHIFT)));
}

static void add_root(void *start, void *end) { GC_add_roots(start, end); }

/* Before main, because the first allocation may come from another constructor. */
__attribute__((constructor(101))) static void begin(void) {
    GC_set_all_interior_pointers(1);
    GC_INIT();
    GC_set_warn_proc(GC_ignore_warn_proc);
    tn_thread_storage(add_root);
    other_roots = GC_get_push_other_roots();
    GC_set_push_other_roots(push_checked);
    for (int kind = TN_KIND_HEAP; kind < TN_KIND_COUNT; kind++)
        collector_kinds[kind] = (int)GC_new_kind(GC_new_free_list(), GC_DS_LENGTH, 1, 1);
    GC_set_on_collection_event(after_marking);
    /* A page that a thread kept would keep alive what its dead objects refer to. */
    tn_option_set(TN_OPTION_PAGE_CACHE, 0);
}

/* Its memory is zero. */
static void *take(enum tn_region_kind kind, size_t size) {
    return tn_statistics_per_object() ? GC_generic_malloc(size, collector_kinds[kind]) : GC_malloc(size);
}

void *tn_source_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed) {
    (void)zeroed;
    if (align <= COLLECTOR_ALIGN) return take(kind, size);
    size_t with_padding = size + align - COLLECTOR_ALIGN;
    if (with_padding < size) return NULL;
    uintptr_t start = (uintptr_t)take(kind, with_padding);
    return (void *)((start + align - 1) & ~(uintptr_t)(align - 1));
}

void tn_source_give(void *storage) { GC_free(GC_base(storage)); }

size_t tn_source_usable(void *storage) { return GC_size(GC_base(storage)); }

void *tn_source_take_page(size_t size, int *zero) {
    *zero = 1;
    return GC_malloc(size);
}

void tn_source_give_page(void *page, size_t size) {
    (void)size;
    GC_free(page);
}

int tn_source_is_malloc(void) { return 0; }

int tn_source_is_heap_only(void) { return tn_option_get(TN_OPTION_HEAP_ONLY) != 0; }

size_t tn_source_footprint(void) { return GC_get_heap_size(); }
