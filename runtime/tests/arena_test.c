/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Arenas: what an allocation promises, at each debug level.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "prim/option.h"
#include "prim/sanitize.h"
#include "tenure/rt.h"
#include "tenure/statistics.h"

#include "harness.h"

static uint32_t random_state = 12345;
static uint32_t next_random(void) {
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 8;
}

static int is_filled(const unsigned char *p, size_t size, unsigned char value) {
    for (size_t i = 0; i < size; i++)
        if (p[i] != value) return 0;
    return 1;
}

/* Objects of random sizes and alignments: aligned, zero if asked for, and none overlaps another. */
static void fill_arena(struct tn_arena *a, int count, size_t most) {
    struct {
        unsigned char *start;
        size_t size;
        unsigned char value;
    } objects[300];
    for (int i = 0; i < count; i++) {
        size_t size = next_random() % most;
        size_t align = (size_t)1 << (next_random() % 8);
        int zeroed = (int)(next_random() % 2);
        unsigned char *p = zeroed ? tn_arena_alloc_zero(a, size, align, NULL) : tn_arena_alloc(a, size, align, NULL);
        CHECK(p != NULL && (uintptr_t)p % align == 0);
        if (zeroed) CHECK(is_filled(p, size, 0));
        objects[i].start = p;
        objects[i].size = size;
        objects[i].value = (unsigned char)(i + 1);
        memset(p, i + 1, size);
    }
    for (int i = 0; i < count; i++) CHECK(is_filled(objects[i].start, objects[i].size, objects[i].value));
}

static void at_every_level(void (*run)(void)) {
    int64_t level = tn_option_get(TN_OPTION_DEBUG_LEVEL);
    for (int i = 0; i <= 3; i++) {
        tn_option_set(TN_OPTION_DEBUG_LEVEL, i);
        run();
    }
    tn_option_set(TN_OPTION_DEBUG_LEVEL, level);
}

static void use_many_sizes(void) {
    static const size_t most[] = {9, 100, 3000, 70000, 2000000};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++)
        for (int round = 0; round < 3; round++) { /* the later rounds meet pages that were used before */
            struct tn_arena a;
            tn_arena_enter(&a);
            fill_arena(&a, most[i] > 10000 ? 20 : 300, most[i]);
            (void)tn_arenas_validate();
            tn_arena_exit(&a);
            CHECK(a.pages == NULL && a.reserved == 0);
        }
}

static void objects_are_aligned_zero_and_apart(void) { at_every_level(use_many_sizes); }

static void mix_sizes(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    /* A large object in between does not end the current page. */
    (void)tn_arena_alloc(&a, 10, 8, NULL);
    size_t before = a.reserved;
    (void)tn_arena_alloc(&a, 1000000, 8, NULL);
    CHECK(a.reserved - before >= 1000000 && a.reserved - before < 1000000 + 65536);
    before = a.reserved;
    (void)tn_arena_alloc(&a, 10, 8, NULL);
    CHECK(a.reserved == before);
    tn_arena_exit(&a);
}

static void a_large_object_has_its_own_page(void) { at_every_level(mix_sizes); }

static void an_unused_arena_reserves_nothing(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    CHECK(a.reserved == 0 && a.pages == NULL);
    tn_arena_exit(&a);
}

static void reserved_is_bounded_by_use(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    size_t used = 0;
    for (int i = 0; i < 200000; i++) {
        (void)tn_arena_alloc(&a, 24, 8, NULL);
        used += 24;
        if (tn_option_get(TN_OPTION_DEBUG_LEVEL) == 0 && !TN_ASAN) CHECK(a.reserved <= 2 * used + 4096);
    }
    tn_arena_exit(&a);
}

