/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The N-th allocation fails, for each N until none does: every call then fails in its documented way, and nothing is lost or
 * freed twice.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "prim/memory.h"

static _Atomic long until_failure = -1;
static _Atomic long outstanding;

static bool fails(void) { return until_failure >= 0 && until_failure-- == 0; }

static void *counted(void *block) {
    if (block != NULL) outstanding++;
    return block;
}
static void *allocate(size_t size) { return fails() ? NULL : counted(malloc(size)); }
static void *allocate_zero(size_t count, size_t size) { return fails() ? NULL : counted(calloc(count, size)); }
static void *reallocate(void *block, size_t size) { return fails() ? NULL : realloc(block, size); }
static void release(void *block) {
    if (block != NULL) outstanding--;
    free(block);
}
static size_t usable(void *block) { return tn_os_usable_size(block); }

static int deaths;
static int count_death(void *object, void *argument) {
    (void)object, (void)argument;
    deaths++;
    return 0;
}

static int alive;

/* Everything once, in a thread that has no root yet. */
static void *everything(void *argument) {
    (void)argument;
    for (int i = 0; i < 300; i++) {
        char *object = i % 3 == 0 ? stm_malloc(30) : i % 3 == 1 ? stm_calloc(3, 1000) : stm_aligned_alloc(128, 30);
        if (object == NULL) continue;
        memset(object, 1, 30);
        if (stm_set_finalizer(object, count_death, NULL) != STM_OK) {
            stm_free(object);
            continue;
        }
        int error = i % 2 ? stm_refresh(object, (unsigned)(i % 40)) : stm_global_refresh(object, (unsigned)(i % 5));
        CHECK(error == STM_OK || error == STM_NO_MEMORY);
        if (error == STM_OK) alive++;
        else stm_free(object);
    }
    char *grown = stm_realloc(NULL, 10);
    char *more = grown != NULL ? stm_realloc(grown, 100000) : NULL;
    stm_free(more != NULL ? more : grown);
    stm_clock *clock = stm_clock_create();
    void *object = stm_malloc_refreshed(100, 3);
    if (clock != NULL && object != NULL) {
        int error = stm_clock_refresh(clock, object, 100);
        CHECK(error == STM_OK || error == STM_NO_MEMORY);
    }
    if (clock != NULL) CHECK(stm_clock_destroy(clock) == STM_OK);
    stm_region *region = stm_region_create();
    if (region != NULL) {
        for (int i = 0; i < 5; i++) {
            char *part = stm_region_malloc(region, 20000);
            if (part != NULL) memset(part, 1, 20000);
        }
        if (stm_region_refresh(region, 0) != STM_OK) stm_region_free(region);
    }
    for (int i = 0; i < 50; i++) {
        stm_tick();
        (void)stm_global_tick();
    }
    stm_collect();
    return NULL;
}

static void nth_failure(void) {
    static const struct stm_allocator failing = {allocate, allocate_zero, reallocate, release, usable};
    CHECK(stm_use_allocator(&failing) == STM_OK);
    long before = -1;
    for (long n = 0;; n++) {
        deaths = alive = 0;
        until_failure = n;
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, everything, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(deaths == alive);
        bool failed = until_failure < 0;
        until_failure = -1;
        /* Roots, their rings, free pages and tables stay; nothing else does. */
        CHECK(outstanding < 60);
        before = outstanding;
        if (!failed) break;
        CHECK(n < 5000);
    }
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, everything, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(outstanding <= before);
    }
}

const struct test tests[] = {
    {"each allocation may fail", nth_failure},
    {NULL, NULL},
};
