/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Which objects come to share pages, under the preloaded malloc. To be run with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject.h"

enum { OBJECTS = 100000, SIZE = 64, PAGE = 4096, PER_PAGE = PAGE / SIZE };
static char *objects[OBJECTS];
static uintptr_t pages[2 * OBJECTS];
static unsigned state = 1;

static __attribute__((noinline)) char *load(void) { return memset(malloc(SIZE), 1, SIZE); }
static __attribute__((noinline)) char *replace(void) { return memset(malloc(SIZE), 2, SIZE); }
static __attribute__((noinline)) char *leak(void) { return memset(malloc(SIZE), 3, SIZE); }

static int by_number(const void *a, const void *b) {
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

static uintptr_t page_of(const char *object) { return (uintptr_t)object / PAGE; }

/* How many different pages the objects are on; pages[] has them, sorted. */
static size_t count_pages(char **of, size_t count) {
    for (size_t i = 0; i < count; i++) pages[i] = page_of(of[i]);
    qsort(pages, count, sizeof *pages, by_number);
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || pages[i] != pages[different - 1]) pages[different++] = pages[i];
    return different;
}

static int is_counted(const char *object, size_t different) {
    uintptr_t page = page_of(object);
    return bsearch(&page, pages, different, sizeof page, by_number) != NULL;
}

static void a_site_that_replaces_anothers_objects_fills_their_pages(void) {
    for (unsigned i = 0; i < OBJECTS; i++) objects[i] = load();
    for (unsigned i = 0; i < 2 * OBJECTS; i++) {
        unsigned at = next_random(&state) % OBJECTS;
        free(objects[at]);
        objects[at] = replace();
    }
    size_t least = OBJECTS / PER_PAGE, now = count_pages(objects, OBJECTS);
    printf("%d objects on %zu pages, %zu would do\n", OBJECTS, now, least);
    /* Were the first site's pages left to it, its last objects would keep nearly all of them in use: twice as many. */
    CHECK(now < least * 17 / 10);
    for (unsigned i = 0; i < OBJECTS; i++) free(objects[i]);
}

static void what_leaks_lies_apart_from_what_is_replaced(void) {
    static char *leaked[OBJECTS];
    for (unsigned i = 0; i < OBJECTS; i++) objects[i] = load();
    for (unsigned i = 0; i < OBJECTS; i++) {
        unsigned at = next_random(&state) % OBJECTS;
        free(objects[at]);
        objects[at] = replace();
        leaked[i] = leak();
    }
    size_t different = count_pages(objects, OBJECTS), shared = 0;
    for (unsigned i = 0; i < OBJECTS; i++) shared += is_counted(leaked[i], different);
    printf("%zu of %d leaked objects share pages with others\n", shared, OBJECTS);
    CHECK(shared < OBJECTS / 50);
    for (unsigned i = 0; i < OBJECTS; i++) free(objects[i]), free(leaked[i]);
}

static void let_it_become_cold(void) {
    int (*look)(void);
    *(void **)&look = dlsym(RTLD_DEFAULT, "tn_tolerant_look");
    for (unsigned i = 0; i < 10; i++) {
        usleep(250000);
        if (look != NULL) (void)look();
    }
}

static __attribute__((noinline)) void make_sessions(char **to) {
    for (unsigned i = 0; i < OBJECTS; i++) to[i] = memset(malloc(SIZE), 4, SIZE);
}

/* Three of four objects are freed, and the rest become cold. */
static size_t keep_a_quarter(void) {
    size_t kept = 0;
    for (unsigned i = 0; i < OBJECTS; i++)
        if (i % 4 == 0)
            objects[kept++] = objects[i];
        else
            free(objects[i]);
    let_it_become_cold();
    return kept;
}

static void a_cold_page_is_not_filled(void) {
    static char *fresh[OBJECTS];
    size_t kept = 0, filled = 0;
    /* One call for both, or they would be two sites. */
    for (volatile int round = 0; round < 2; round++) {
        make_sessions(round == 0 ? objects : fresh);
        if (round == 0) kept = keep_a_quarter();
    }
    size_t cold = count_pages(objects, kept);
    for (unsigned i = 0; i < OBJECTS; i++) filled += is_counted(fresh[i], cold);
    printf("%zu of %d objects on %zu pages, most of them cold\n", filled, OBJECTS, cold);
    /* The last pages belong to a run that is still being filled, which is not watched. */
    CHECK(filled < OBJECTS / 4);
    for (unsigned i = 0; i < OBJECTS; i++) free(fresh[i]);
    for (size_t i = 0; i < kept; i++) free(objects[i]);
}

const struct test tests[] = {
    {"a site that replaces another's objects fills their pages", a_site_that_replaces_anothers_objects_fills_their_pages},
    {"what leaks lies apart from what is replaced", what_leaks_lies_apart_from_what_is_replaced},
    {"a cold page is not filled", a_cold_page_is_not_filled},
    {NULL, NULL},
};