static size_t quota_given;
static void exceed_quota(void) {
    struct tn_arena a;
    volatile int objects = 0, raised = 0;
    tn_arena_enter(&a);
    tn_arena_set_quota(&a, 100000);
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        for (;;) {
            (void)tn_arena_alloc(&a, 100, 8, NULL);
            objects++;
        }
    } else {
        raised = tn_caught(&h) == &tn_exn_Region_Exhausted;
    }
    quota_given = a.reserved;
    CHECK(raised && a.reserved <= 100000 && a.reserved > 90000);
    CHECK(objects > 400);
    /* The arena is still whole. */
    (void)tn_arenas_validate();
    tn_arena_exit(&a);
}

static void a_quota_is_kept(void) { at_every_level(exceed_quota); }

static void the_heap_is_a_region_too(void) {
    int *p = (int *)tn_arena_alloc(&tn_heap, sizeof(int), _Alignof(int), NULL);
    char *q = (char *)tn_arena_alloc_zero(&tn_heap, 0, 1, NULL);
    char *r = (char *)tn_arena_alloc_zero(&tn_heap, 100, 64, NULL);
    CHECK(p != NULL && *p == 0 && q != NULL && (uintptr_t)r % 64 == 0 && is_filled((unsigned char *)r, 100, 0));
    CHECK(tn_heap.pages == NULL);
    tn_heap_free(p);
    CHECK(*p == 0);
    free(p);
    free(q);
    free(r);
}

static void statistics_count_what_lives(void) {
    int64_t before = tn_option_get(TN_OPTION_STATISTICS);
    tn_option_set(TN_OPTION_STATISTICS, 1);
    struct tn_region_statistics s0[TN_KIND_COUNT], s1[TN_KIND_COUNT], s2[TN_KIND_COUNT];
    tn_statistics_read(s0);
    struct tn_arena a;
    tn_arena_enter(&a);
    for (int i = 0; i < 1000; i++) (void)tn_arena_alloc(&a, 20, 8, NULL);
    tn_statistics_read(s1);
    size_t reserved = a.reserved;
    tn_arena_exit(&a);
    tn_statistics_read(s2);
    CHECK(s1[TN_KIND_LEXICAL].objects_live - s0[TN_KIND_LEXICAL].objects_live == 1000);
    CHECK(s1[TN_KIND_LEXICAL].bytes_live - s0[TN_KIND_LEXICAL].bytes_live == 20000);
    CHECK(s1[TN_KIND_LEXICAL].bytes_reserved - s0[TN_KIND_LEXICAL].bytes_reserved == (int64_t)reserved);
    CHECK(s2[TN_KIND_LEXICAL].objects_live == s0[TN_KIND_LEXICAL].objects_live);
    CHECK(s2[TN_KIND_LEXICAL].bytes_live == s0[TN_KIND_LEXICAL].bytes_live);
    CHECK(s2[TN_KIND_LEXICAL].bytes_reserved == s0[TN_KIND_LEXICAL].bytes_reserved);
    CHECK(s2[TN_KIND_LEXICAL].bytes_live_peak >= s1[TN_KIND_LEXICAL].bytes_live);
    CHECK(strcmp(tn_region_kind_name(TN_KIND_COUNTED), "counted") == 0);
    tn_option_set(TN_OPTION_STATISTICS, before);
}

static void count_call(void *calls) { ++*(int *)calls; }

static void a_trace_is_called_as_memory_moves(void) {
    int calls = 0;
    tn_statistics_trace(count_call, &calls, 65536);
    struct tn_arena a;
    tn_arena_enter(&a);
    for (int i = 0; i < 10; i++) (void)tn_arena_alloc(&a, 100000, 8, NULL);
    tn_arena_exit(&a);
    tn_statistics_trace(NULL, NULL, 0);
    CHECK(calls >= 4);
    int seen = calls;
    tn_arena_enter(&a);
    (void)tn_arena_alloc(&a, 100000, 8, NULL);
    tn_arena_exit(&a);
    CHECK(calls == seen);
}

