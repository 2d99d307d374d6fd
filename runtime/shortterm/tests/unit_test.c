/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * One property a test, by the public interface.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "prim/memory.h"
#include "shortterm/root.h"

static _Atomic int deaths;
static int count_death(void *object, void *argument) {
    (void)object;
    if (argument != NULL) *(int *)argument += 1;
    atomic_fetch_add(&deaths, 1);
    return 0;
}

/* A finalized object whose death is counted in *dead. */
static void *mortal(int *dead) {
    *dead = 0;
    void *object = stm_malloc(40);
    CHECK(stm_set_finalizer(object, count_death, dead) == STM_OK);
    return object;
}

static void expires_after_extension(void) {
    for (unsigned extension = 0; extension < 20; extension++) {
        int dead;
        CHECK(stm_refresh(mortal(&dead), extension) == STM_OK);
        for (unsigned i = 0; i < extension; i++) {
            stm_tick();
            stm_collect();
            CHECK(dead == 0);
        }
        stm_tick();
        stm_collect();
        CHECK(dead == 1);
    }
}

static void last_date_counts(void) {
    int dead;
    void *object = mortal(&dead);
    CHECK(stm_refresh(object, 0) == STM_OK && stm_refresh(object, 3) == STM_OK && stm_refresh(object, 1) == STM_OK);
    CHECK(stm_date_count(object) == 3);
    for (int i = 0; i < 3; i++) stm_tick(), stm_collect();
    CHECK(dead == 0 && stm_date_count(object) == 1);
    stm_tick();
    stm_collect();
    CHECK(dead == 1);
}

static void persistent_stays(void) {
    char *object = stm_malloc(100);
    memset(object, 7, 100);
    for (int i = 0; i < 100; i++) stm_tick();
    stm_collect();
    CHECK(object[99] == 7 && stm_date_count(object) == 0);
    stm_free(object);
}

static void sizes(void) {
    size_t impossible = SIZE_MAX; /* not a constant to the compiler */
    __asm__("" : "+r"(impossible));
    errno = 0;
    CHECK(stm_malloc(impossible) == NULL && errno == ENOMEM);
    CHECK(stm_malloc((impossible >> 1) - 8) == NULL);
    errno = 0;
    CHECK(stm_calloc(impossible / 2, 3) == NULL && errno == ENOMEM);
    CHECK(stm_aligned_alloc(3, 8) == NULL && errno == EINVAL);
    CHECK(stm_aligned_alloc(64, impossible - 64) == NULL && errno == ENOMEM);
    void *empty = stm_malloc(0);
    CHECK(empty != NULL && stm_refresh(empty, 0) == STM_OK);
    stm_tick();
    stm_free(NULL);
    for (size_t size = 1; size < 3000; size += 7) {
        char *object = stm_calloc(1, size);
        CHECK(((uintptr_t)object & 15) == 0 && stm_usable_size(object) >= size && object[size - 1] == 0);
        memset(object, 1, size);
        stm_free(object);
    }
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        char *object = stm_aligned_alloc(alignment, 100);
        CHECK(((uintptr_t)object & (alignment - 1)) == 0);
        memset(object, 1, 100);
        CHECK(stm_refresh(object, 0) == STM_OK);
    }
    stm_tick();
    stm_collect();
}

static void reallocation(void) {
    char *object = stm_malloc(10);
    strcpy(object, "persists");
    object = stm_realloc(object, 5000);
    CHECK(strcmp(object, "persists") == 0);
    CHECK(stm_refresh(object, 0) == STM_OK);
    CHECK(stm_realloc(object, 20) == object);
    char *copy = stm_realloc(object, 100000);
    CHECK(copy != object && strcmp(copy, "persists") == 0 && stm_date_count(copy) == 0 && stm_date_count(object) == 1);
    stm_tick();
    stm_collect();
    CHECK(strcmp(copy, "persists") == 0);
    stm_free(copy);
    char *aligned = stm_aligned_alloc(256, 8);
    strcpy(aligned, "aligned");
    aligned = stm_realloc(aligned, 4000);
    CHECK(strcmp(aligned, "aligned") == 0);
    stm_free(aligned);
}

