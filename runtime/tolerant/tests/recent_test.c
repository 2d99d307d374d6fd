/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What was freed last is handed out first, while a program replaces objects at random. Linked with the static library.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "invariants.h"
#include "subject.h"
#include "tolerant/recent.h"

enum { MANY = 4000 };
static char *held[MANY];
static void *volatile sink;

static __attribute__((noinline)) char *allocate(size_t size) {
    char *object = malloc(size);
    memset(object, (int)size, size);
    return object;
}

/* Each object holds its own bytes until it is freed. Returns how many came to lie where the one was that they replace. */
static unsigned replace(unsigned steps, unsigned least, unsigned most) {
    static unsigned state = 1, sizes[MANY];
    unsigned same = 0;
    for (unsigned i = 0; i < steps; i++) {
        unsigned k = next_random(&state) % MANY, size = least + next_random(&state) % (most - least + 1);
        if (held[k] != NULL) CHECK(held[k][0] == (char)sizes[k] && held[k][sizes[k] - 1] == (char)sizes[k]);
        char *before = held[k];
        free(before);
        held[k] = allocate(size);
        sizes[k] = size;
        same += held[k] == before;
    }
    return same;
}

static void free_all(void) {
    for (unsigned k = 0; k < MANY; k++) free(held[k]);
    memset(held, 0, sizeof held);
}

static bool any_list(void) {
    struct tt_thread *thread = tt_threads_first();
    for (unsigned c = 0; c < thread->common_count; c++)
        if (!tt_recent_is_empty(&thread->common[c])) return true;
    for (unsigned i = 0; i < TT_SITE_BIN_SLOTS; i++)
        for (struct tt_bin *bin = thread->site_bins[i]; bin != NULL; bin = bin->next_in_slot)
            if (!tt_recent_is_empty(bin)) return true;
    return false;
}

static void what_is_freed_is_handed_out_next(void) {
    replace(100000, 64, 64);
    CHECK(replace(10000, 64, 64) > 9900); /* but for samples */
    CHECK(broken_invariants(true) == 0);
    free_all();
}

static void lists_and_pages_agree(void) {
    static const unsigned sizes[][2] = {{16, 16}, {8, 128}, {100, 1000}, {3000, 9000}, {8, 20000}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned round = 0; round < 20; round++) {
            replace(5000, sizes[i][0], sizes[i][1]);
            CHECK(broken_invariants(true) == 0);
            for (unsigned k = 0; k < MANY; k++) CHECK(held[k] == NULL || is_taken(held[k]));
        }
    free_all();
    CHECK(broken_invariants(true) == 0);
}

/* All of a page's slots are freed in any order, some of them on the list: the page is not lost. */
static void pages_come_to_be_empty(void) {
    replace(100000, 64, 64);
    /* Between two steps of the replacing a list may be empty: what was freed last has just been handed out. */
    for (unsigned k = 0; k < 16; k++) {
        free(held[k]);
        held[k] = NULL;
    }
    CHECK(any_list());
    size_t full = atomic_load(&tt_pages_now.used);
    for (unsigned k = 0; k < MANY; k++) {
        unsigned at = k * 7 % MANY;
        free(held[at]);
        held[at] = NULL;
    }
    CHECK(broken_invariants(true) == 0);
    tt_heap_leave(tt_self);
    CHECK(!any_list());
    CHECK(broken_invariants(true) == 0);
    CHECK(atomic_load(&tt_pages_now.used) + MANY * 64 / 4 * 3 < full);
}

/* Who does not replace any more fills pages as it did before. */
static void lists_end_with_the_replacing(void) {
    replace(100000, 64, 64);
    CHECK(tt_self->replaces);
    for (unsigned i = 0; i < 20000; i++) sink = allocate(64);
    CHECK(!tt_self->replaces);
    CHECK(broken_invariants(true) == 0);
    free_all();
}

static char *twice;
static void free_twice_at_once(void) {
    replace(100000, 64, 64);
    twice = held[5];
    free(twice);
    free(twice);
}
static void free_twice_some_frees_later(void) {
    replace(100000, 64, 64);
    twice = held[5];
    for (unsigned k = 0; k < 12; k++) free(held[k]);
    free(twice);
}
static void free_twice_beyond_the_list(void) {
    replace(100000, 64, 64);
    twice = held[5];
    for (unsigned k = 0; k < 300; k++) free(held[k]);
    free(twice);
}
static void realloc_of_freed(void) {
    replace(100000, 64, 64);
    twice = held[5];
    free(twice);
    sink = realloc(twice, 10);
}

static void a_second_free_is_reported(void) {
    CHECK_ABORTS(free_twice_at_once, "double free of 0x");
    CHECK_ABORTS(free_twice_at_once, "first freed at ");
    CHECK_ABORTS(free_twice_some_frees_later, "double free of 0x");
    CHECK_ABORTS(free_twice_beyond_the_list, "double free of 0x");
    CHECK_ABORTS(realloc_of_freed, "double free of 0x");
}

const struct test tests[] = {
    {"what is freed is handed out next", what_is_freed_is_handed_out_next},
    {"lists and pages agree", lists_and_pages_agree},
    {"pages come to be empty", pages_come_to_be_empty},
    {"lists end with the replacing", lists_end_with_the_replacing},
    {"a second free is reported", a_second_free_is_reported},
    {NULL, NULL},
};