static void *churn(void *unused) {
    for (int i = 0; i < 50; i++) {
        struct tn_arena a;
        tn_arena_enter(&a);
        for (int k = 0; k < 2000; k++) memset(tn_arena_alloc(&a, 40, 8, NULL), 1, 40);
        tn_arena_exit(&a);
    }
    return unused;
}

static void threads_give_their_pages_back(void) {
    struct tn_region_statistics before[TN_KIND_COUNT], after[TN_KIND_COUNT];
    tn_statistics_read(before);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, churn, NULL) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    tn_statistics_read(after);
    CHECK(before[TN_KIND_LEXICAL].bytes_reserved == after[TN_KIND_LEXICAL].bytes_reserved);
}

static void freed_memory_is_poisoned(void) {
    if (under_asan() || under_valgrind()) return; /* they forbid the look at freed memory itself */
    int64_t level = tn_option_get(TN_OPTION_DEBUG_LEVEL);
    tn_option_set(TN_OPTION_DEBUG_LEVEL, 2);
    struct tn_arena a;
    tn_arena_enter(&a);
    const volatile unsigned char *p = tn_arena_alloc(&a, 300, 8, NULL);
    CHECK(p[0] == 0xC5 && p[299] == 0xC5);
    tn_arena_exit(&a);
    /* The page is in this thread's cache, so the address is still mapped. */
    CHECK(p[0] == 0xDF && p[299] == 0xDF);
    tn_option_set(TN_OPTION_DEBUG_LEVEL, level);
}

static void write_past(void) {
    tn_option_set(TN_OPTION_DEBUG_LEVEL, 3);
    struct tn_arena a;
    tn_arena_enter(&a);
    volatile char *p = tn_arena_alloc(&a, 10, 8, NULL);
    p[10] = 0;
    tn_arena_exit(&a);
}

static void write_before(void) {
    tn_option_set(TN_OPTION_DEBUG_LEVEL, 3);
    struct tn_arena a;
    tn_arena_enter(&a);
    volatile char *p = tn_arena_alloc(&a, 10, 8, NULL);
    p[-32] = 0;
    (void)tn_arenas_validate();
}

static void overruns_are_found_at_level_three(void) {
    if (under_asan()) return; /* it finds them at the write */
    CHECK_ENDS(write_past, 70, "tenure: memory after an object of an arena was overwritten\n");
    CHECK_ENDS(write_before, 70, "tenure: memory before an object of an arena was overwritten\n");
}

static void asan_knows_where_objects_end(void) {
#if TN_ASAN
    struct tn_arena a;
    tn_arena_enter(&a);
    char *p = tn_arena_alloc(&a, 10, 8, NULL);
    char *q = tn_arena_alloc(&a, 16, 8, NULL);
    CHECK(!__asan_address_is_poisoned(p) && !__asan_address_is_poisoned(p + 9));
    CHECK(__asan_address_is_poisoned(p + 10) && __asan_address_is_poisoned(p - 1));
    CHECK(__asan_address_is_poisoned(q + 16));
    tn_arena_exit(&a);
    CHECK(__asan_address_is_poisoned(p) && __asan_address_is_poisoned(q));
#endif
}

const struct test tests[] = {
    {"objects are aligned, zero and apart", objects_are_aligned_zero_and_apart},
    {"a large object has its own page", a_large_object_has_its_own_page},
    {"an unused arena reserves nothing", an_unused_arena_reserves_nothing},
    {"reserved is bounded by use", reserved_is_bounded_by_use},
    {"a quota is kept", a_quota_is_kept},
    {"the heap is a region too", the_heap_is_a_region_too},
    {"statistics count what lives", statistics_count_what_lives},
    {"a trace is called as memory moves", a_trace_is_called_as_memory_moves},
    {"threads give their pages back", threads_give_their_pages_back},
    {"freed memory is poisoned", freed_memory_is_poisoned},
    {"overruns are found at level three", overruns_are_found_at_level_three},
    {"ASan knows where objects end", asan_knows_where_objects_end},
    {NULL, NULL},
};
