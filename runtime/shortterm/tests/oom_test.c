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
#include "shortterm/scope.h"
#include "tenure/libscm.h"

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

/* The same for scopes: what malloc is directed to. */
static void *scopes(void *argument) {
    (void)argument;
    int outer = stm_scope_begin(1), inner = stm_scope_begin(70);
    for (int i = 0; i < 300 && (outer == STM_OK || inner == STM_OK); i++) {
        void *object = i % 4 == 0   ? stm_scope_malloc(30, NULL)
                       : i % 4 == 1 ? stm_scope_calloc(3, 1000, NULL)
                       : i % 4 == 2 ? stm_scope_memalign(128, 30, NULL)
                                    : stm_scope_realloc(NULL, 30, NULL);
        if (object == NULL) continue;
        memset(object, 1, 30);
        CHECK(stm_date_count(object) == 1);
        if (i % 5 == 0) {
            void *moved = stm_scope_realloc(object, 5000, NULL);
            if (moved != NULL) object = moved;
            CHECK(*(char *)object == 1);
        }
        if (i % 3 == 0) {
            stm_scope_free(object);
        } else if (stm_set_finalizer(object, count_death, NULL) == STM_OK) {
            alive++;
        }
        if (i == 200 && outer == STM_OK && inner == STM_OK) CHECK(stm_scope_end() == STM_OK);
    }
    while (stm_scope_end() == STM_OK) continue;
    for (int i = 0; i < 80; i++) stm_tick();
    stm_collect();
    return NULL;
}

static int scm_death(void *object) { return count_death(object, NULL); }

/* And for libscm's calls. */
static void *libscm(void *argument) {
    (void)argument;
    int finalizer = scm_register_finalizer(scm_death), clock = scm_register_clock(), region = scm_create_region();
    for (int i = 0; i < 100; i++) {
        char *object = i % 2 ? scm_malloc(30) : scm_calloc(3, 10);
        if (object == NULL) continue;
        char *moved = scm_realloc(object, 400);
        if (moved != NULL) object = moved;
        memset(object, 1, 30);
        scm_refresh(object, (unsigned)i % 7);
        if (clock > 0) scm_refresh_with_clock(object, (unsigned)i % 5, (unsigned long)clock);
        scm_global_refresh(object, 1);
        /* Without memory for a date it stays persistent. */
        if (stm_date_count(object) == 0) scm_free(object);
        else if (finalizer >= 0) scm_set_finalizer(object, finalizer);
        if (region >= 0 && scm_malloc_in_region(2000, region) != NULL) scm_refresh_region(region, (unsigned)i % 3);
        if (i % 10 == 9) scm_tick();
    }
    if (region >= 0) scm_unregister_region(region);
    if (clock > 0) scm_unregister_clock(clock);
    for (int i = 0; i < 10; i++) {
        scm_tick();
        scm_global_tick();
    }
    scm_collect();
    deaths = alive; /* who has a finalizer is not kept count of */
    return NULL;
}

static void nth_failure_of(void *(*everything)(void *)) {
    static const struct stm_allocator failing = {allocate, allocate_zero, reallocate, release, usable};
    static bool first = true;
    if (first) CHECK(stm_use_allocator(&failing) == STM_OK);
    first = false;
    stm_scope_interpose(&failing, NULL);
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

static void nth_failure(void) { nth_failure_of(everything); }
static void nth_failure_in_scopes(void) { nth_failure_of(scopes); }
static void nth_failure_in_libscm(void) { nth_failure_of(libscm); }

const struct test tests[] = {
    {"each allocation may fail", nth_failure},
    {"each allocation may fail in a scope", nth_failure_in_scopes},
    {"each allocation may fail under libscm's calls", nth_failure_in_libscm},
    {NULL, NULL},
};