static void errors_are_reported(void) {
    stm_error_handler before = stm_set_error_handler(note_errors);
    void *object = stm_malloc(64);
    unsigned limit = stm_extension_limit();
    CHECK(stm_refresh(object, limit + 1) == STM_EXTENSION_TOO_LONG && noted_error == STM_EXTENSION_TOO_LONG);
    CHECK(strstr(noted_text, "65536 is above the limit 65535") != NULL && stm_date_count(object) == 0);
    stm_set_extension_limit(70000);
    CHECK(stm_refresh(object, 65536) == STM_OK);
    stm_set_extension_limit(2);
    CHECK(stm_refresh(object, 3) == STM_EXTENSION_TOO_LONG && stm_refresh(object, 2) == STM_OK);
    stm_set_extension_limit(limit);
    noted_error = STM_OK;
    stm_free(object);
    CHECK(noted_error == STM_FREED_SHORT_TERM && stm_date_count(object) == 2);
    static _Alignas(16) char foreign[64];
    CHECK(stm_refresh(foreign + 32, 0) == STM_NOT_AN_OBJECT && stm_refresh(NULL, 0) == STM_NOT_AN_OBJECT);
    noted_error = STM_OK;
    stm_free(foreign + 32);
    CHECK(noted_error == STM_NOT_AN_OBJECT);
    CHECK(stm_malloc_refreshed(10, limit + 1) == NULL && errno == ERANGE);
    for (int i = 0; i < 65537; i++) stm_tick();
    stm_collect();
    /* As long as the thread keeps its storage. */
    if (!stm_root()->watched && stm_root()->cache_room > 0) CHECK(stm_refresh(object, 0) == STM_EXPIRED);
    CHECK(stm_set_error_handler(before) == note_errors);
    CHECK(strcmp(stm_error_name(STM_NOT_OWNER), "STM_NOT_OWNER") == 0);
}

static void lazy_is_bounded(void) {
    CHECK(stm_set_collection(STM_LAZY, 2) == STM_OK && stm_set_collection(STM_LAZY, 0) == STM_BAD_ARGUMENT);
    int dead[10];
    for (int i = 0; i < 10; i++) CHECK(stm_refresh(mortal(&dead[i]), 0) == STM_OK);
    atomic_store(&deaths, 0);
    stm_tick();
    CHECK(deaths == 2);
    struct stm_statistics statistics;
    stm_thread_statistics(&statistics);
    CHECK(statistics.expired_waiting == 8);
    /* The newest die first. */
    CHECK(dead[9] == 1 && dead[8] == 1 && dead[7] == 0);
    void *object = stm_malloc(10);
    CHECK(stm_refresh(object, 0) == STM_OK && deaths == 4);
    CHECK(stm_set_collection(STM_EAGER, 1) == STM_OK);
    CHECK(stm_refresh(object, 0) == STM_OK && deaths == 4);
    stm_tick();
    CHECK(deaths == 10);
    CHECK(stm_set_collection(STM_LAZY, 1) == STM_OK);
}

static int keep(void *object, void *argument) {
    (void)object, (void)argument;
    return 1;
}

static int live_on(void *object, void *argument) {
    if (*(int *)argument == 0) return 0;
    --*(int *)argument;
    CHECK(stm_refresh(object, 0) == STM_OK);
    CHECK(stm_set_finalizer(object, live_on, argument) == STM_OK);
    return 0;
}

static void finalizers(void) {
    char *object = stm_malloc(10);
    strcpy(object, "kept");
    CHECK(stm_set_finalizer(object, keep, NULL) == STM_OK && stm_refresh(object, 0) == STM_OK);
    stm_tick();
    stm_collect();
    CHECK(strcmp(object, "kept") == 0 && stm_date_count(object) == 0);
    stm_free(object);
    int lives = 3;
    object = stm_malloc(10);
    CHECK(stm_set_finalizer(object, live_on, &lives) == STM_OK && stm_refresh(object, 0) == STM_OK);
    for (int i = 0; i < 5; i++) stm_tick(), stm_collect();
    CHECK(lives == 0);
    int dead;
    object = mortal(&dead);
    CHECK(stm_set_finalizer(object, NULL, NULL) == STM_OK && stm_refresh(object, 0) == STM_OK);
    stm_tick();
    stm_collect();
    CHECK(dead == 0);
    atomic_store(&deaths, 0);
    enum { MANY = 5000 };
    for (int i = 0; i < MANY; i++) {
        object = stm_malloc(8);
        CHECK(stm_set_finalizer(object, count_death, NULL) == STM_OK && stm_refresh(object, (unsigned)(i % 3)) == STM_OK);
    }
    for (int i = 0; i < 3; i++) stm_tick(), stm_collect();
    CHECK(deaths == MANY);
}

