/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What samples must find: contexts whose objects stay, however the program mixes them with others. To be run under the
 * preloaded malloc.
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { COUNT = 30000, SIZE = 96 };
static void *kept[COUNT];

static void free_kept(void) {
    for (unsigned i = 0; i < COUNT; i++) free(kept[i]);
}

/* What is kept must lie in pages of its site but for what it takes to notice. */
static void check_segregated(uint64_t common_before) {
    uint64_t common = statistics().common_bytes;
    CHECK(common < common_before + (uint64_t)COUNT * SIZE / 8);
}

static __attribute__((noinline)) void *make(void) { return memset(malloc(SIZE), 1, SIZE); }

static void a_rhythm_hides_nothing(void) {
    uint64_t before = statistics().common_bytes;
    for (unsigned i = 0; i < COUNT; i++) {
        free(make());
        kept[i] = make();
        free(make());
        free(make());
    }
    check_segregated(before);
    free_kept();
}

/* A function that allocates for others, at some depth. */
static __attribute__((noinline)) void *allocate_for(size_t size) {
    void *object = malloc(size);
    return memset(object, 1, size);
}
static __attribute__((noinline)) void *first_caller(void) {
    void *volatile object = allocate_for(SIZE);
    return object;
}
static __attribute__((noinline)) void *second_caller(void) {
    void *volatile object = allocate_for(SIZE);
    return object;
}

static __attribute__((noinline)) void allocate_at_depth(size_t depth) {
    memset(alloca(depth), 1, 1);
    free(allocate_for(SIZE));
}

static void wrappers_are_sampled_where_depth_tells_too_much(void) {
    uint64_t before = statistics().common_bytes;
    for (unsigned round = 0; round < 20; round++)
        for (unsigned i = 0; i < 4000; i++) allocate_at_depth(16 * (size_t)i + 16);
    for (unsigned i = 0; i < COUNT; i++) {
        free(second_caller());
        kept[i] = first_caller();
        free(second_caller());
    }
    check_segregated(before);
    free_kept();
}

static __attribute__((noinline)) void *make_in_child(void) { return memset(malloc(SIZE), 2, SIZE); }

/* A process that was forked learns of contexts once it has grown by so much. */
enum { UNTIL_GROWN = 256 * 1024 };

static void what_a_child_keeps_is_segregated(void) {
    for (unsigned i = 0; i < COUNT; i++) kept[i] = make();
    pid_t child = fork();
    if (child == 0) {
        uint64_t before = statistics().common_bytes;
        for (unsigned i = 0; i < COUNT; i++) {
            free(kept[i]);
            kept[i] = make_in_child();
            if (malloc(SIZE / 2) == NULL) _exit(2);
        }
        _exit(statistics().common_bytes < before + (uint64_t)COUNT * SIZE / 8 + UNTIL_GROWN ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    free_kept();
}

const struct test tests[] = {
    {"a rhythm hides nothing", a_rhythm_hides_nothing},
    {"wrappers are sampled where depth tells too much", wrappers_are_sampled_where_depth_tells_too_much},
    {"what a child keeps is segregated", what_a_child_keeps_is_segregated},
    {NULL, NULL},
};
