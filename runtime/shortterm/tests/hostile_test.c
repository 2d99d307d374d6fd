/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs that do what they should not, or what they may and hardly anybody does: nothing dies twice, and nothing is lost.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "prim/memory.h"
#include "prim/sanitize.h"
#include "shortterm/root.h"
#include "shortterm/scope.h"

static _Atomic int deaths;

static int count_death(void *object, void *argument) {
    (void)object;
    if (argument != NULL) ++*(int *)argument;
    deaths++;
    return 0;
}

static void in_thread(void *(*f)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, f, argument) == 0 && pthread_join(thread, NULL) == 0);
}

/* No storage is handed out twice: so many objects of a size, alive at once, are all different and keep what is written to them. */
static void allocator_is_whole(size_t size) {
    enum { MANY = 300 };
    uint32_t *objects[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        objects[i] = stm_malloc(size);
        *objects[i] = i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK(*objects[i] == i);
        stm_free(objects[i]);
    }
}

static int free_itself(void *object, void *argument) {
    (void)argument;
    noted_error = STM_OK;
    stm_free(object);
    CHECK(noted_error == STM_FREED_SHORT_TERM);
    deaths++;
    return 0;
}

static int set_itself_again(void *object, void *argument) {
    CHECK(stm_set_finalizer(object, set_itself_again, argument) == STM_OK);
    deaths++;
    return 0;
}

static int busy(void *object, void *argument) {
    (void)object;
    void *other = stm_malloc(40);
    CHECK(stm_set_finalizer(other, count_death, NULL) == STM_OK && stm_refresh(other, 0) == STM_OK);
    stm_free(stm_malloc(40));
    stm_tick();
    stm_collect();
    stm_free(argument);
    deaths++;
    return 0;
}

static int leave(void *object, void *argument) {
    (void)object, (void)argument;
    stm_thread_leave();
    deaths++;
    return 0;
}

static int keep_and_refresh(void *object, void *argument) {
    (void)argument;
    CHECK(stm_refresh(object, 0) == STM_OK);
    deaths++;
    return 1;
}

static void finalize(stm_finalizer finalizer, void *argument, size_t size) {
    void *object = memset(stm_malloc(size), 0, size);
    CHECK(stm_set_finalizer(object, finalizer, argument) == STM_OK && stm_refresh(object, 0) == STM_OK);
}

static void let_pass(int periods) {
    for (int i = 0; i < periods; i++) {
        stm_tick();
        stm_collect();
    }
}

static void *finalizers_of_all_kinds(void *argument) {
    (void)argument;
    stm_error_handler before = stm_set_error_handler(note_errors);
    deaths = 0;
    finalize(free_itself, NULL, 40);
    let_pass(1);
    CHECK(deaths == 1);
    allocator_is_whole(40);
    finalize(set_itself_again, NULL, 40);
    let_pass(5);
    CHECK(deaths == 2);
    allocator_is_whole(40);
    finalize(busy, stm_malloc(40), 40);
    let_pass(3);
    CHECK(deaths == 4);
    allocator_is_whole(40);
    for (int i = 0; i < 5; i++) finalize(leave, NULL, 40);
    let_pass(3);
    CHECK(deaths == 9);
    finalize(keep_and_refresh, NULL, 40);
    let_pass(3);
    CHECK(deaths == 10);
    allocator_is_whole(40);
    (void)stm_set_error_handler(before);
    return NULL;
}

static void finalizers_do_anything(void) {
    (void)finalizers_of_all_kinds(NULL);
    in_thread(finalizers_of_all_kinds, NULL);
}

static int end_thread(void *object, void *argument) {
    (void)object, (void)argument;
    deaths++;
    pthread_exit(NULL);
}

static void *end_in_a_finalizer(void *argument) {
    (void)argument;
    void *object = stm_malloc(10);
    CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK && stm_refresh(object, 2) == STM_OK);
    finalize(end_thread, NULL, 40);
    let_pass(1);
    CHECK(0); /* is not reached */
    return NULL;
}