static void named_clocks(void) {
    stm_clock *clocks[40];
    int dead;
    void *object = mortal(&dead);
    for (int i = 0; i < 40; i++) {
        clocks[i] = stm_clock_create();
        CHECK(stm_clock_refresh(clocks[i], object, 0) == STM_OK);
    }
    for (int i = 0; i < 40; i++) {
        stm_collect();
        CHECK(dead == 0);
        CHECK(stm_clock_tick(clocks[i]) == STM_OK && stm_clock_time(clocks[i]) == 1);
        stm_tick();
    }
    stm_collect();
    CHECK(dead == 1);
    object = mortal(&dead);
    CHECK(stm_clock_refresh(clocks[0], object, 1000) == STM_OK);
    for (int i = 0; i < 40; i++) CHECK(stm_clock_destroy(clocks[i]) == STM_OK);
    stm_collect();
    CHECK(dead == 1);
}

static void *tick_given_clock(void *argument) {
    stm_clock *clock = argument;
    stm_error_handler before = stm_set_error_handler(note_errors);
    noted_error = STM_OK;
    CHECK(stm_clock_tick(clock) == STM_NOT_OWNER && noted_error == STM_NOT_OWNER);
    (void)stm_set_error_handler(before);
    return NULL;
}

static void *take_clock(void *argument) {
    stm_clock *clock = argument;
    CHECK(stm_clock_take(clock) == STM_OK && stm_clock_tick(clock) == STM_OK);
    stm_collect();
    CHECK(stm_clock_destroy(clock) == STM_OK);
    return NULL;
}

static void in_thread(void *(*f)(void *), void *argument) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, f, argument) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

static void clocks_change_hands(void) {
    stm_clock *clock = stm_clock_create();
    int dead;
    void *object = mortal(&dead);
    CHECK(stm_clock_refresh(clock, object, 0) == STM_OK && stm_refresh(object, 1) == STM_OK);
    in_thread(tick_given_clock, clock);
    CHECK(stm_clock_give(clock) == STM_OK);
    in_thread(take_clock, clock);
    CHECK(dead == 0 && stm_date_count(object) == 1);
    stm_tick();
    stm_tick();
    stm_collect();
    CHECK(dead == 1);
}

static void *refresh_and_end(void *argument) {
    CHECK(stm_refresh(argument, 2) == STM_OK);
    return NULL;
}

static void *tick_thrice(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++) stm_tick();
    stm_collect();
    return NULL;
}

static void heirs_expire(void) {
    int dead;
    void *object = mortal(&dead);
    in_thread(refresh_and_end, object);
    for (int i = 0; i < 5; i++) stm_tick();
    stm_collect();
    CHECK(dead == 0);
    in_thread(tick_thrice, NULL);
    CHECK(dead == 1);
}

static void regions(void) {
    for (int round = 0; round < 3; round++) {
        stm_region *region = stm_region_create();
        int dead = 0;
        char *objects[3000];
        for (int i = 0; i < 3000; i++) {
            size_t size = i == 77 ? 1 << 20 : (size_t)i % 90;
            objects[i] = stm_region_malloc(region, size);
            CHECK(((uintptr_t)objects[i] & 15) == 0 && stm_usable_size(objects[i]) == size);
            memset(objects[i], i & 127, size);
        }
        for (int i = 1; i < 3000; i++) CHECK(i % 90 == 0 || i == 77 || objects[i][i % 90 - 1] == (i & 127));
        CHECK(stm_set_finalizer(objects[5], count_death, &dead) == STM_OK);
        CHECK(stm_region_refresh(region, 1) == STM_OK);
        CHECK(stm_refresh(objects[9], 2) == STM_OK && stm_region_date_count(region) == 2 && stm_date_count(objects[0]) == 2);
        stm_error_handler before = stm_set_error_handler(note_errors);
        stm_free(objects[3]);
        CHECK(noted_error == STM_FREED_SHORT_TERM);
        stm_region_free(region);
        (void)stm_set_error_handler(before);
        char *grown = stm_realloc(objects[90 + 17], 200);
        CHECK(grown != objects[90 + 17] && grown[16] == 107);
        stm_free(grown);
        for (int i = 0; i < 2; i++) stm_tick(), stm_collect();
        CHECK(dead == 0 && objects[2999][3] == (2999 & 127));
        stm_tick();
        stm_collect();
        CHECK(dead == 1);
    }
    stm_region_free(stm_region_create());
    stm_region_free(NULL);
}

