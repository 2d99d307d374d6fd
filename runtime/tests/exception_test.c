/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Throwing, catching and unwinding.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tenure/rt.h"
#include "tenure/statistics.h"

#include "harness.h"

static const struct tn_site site = {"test.cyc", 7, 3, "f", "a[i]"};
static const struct tn_exn_tag tag_Other = {"Other", NULL};
static struct tn_exn other = {&tag_Other};

static TN_OUTLINE void fail_if(int condition) {
    if (condition) tn_raise_index(&site, 12, 10);
}

/* The value of a try whose body may fail, as emitted code has it. */
static int protected(int fails) {
    volatile int steps = 0;
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        steps = 1;
        fail_if(fails);
        steps = 2;
        tn_handler_pop(&h);
    } else {
        CHECK(tn_caught(&h) == &tn_exn_Array_bounds);
        CHECK(tn_exn_tag_of(tn_caught(&h)) == &tn_tag_Array_bounds);
        CHECK(h.cause.site == &site && h.cause.first == 12 && h.cause.second == 10);
        return 100 + steps;
    }
    return steps;
}

static void a_throw_lands_on_the_handler(void) {
    CHECK(protected(0) == 2);
    CHECK(protected(1) == 101);
    CHECK(tn_frames == NULL);
}

static void registers_survive_a_landing(void) {
    /* More live values than the processor has registers: all must be as before the try. */
    volatile int seed = 3;
    int a = seed + 1, b = seed + 2, c = seed + 3, d = seed + 4, e = seed + 5, f = seed + 6, g = seed + 7;
    int i = seed + 8, j = seed + 9, k = seed + 10, l = seed + 11, m = seed + 12, n = seed + 13, o = seed + 14;
    double x = seed / 2.0, y = seed / 4.0;
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        fail_if(1);
        tn_handler_pop(&h);
    } else {
        CHECK(a == 4 && b == 5 && c == 6 && d == 7 && e == 8 && f == 9 && g == 10);
        CHECK(i == 11 && j == 12 && k == 13 && l == 14 && m == 15 && n == 16 && o == 17);
        CHECK(x == 1.5 && y == 0.75);
    }
}

static int depth_first(int depth) {
    volatile int caught = 0;
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        if (depth > 0) caught = depth_first(depth - 1);
        else fail_if(1);
        tn_handler_pop(&h);
        return caught;
    }
    /* Each level throws again what the level below it threw. */
    if (depth < 5) tn_rethrow(&h);
    CHECK(h.cause.site == &site);
    return depth;
}

static void a_rethrow_keeps_the_place(void) {
    CHECK(depth_first(8) == 5);
    CHECK(tn_frames == NULL);
}

static void a_handler_runs_outside_its_try(void) {
    volatile int order = 0;
    struct tn_handler outer;
    tn_handler_push(&outer);
    if (TN_SETJMP(&outer) == 0) {
        struct tn_handler inner;
        tn_handler_push(&inner);
        if (TN_SETJMP(&inner) == 0) {
            fail_if(1);
            tn_handler_pop(&inner);
        } else {
            order = order * 10 + 1;
            tn_throw(&other, NULL);
        }
        tn_handler_pop(&outer);
    } else {
        CHECK(tn_caught(&outer) == &other);
        order = order * 10 + 2;
    }
    CHECK(order == 12);
}

static void one_frame_may_catch_many_times(void) {
    volatile int caught = 0;
    for (volatile int i = 0; i < 1000; i++) {
        struct tn_handler h;
        tn_handler_push(&h);
        if (TN_SETJMP(&h) == 0) {
            fail_if(i % 2);
            tn_handler_pop(&h);
        } else {
            caught++;
        }
    }
    CHECK(caught == 500);
}

static void use_two_arenas_and_fail(void) {
    struct tn_arena a, b;
    tn_arena_enter(&a);
    tn_arena_enter(&b);
    memset(tn_arena_alloc(&a, 100, 8, NULL), 1, 100);
    memset(tn_arena_alloc(&b, 100000, 8, NULL), 1, 100000);
    fail_if(1);
    tn_arena_exit(&b);
    tn_arena_exit(&a);
}