static void *heir(void *argument) {
    (void)argument;
    let_pass(5);
    return NULL;
}

static void a_thread_ends_in_a_finalizer(void) {
    deaths = 0;
    in_thread(end_in_a_finalizer, NULL);
    CHECK(deaths == 1);
    in_thread(heir, NULL);
    CHECK(deaths == 2);
}

static int refresh_region(void *object, void *argument) {
    noted_error = STM_OK;
    CHECK(stm_region_refresh(argument, 3) == STM_EXPIRED && noted_error == STM_EXPIRED);
    CHECK(stm_refresh(object, 3) == STM_EXPIRED);
    stm_region_free(argument);
    deaths++;
    return 1;
}

static void a_region_cannot_be_kept(void) {
    stm_error_handler before = stm_set_error_handler(note_errors);
    deaths = 0;
    stm_region *region = stm_region_create();
    void *object = stm_region_malloc(region, 100000);
    CHECK(stm_set_finalizer(object, refresh_region, region) == STM_OK);
    object = stm_region_malloc(region, 10);
    CHECK(stm_set_finalizer(object, refresh_region, region) == STM_OK && stm_refresh(object, 0) == STM_OK);
    let_pass(5);
    CHECK(deaths == 2);
    (void)stm_set_error_handler(before);
}

static void wrong_pointers(void) {
    stm_error_handler before = stm_set_error_handler(note_errors);
    char *object = stm_calloc(1, 400);
    CHECK(stm_refresh(object + 16, 0) == STM_NOT_AN_OBJECT && stm_refresh(object + 200, 0) == STM_NOT_AN_OBJECT);
    stm_free(object);
    noted_error = STM_OK;
    bool kept = !stm_root()->watched && stm_root()->cache_room > 0;
    if (kept) {
        stm_free(object);
        CHECK(noted_error == STM_EXPIRED && stm_refresh(object, 0) == STM_EXPIRED);
        CHECK(stm_realloc(object, 10) == NULL && stm_set_finalizer(object, count_death, NULL) != STM_OK);
    }
    (void)stm_set_error_handler(before);
    allocator_is_whole(400);
}

static void very_many_dates(void) {
    deaths = 0;
    void *object = stm_malloc(10);
    CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK);
    size_t given = 0;
    for (; given < 2000000; given++)
        if (stm_refresh(object, (unsigned)(given % 3)) != STM_OK) break;
    CHECK(given == 0x7fff + 0xfffff && stm_date_count(object) == given);
    let_pass(2);
    CHECK(deaths == 0);
    let_pass(1);
    CHECK(deaths == 1);
}

/* A clock goes to and fro while it is used. */
static stm_clock *_Atomic handed;

static void *pass_on(void *argument) {
    for (int i = 0; i < 2000; i++) {
        stm_clock *clock;
        while ((clock = atomic_exchange(&handed, NULL)) == NULL) sched_yield();
        CHECK(stm_clock_take(clock) == STM_OK);
        void *object = stm_malloc(30);
        CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK);
        CHECK(stm_clock_refresh(clock, object, (unsigned)(i % 5)) == STM_OK && stm_clock_tick(clock) == STM_OK);
        CHECK(stm_clock_give(clock) == STM_OK);
        atomic_store(&handed, clock);
    }
    stm_collect();
    return argument;
}

static void a_clock_goes_to_and_fro(void) {
    deaths = 0;
    stm_clock *clock = stm_clock_create();
    CHECK(stm_clock_give(clock) == STM_OK);
    atomic_store(&handed, clock);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&threads[i], NULL, pass_on, NULL) == 0);
    for (int i = 0; i < 3; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(stm_clock_take(clock) == STM_OK && stm_clock_destroy(clock) == STM_OK);
    stm_collect();
    CHECK(deaths == 6000);
}