static void clock_wraps_around(void) {
    struct root *root = stm_root();
    uint64_t before = root->clock.time;
    stm_collect();
    root->clock.time = UINT64_MAX - 1;
    int dead[5];
    for (unsigned i = 0; i < 5; i++) CHECK(stm_refresh(mortal(&dead[i]), i) == STM_OK);
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) CHECK(dead[k] == (k < i));
        stm_tick();
        stm_collect();
    }
    CHECK(stm_time() == 3 && dead[4] == 1);
    root->clock.time = before;
}

/* Two threads date the same objects on their own clocks; each date of each must hold. */
enum { SHARED_OBJECTS = 20000, SHARERS = 2 };
static void *volatile shared[SHARED_OBJECTS];
static pthread_barrier_t meet;

static void *share(void *argument) {
    uint64_t state = (uint64_t)(uintptr_t)argument;
    bool first = state == 1;
    for (int round = 0; round < 4; round++) {
        if (first)
            for (int i = 0; i < SHARED_OBJECTS; i++) {
                shared[i] = stm_malloc(24);
                CHECK(stm_set_finalizer(shared[i], count_death, NULL) == STM_OK);
            }
        pthread_barrier_wait(&meet);
        for (int i = 0; i < SHARED_OBJECTS; i++)
            CHECK(stm_refresh(shared[i], (unsigned)(random_next(&state) % 2)) == STM_OK);
        pthread_barrier_wait(&meet);
        stm_tick();
        stm_collect();
        stm_tick();
        stm_collect();
        pthread_barrier_wait(&meet);
        CHECK(deaths == (round + 1) * SHARED_OBJECTS);
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

static void last_date_of_threads_that_race(void) {
    atomic_store(&deaths, 0);
    pthread_barrier_init(&meet, NULL, SHARERS);
    pthread_t threads[SHARERS];
    for (int i = 0; i < SHARERS; i++) pthread_create(&threads[i], NULL, share, (void *)(uintptr_t)(i + 1));
    for (int i = 0; i < SHARERS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meet);
}

/* Global time: every thread refreshes what it is handed before it ticks, and hands it on. */
enum { PLAYERS = 3, ROUNDS = 3000 };
static int *_Atomic ball[PLAYERS];

static void *play(void *argument) {
    int self = (int)(uintptr_t)argument;
    CHECK(stm_global_join() == STM_OK);
    pthread_barrier_wait(&meet);
    for (int round = 0; round < ROUNDS; round++) {
        int *mine = stm_malloc(sizeof *mine);
        *mine = round;
        /* Two periods may pass before a slow owner hands out the next one, and one more while the reader, who has
         * ticked in it already, looks at this one. */
        CHECK(stm_global_refresh(mine, 3) == STM_OK);
        atomic_store(&ball[self], mine);
        int *other = atomic_load(&ball[(self + 1) % PLAYERS]);
        if (other != NULL) CHECK(*other >= 0);
        if (round % 100 == 99) {
            atomic_store(&ball[self], NULL);
            CHECK(stm_global_tick() == STM_OK);
            CHECK(stm_global_block() == STM_OK && stm_global_resume() == STM_OK);
        }
        CHECK(stm_global_tick() == STM_OK);
    }
    atomic_store(&ball[self], NULL);
    return NULL;
}

static void global_time(void) {
    uint64_t before = stm_global_time();
    CHECK(stm_global_leave() == STM_OK);
    pthread_barrier_init(&meet, NULL, PLAYERS);
    pthread_t threads[PLAYERS];
    for (int i = 0; i < PLAYERS; i++) pthread_create(&threads[i], NULL, play, (void *)(uintptr_t)i);
    for (int i = 0; i < PLAYERS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&meet);
    CHECK(stm_global_time() > before);
    /* Alone, each tick is a period. */
    int dead;
    CHECK(stm_global_refresh(mortal(&dead), 0) == STM_OK);
    CHECK(stm_global_tick() == STM_OK);
    stm_collect();
    CHECK(dead == 0);
    CHECK(stm_global_tick() == STM_OK);
    stm_collect();
    CHECK(dead == 1);
    CHECK(stm_global_leave() == STM_OK);
}

static void forked_child_goes_on(void) {
    int dead;
    CHECK(stm_refresh(mortal(&dead), 0) == STM_OK);
    CHECK(stm_global_join() == STM_OK);
    pid_t child = fork();
    if (child == 0) {
        uint64_t before = stm_global_time();
        bool good = stm_global_tick() == STM_OK && stm_global_time() == before + 1;
        stm_tick();
        stm_collect();
        _exit(good && dead == 1 ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0 && dead == 0);
    stm_tick();
    stm_collect();
    CHECK(dead == 1 && stm_global_leave() == STM_OK);
}

static void no_interposer(void) {
    CHECK(stm_scope_begin(0) == STM_NO_INTERPOSER && stm_scope_end() == STM_BAD_ARGUMENT);
}

static void too_late_for_an_allocator(void) {
    struct stm_allocator allocator = {malloc, calloc, realloc, free, NULL};
    CHECK(stm_use_allocator(&allocator) == STM_BAD_ARGUMENT && stm_use_allocator(NULL) == STM_BAD_ARGUMENT);
}

/* In lazy mode each refresh settles one: what is allocated in a steady state is what one period needs, twice. */
static void reuse_is_last_in_first_out(void) {
    char *first = NULL, *last = NULL;
    for (int i = 0; i < 10; i++) {
        last = stm_malloc_refreshed(5000, 0);
        if (i == 0) first = last;
    }
    CHECK(first != last);
    stm_tick();
    struct stm_statistics statistics;
    stm_thread_statistics(&statistics);
    CHECK(statistics.expired_waiting == 9);
    for (int i = 0; i < 1000; i++) {
        for (int k = 0; k < 10; k++) CHECK(stm_malloc_refreshed(5000, 0) != NULL);
        stm_tick();
    }
    stm_thread_statistics(&statistics);
    CHECK(statistics.expired_waiting <= 10 && statistics.descriptor_bytes < 100000);
    stm_collect();
}

/* Against glibc's blocks, if it is they: a tool that watches malloc has other sizes. */
static void an_object_costs_little(void) {
    void *smallest = malloc(1);
    bool glibc = tn_os_usable_size(smallest) == 24;
    free(smallest);
    /* In sum: now and then glibc gives a block with a rest that is too small for another. */
    enum { SIZES = 3000 };
    size_t plain_bytes = 0, our_bytes = 0;
    for (size_t size = 1; glibc && size <= SIZES; size++) {
        void *plain = malloc(size), *ours = stm_malloc(size);
        plain_bytes += tn_os_usable_size(plain);
        our_bytes += stm_usable_size(ours) + HEADER_BYTES;
        free(plain);
        stm_free(ours);
    }
    CHECK(our_bytes <= plain_bytes + (HEADER_BYTES + 1) * SIZES);
    stm_collect();
    enum { MANY = 20000 };
    struct stm_statistics before, after;
    stm_thread_statistics(&before);
    for (int i = 0; i < MANY; i++) CHECK(stm_malloc_refreshed(24, 0) != NULL);
    stm_thread_statistics(&after);
    CHECK(after.dates - before.dates == MANY && after.descriptor_bytes - before.descriptor_bytes <= MANY * 9);
    stm_tick();
    stm_collect();
}

const struct test tests[] = {
    {"an object expires at the (extension + 1)-th tick, not before", expires_after_extension},
    {"an object lives until its last date has passed", last_date_counts},
    {"an object that was never refreshed stays", persistent_stays},
    {"sizes and alignments", sizes},
    {"reallocation keeps what has dates", reallocation},
    {"errors are reported, and change nothing", errors_are_reported},
    {"lazy collection is bounded, and eager collection is complete", lazy_is_bounded},
    {"finalizers", finalizers},
    {"any number of named clocks", named_clocks},
    {"a clock passes from thread to thread", clocks_change_hands},
    {"what an ended thread dated expires in its heir", heirs_expire},
    {"the objects of a region share its dates", regions},
    {"a clock wraps around", clock_wraps_around},
    {"the last date of two threads deallocates, once", last_date_of_threads_that_race},
    {"global time", global_time},
    {"a forked child goes on", forked_child_goes_on},
    {"a scope without an interposer is refused", no_interposer},
    {"an allocator comes first or not at all", too_late_for_an_allocator},
    {"expired memory is used again while more waits", reuse_is_last_in_first_out},
    {"a header costs at most 16 bytes, and a date little more than 8", an_object_costs_little},
    {NULL, NULL},
};
