/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs that are linked with the collector. Its heap is kept small, so that what is not collected is missed.
 */
#include <gc/gc.h>
#include <string.h>

#include "prim/option.h"
#include "tenure/rt.h"
#include "tenure/statistics.h"

#include "harness.h"

#define HEAP_MOST_BYTES ((size_t)32 << 20)
/* In all this is many times the heap. */
#define ROUNDS 5000
#define OBJECT_BYTES 50000

static int64_t live(enum tn_region_kind kind) {
    struct tn_region_statistics all[TN_KIND_COUNT];
    tn_statistics_read(all);
    return all[kind].bytes_live;
}

static void heap_garbage_is_collected(void) {
    for (int i = 0; i < ROUNDS; i++) memset(tn_heap_alloc(OBJECT_BYTES, 8, NULL), i, OBJECT_BYTES);
    for (int i = 0; i < ROUNDS / 100; i++) CHECK((uintptr_t)tn_heap_alloc(OBJECT_BYTES, 4096, NULL) % 4096 == 0);
}

static void leaked_objects_are_collected(void) {
    for (int i = 0; i < ROUNDS; i++) {
        (void)tn_unique_alloc(OBJECT_BYTES, 8, NULL);
        (void)tn_counted_alloc(OBJECT_BYTES, 64, NULL);
    }
}

static void leaked_keys_take_their_regions_with_them(void) {
    for (int i = 0; i < ROUNDS; i++) {
        (void)tn_arena_alloc(tn_dynamic_open(tn_dynamic_new_unique(NULL)), OBJECT_BYTES, 8, NULL);
        (void)tn_arena_alloc(tn_dynamic_open(tn_dynamic_new_counted(NULL)), 10, 8, NULL);
    }
}

static void what_is_freed_by_hand_is_used_again(void) {
    GC_disable();
    for (int i = 0; i < ROUNDS; i++) {
        tn_unique_free(tn_unique_alloc(OBJECT_BYTES, i % 2 ? 8 : 128, NULL));
        tn_counted_drop(tn_counted_alloc(OBJECT_BYTES, i % 2 ? 8 : 128, NULL));
        struct tn_arena arena;
        tn_arena_enter(&arena);
        (void)tn_arena_alloc(&arena, i % 2 ? 100 : OBJECT_BYTES, 8, NULL);
        tn_arena_exit(&arena);
    }
    GC_enable();
}

static char ***from_static_data;
static _Thread_local char ***from_thread_storage;

/* A chain of three: an object of each discipline keeps the next alive. */
static char ***chain(struct tn_arena *arena, char letter) {
    char ***first = tn_unique_alloc(sizeof *first, 8, NULL);
    *first = tn_arena_alloc(arena, sizeof **first, 8, NULL);
    **first = tn_heap_alloc(16, 8, NULL);
    **first[0] = letter;
    return first;
}

static void what_is_reachable_stays(void) {
    struct tn_arena arena;
    tn_arena_enter(&arena);
    from_static_data = chain(&arena, 's');
    from_thread_storage = chain(&arena, 't');
    char ***volatile from_stack = chain(&arena, 'k');
    test_argv = NULL;
    ((char **)test_arguments.base)[0] = strcpy(tn_heap_alloc(16, 8, NULL), "heap");
    heap_garbage_is_collected();
    CHECK(**from_static_data[0] == 's' && **from_thread_storage[0] == 't' && **from_stack[0] == 'k');
    CHECK(strcmp(*(char **)test_arguments.base, "heap") == 0);
    tn_arena_exit(&arena);
}

static void the_heap_counts_what_was_found_alive(void) {
    tn_option_set(TN_OPTION_STATISTICS, 1);
    int64_t most = 0;
    void *volatile kept = tn_counted_alloc(100000, 8, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        (void)tn_heap_alloc(OBJECT_BYTES, 8, NULL);
        (void)tn_unique_alloc(OBJECT_BYTES, 8, NULL);
        if (live(TN_KIND_HEAP) > most) most = live(TN_KIND_HEAP);
    }
    CHECK(most >= 2 * OBJECT_BYTES && most <= (int64_t)HEAP_MOST_BYTES);
    GC_gcollect();
    CHECK(live(TN_KIND_HEAP) < most && live(TN_KIND_UNIQUE) < 20 * OBJECT_BYTES);
    CHECK(live(TN_KIND_COUNTED) >= 100000);
    tn_counted_drop(kept);
    tn_option_set(TN_OPTION_STATISTICS, 0);
}

static void everything_can_be_the_heaps(void) {
    tn_option_set(TN_OPTION_STATISTICS, 1);
    tn_option_set(TN_OPTION_HEAP_ONLY, 1);
    int64_t unique = live(TN_KIND_UNIQUE);
    struct tn_arena arena;
    tn_arena_enter(&arena);
    for (int i = 0; i < ROUNDS; i++) {
        char *in_arena = tn_arena_alloc(&arena, OBJECT_BYTES, 8, NULL);
        char *object = tn_unique_alloc(OBJECT_BYTES, 8, NULL);
        *in_arena = *object = 'a';
        tn_unique_free(object);
        CHECK(*object == 'a');
    }
    CHECK(arena.pages == NULL && live(TN_KIND_UNIQUE) == unique && live(TN_KIND_HEAP) <= (int64_t)HEAP_MOST_BYTES);
    tn_arena_exit(&arena);
    tn_option_set(TN_OPTION_HEAP_ONLY, 0);
    tn_option_set(TN_OPTION_STATISTICS, 0);
}

static void fill(void) {
    void **last = NULL;
    for (;;) {
        void **next = tn_heap_alloc(OBJECT_BYTES, 8, NULL);
        *next = last;
        last = next;
    }
}

static void a_full_heap_raises(void) {
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) fill();
    CHECK(tn_caught(&h) == &tn_exn_Bad_alloc);
}

/* Goes first: everything after it has this limit. */
static void the_heap_is_small(void) {
    GC_set_max_heap_size(HEAP_MOST_BYTES);
    CHECK(GC_get_heap_size() < HEAP_MOST_BYTES);
}

const struct test tests[] = {
    {"the heap is small", the_heap_is_small},
    {"heap garbage is collected", heap_garbage_is_collected},
    {"leaked objects are collected", leaked_objects_are_collected},
    {"leaked keys take their regions with them", leaked_keys_take_their_regions_with_them},
    {"what is freed by hand is used again", what_is_freed_by_hand_is_used_again},
    {"what is reachable stays", what_is_reachable_stays},
    {"the heap counts what was found alive", the_heap_counts_what_was_found_alive},
    {"everything can be the heap's", everything_can_be_the_heaps},
    {"a full heap raises", a_full_heap_raises},
    {NULL, NULL},
};