static void a_throw_frees_the_arenas_it_leaves(void) {
    struct tn_region_statistics before[TN_KIND_COUNT], after[TN_KIND_COUNT];
    tn_statistics_read(before);
    struct tn_arena kept;
    tn_arena_enter(&kept);
    int *volatile value = (int *)tn_arena_alloc_zero(&kept, sizeof(int), sizeof(int), NULL);
    *value = 5;
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        use_two_arenas_and_fail();
        tn_handler_pop(&h);
    }
    CHECK(*value == 5 && tn_frames == &kept.frame);
    tn_arena_exit(&kept);
    tn_statistics_read(after);
    CHECK(before[TN_KIND_LEXICAL].bytes_reserved == after[TN_KIND_LEXICAL].bytes_reserved);
    CHECK(tn_frames == NULL);
}

static void unwinding_stops_at_the_frame(void) {
    struct tn_arena a, b, c;
    tn_arena_enter(&a);
    tn_arena_enter(&b);
    tn_arena_enter(&c);
    (void)tn_arena_alloc(&b, 8, 8, NULL);
    tn_unwind_to(&a.frame);
    CHECK(tn_frames == &a.frame && b.pages == NULL);
    tn_unwind_to(NULL);
    CHECK(tn_frames == NULL);
}

static uint32_t random_state;
static uint32_t next_random(void) {
    random_state = random_state * 1664525 + 1013904223;
    return random_state >> 16;
}

/* A random tree of calls, tries, arenas and throws. Checks that whoever returns or catches finds the frames as
 * they were when it began. */
static void nest(int depth) {
    struct tn_frame *volatile before = tn_frames;
    if (depth == 0) fail_if(next_random() % 3 == 0);
    for (volatile int rounds = (int)(next_random() % 4); depth > 0 && rounds > 0; rounds--) {
        struct tn_arena a;
        struct tn_handler h;
        switch (next_random() % 4) {
        case 0: nest(depth - 1); break;
        case 1:
            tn_arena_enter(&a);
            memset(tn_arena_alloc(&a, next_random() % 5000 + 1, 8, NULL), 1, 1);
            nest(depth - 1);
            tn_arena_exit(&a);
            break;
        default:
            tn_handler_push(&h);
            if (TN_SETJMP(&h) == 0) {
                nest(depth - 1);
                tn_handler_pop(&h);
            } else if (next_random() % 4 == 0) {
                CHECK(tn_frames == before);
                tn_rethrow(&h);
            }
            break;
        }
        CHECK(tn_frames == before);
    }
}

static void random_nests_are_undone_exactly(void) {
    struct tn_region_statistics before[TN_KIND_COUNT], after[TN_KIND_COUNT];
    tn_statistics_read(before);
    volatile int caught = 0;
    for (volatile uint32_t seed = 0; seed < 2000; seed++) {
        random_state = seed * UINT32_C(2654435761);
        struct tn_handler h;
        tn_handler_push(&h);
        if (TN_SETJMP(&h) == 0) {
            nest(8);
            tn_handler_pop(&h);
        } else {
            caught++;
        }
        CHECK(tn_frames == NULL);
    }
    CHECK(caught > 20);
    tn_statistics_read(after);
    CHECK(before[TN_KIND_LEXICAL].bytes_reserved == after[TN_KIND_LEXICAL].bytes_reserved);
    CHECK(before[TN_KIND_LEXICAL].objects_live == after[TN_KIND_LEXICAL].objects_live);
}

static void *throw_in_thread(void *result) {
    *(int *)result = protected(1) + protected(0);
    return NULL;
}

static void threads_have_their_own_frames(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    int results[4] = {0};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, throw_in_thread, &results[i]) == 0);
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK(results[i] == 103);
    }
    CHECK(tn_frames == &a.frame);
    tn_arena_exit(&a);
}

const struct test tests[] = {
    {"a throw lands on the handler", a_throw_lands_on_the_handler},
    {"registers survive a landing", registers_survive_a_landing},
    {"a rethrow keeps the place", a_rethrow_keeps_the_place},
    {"a handler runs outside its try", a_handler_runs_outside_its_try},
    {"one frame may catch many times", one_frame_may_catch_many_times},
    {"a throw frees the arenas it leaves", a_throw_frees_the_arenas_it_leaves},
    {"unwinding stops at the frame", unwinding_stops_at_the_frame},
    {"random nests are undone exactly", random_nests_are_undone_exactly},
    {"threads have their own frames", threads_have_their_own_frames},
    {NULL, NULL},
};