/* Forks in the middle of what other threads do; each child goes on by itself. */
static _Atomic int stop;

static void *work(void *argument) {
    (void)argument;
    for (unsigned i = 0; !stop; i++) {
        void *object = stm_malloc(1 + i % 700);
        CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK && stm_refresh(object, i % 4) == STM_OK);
        if (i % 5 == 0) stm_tick();
        if (i % 7 == 0) (void)stm_global_tick();
    }
    return NULL;
}

static void forks_in_the_middle(void) {
    /* gcc 12's sanitizers fork with their allocators' locks as other threads hold them, so that the child may wait for ever. */
    if (TN_ASAN || TN_TSAN) return;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < 15; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (unsigned k = 0; k < 3000; k++) {
                if (stm_malloc_refreshed(1 + k % 300, k % 3) == NULL) _exit(1);
                if (k % 10 == 0) stm_tick();
            }
            uint64_t before = stm_global_time();
            if (stm_global_tick() != STM_OK || stm_global_tick() != STM_OK) _exit(2);
            _exit(stm_global_time() > before ? 0 : 3);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    stop = 1;
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

/* Scopes, as an interposer directs malloc to them. */
static void *scope_left_open(void *argument) {
    CHECK(stm_scope_begin(0) == STM_OK && stm_scope_begin(2) == STM_OK);
    void *object = stm_scope_malloc(10, NULL);
    CHECK(stm_set_finalizer(object, count_death, argument) == STM_OK && stm_date_count(object) == 1);
    return argument;
}

static void a_thread_ends_in_a_scope(void) {
    static struct stm_allocator below;
    below = stm_below;
    stm_scope_interpose(&below, NULL);
    int dead = 0;
    in_thread(scope_left_open, &dead);
    CHECK(dead == 0);
    in_thread(heir, NULL);
    CHECK(dead == 1);
    CHECK(stm_scope_end() == STM_BAD_ARGUMENT);
}

/* Objects of a scope lie in lists that are never copied, beside others that are. */
static void scopes_beside_short_periods(void) {
    deaths = 0;
    enum { PERIODS = 500 };
    char *kept[3] = {NULL, NULL, NULL};
    for (int i = 0; i < PERIODS; i++) {
        CHECK(stm_scope_begin((unsigned)(i % 3)) == STM_OK);
        for (int k = 0; k < 4; k++) {
            char *object = stm_scope_malloc(50, NULL);
            CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK);
            memset(object, k, 50);
            void *other = stm_malloc(60);
            CHECK(stm_set_finalizer(other, count_death, NULL) == STM_OK && stm_refresh(other, (unsigned)(k % 3)) == STM_OK);
            if (k == 1) {
                stm_scope_free(object);
                deaths++;
            }
            if (k == 2) kept[i % 3] = object;
        }
        CHECK(stm_scope_end() == STM_OK);
        CHECK(kept[i % 3][49] == 2);
        stm_tick();
        if (i % 3 == 2 && i % 2 == 0) stm_scope_free(kept[2]), deaths++;
    }
    let_pass(4);
    CHECK(deaths == PERIODS * 8);
}

const struct test tests[] = {
    {"finalizers do anything, and nothing dies twice", finalizers_do_anything},
    {"a thread ends in a finalizer", a_thread_ends_in_a_finalizer},
    {"a region that expires cannot be kept", a_region_cannot_be_kept},
    {"interior pointers, double frees, uses after a free", wrong_pointers},
    {"more dates than the header has room for are refused", very_many_dates},
    {"a clock goes to and fro between threads", a_clock_goes_to_and_fro},
    {"a fork in the middle of what other threads do", forks_in_the_middle},
    {"a thread ends in a scope", a_thread_ends_in_a_scope},
    {"scopes beside short periods", scopes_beside_short_periods},
    {NULL, NULL},
};
