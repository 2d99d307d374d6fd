/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The library against a model of dates and clocks that has no cleverness: an object is a set of dates, a clock is a number, and an object
 * is dead when it has dates and all have passed. Several threads do random operations, one at a time; every so often all collect, and
 * then what the model says is dead must be deallocated, and what it says lives must not.
 *
 * usage: model_test [OPERATIONS [SEED]]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "prim/memory.h"
#include "shortterm/object.h"
#include "shortterm/root.h"

#define THREADS 4
#define OBJECTS 600
#define NAMED 6
#define ROOTS 64
#define DATES_MOST 12
#define PHASE 4000

/* Clocks of the model: a root's own, a root's view of global time, the named ones. */
enum { OWN = 0, VIEW = ROOTS, NAME = 2 * ROOTS, CLOCKS = 2 * ROOTS + NAMED };

struct model_object {
    unsigned char *p;
    size_t size;
    bool used, region, deallocated, finalized;
    int dates;
    struct {
        int clock;
        uint64_t date;
    } date[DATES_MOST];
};

static struct model_object objects[OBJECTS];
static uint64_t clock_time[CLOCKS];
static stm_clock *named[NAMED];
static int named_owner[NAMED]; /* root number, 0: given up, -1: there is none */
static bool root_held[ROOTS];
static struct {
    uint64_t time;
    bool active[ROOTS], ticked[ROOTS];
    stm_participant *who[ROOTS];
} world;

static pthread_mutex_t big_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static uint64_t operations = 2000000, seed = 1;

/* The allocator below notes the deaths of objects that have no finalizer. */
static void *watched_calloc(size_t count, size_t size) { return calloc(count, size); }
static void watched_free(void *block) {
    if (block != NULL)
        for (int i = 0; i < OBJECTS; i++)
            if (objects[i].used && (unsigned char *)block + 16 == objects[i].p) objects[i].deallocated = true;
    free(block);
}
static size_t watched_size(void *block) { return tn_os_usable_size(block); }

static int finalize(void *object, void *argument) {
    struct model_object *o = argument;
    CHECK(o->used && !o->deallocated && (o->region || o->p == object));
    o->deallocated = true;
    return 0;
}

static bool passed(int clock, uint64_t date) { return clock_time[clock] > date; }

static bool dead(const struct model_object *o) {
    if (o->dates == 0) return false;
    for (int i = 0; i < o->dates; i++)
        if (!passed(o->date[i].clock, o->date[i].date)) return false;
    return true;
}

/* Whether a date of the object is for a root to settle that no thread has now. */
static bool waits_in_pool(const struct model_object *o) {
    for (int i = 0; i < o->dates; i++)
        if (o->date[i].clock < NAME && !root_held[o->date[i].clock % ROOTS]) return true;
    return false;
}

static unsigned char pattern(const struct model_object *o) { return (unsigned char)(o - objects); }

static void check_contents(const struct model_object *o) {
    CHECK(!o->deallocated);
    if (o->region || o->size == 0) return;
    CHECK(o->p[0] == pattern(o) && o->p[o->size / 2] == pattern(o) && o->p[o->size - 1] == pattern(o));
}

static void add_date(struct model_object *o, int clock, uint64_t date) {
    o->date[o->dates].clock = clock;
    o->date[o->dates].date = date;
    o->dates++;
}

static int me(void) { return (int)stm_root()->number; }

static void sync_root(void) {
    int root = me();
    root_held[root] = true;
    CHECK(stm_time() == clock_time[OWN + root]);
}

static void world_settle(void) {
    bool anybody = false;
    for (int i = 0; i < ROOTS; i++) {
        if (world.active[i] && !world.ticked[i]) return;
        anybody = anybody || world.active[i];
    }
    if (!anybody) return;
    world.time++;
    memset(world.ticked, 0, sizeof world.ticked);
}

static void world_enter(int root) {
    if (world.active[root]) return;
    world.active[root] = true;
    world.ticked[root] = false;
    world.who[root] = stm_global_self();
}

static void world_exit(int root) {
    if (!world.active[root]) return;
    world.active[root] = false;
    world_settle();
}

static void do_allocate(uint64_t *state) {
    struct model_object *o = &objects[random_next(state) % OBJECTS];
    if (o->used) return;
    uint64_t way = random_next(state) % 16;
    size_t size = random_next(state) % 8 == 0 ? random_next(state) % 5000 : random_next(state) % 300;
    *o = (struct model_object){.size = size};
    if (way == 0) {
        o->region = true;
        o->p = (unsigned char *)stm_region_create();
        o->used = true;
        int parts = (int)(random_next(state) % 20);
        for (int i = 0; i < parts; i++) {
            size_t bytes = random_next(state) % (i == 7 ? 100000 : 3000);
            unsigned char *part = stm_region_malloc((stm_region *)(void *)o->p, bytes);
            memset(part, 1, bytes);
            if (i == 0) CHECK(stm_set_finalizer(part, finalize, o) == STM_OK), o->finalized = true;
        }
        return;
    }
    if (way == 1) {
        o->p = stm_aligned_alloc(64, size);
        CHECK(((uintptr_t)o->p & 63) == 0);
    } else if (way == 2) {
        o->p = stm_calloc(size, 1);
        for (size_t i = 0; i < size; i++) CHECK(o->p[i] == 0);
    } else {
        o->p = stm_malloc(size);
    }
    CHECK(((uintptr_t)o->p & 15) == 0 && stm_usable_size(o->p) >= size);
    for (int i = 0; i < OBJECTS; i++) CHECK(!objects[i].used || objects[i].p != o->p || dead(&objects[i]));
    memset(o->p, pattern(o), size);
    o->used = true;
    o->finalized = way < 6 || way == 1;
    if (o->finalized) CHECK(stm_set_finalizer(o->p, finalize, o) == STM_OK);
}

/* A live object, or NULL. */
static struct model_object *pick(uint64_t *state) {
    struct model_object *o = &objects[random_next(state) % OBJECTS];
    if (!o->used || dead(o)) return NULL;
    check_contents(o);
    return o;
}

static void do_refresh(uint64_t *state) {
    struct model_object *o = pick(state);
    if (o == NULL || o->dates == DATES_MOST) return;
    unsigned extension = (unsigned)(random_next(state) % 8 == 0 ? random_next(state) % 40 : random_next(state) % 3);
    int root = me();
    uint64_t way = random_next(state) % 8;
    int error;
    if (way < 5) {
        add_date(o, OWN + root, clock_time[OWN + root] + extension);
        error = o->region ? stm_region_refresh((stm_region *)(void *)o->p, extension) : stm_refresh(o->p, extension);
    } else if (way == 5) {
        add_date(o, VIEW + root, world.time + extension + 1);
        world_enter(root);
        clock_time[VIEW + root] = world.time;
        error = o->region ? stm_global_region_refresh((stm_region *)(void *)o->p, extension)
                          : stm_global_refresh(o->p, extension);
        world.who[root] = stm_global_self();
    } else {
        int n = (int)(random_next(state) % NAMED);
        if (named_owner[n] != root) return;
        add_date(o, NAME + n, clock_time[NAME + n] + extension);
        error = o->region ? stm_clock_region_refresh(named[n], (stm_region *)(void *)o->p, extension)
                          : stm_clock_refresh(named[n], o->p, extension);
    }
    CHECK(error == STM_OK);
}

static void do_named(uint64_t *state) {
    int n = (int)(random_next(state) % NAMED);
    int root = me();
    if (named_owner[n] == -1) {
        named[n] = stm_clock_create();
        named_owner[n] = root;
        clock_time[NAME + n] = 0;
    } else if (named_owner[n] == 0) {
        CHECK(stm_clock_take(named[n]) == STM_OK);
        named_owner[n] = root;
    } else if (named_owner[n] == root) {
        switch (random_next(state) % 12) {
        case 0:
            CHECK(stm_clock_give(named[n]) == STM_OK);
            named_owner[n] = 0;
            break;
        case 1: {
            /* Of an object that had a date on it, only those are left that have not passed; the clock's number is used again. */
            clock_time[NAME + n] = UINT64_MAX;
            CHECK(stm_clock_destroy(named[n]) == STM_OK);
            for (int i = 0; i < OBJECTS; i++)
                for (int d = 0; d < objects[i].dates; d++)
                    if (objects[i].date[d].clock == NAME + n) objects[i].date[d].clock = OWN, objects[i].date[d].date = 0;
            clock_time[OWN] = 1; /* root 0 is nobody's: its clock stands for what has passed */
            root_held[0] = true;
            named_owner[n] = -1;
            break;
        }
        default:
            clock_time[NAME + n]++;
            CHECK(stm_clock_tick(named[n]) == STM_OK);
            CHECK(stm_clock_time(named[n]) == clock_time[NAME + n]);
        }
    }
}

static void do_global(uint64_t *state) {
    int root = me();
    switch (random_next(state) % 24) {
    case 0:
        world_exit(root);
        CHECK(stm_global_block() == STM_OK);
        break;
    case 1:
        world_exit(root);
        CHECK(stm_global_leave() == STM_OK);
        break;
    case 2: {
        int other = (int)(random_next(state) % ROOTS);
        if (!world.active[other] || other == root) break;
        world.active[other] = false;
        memset(world.ticked, 0, sizeof world.ticked);
        CHECK(stm_global_declare_blocked(world.who[other]) == STM_OK);
        CHECK(stm_global_declare_blocked(world.who[other]) == STM_BAD_ARGUMENT);
        break;
    }
    default:
        world_enter(root);
        world.ticked[root] = true;
        world_settle();
        clock_time[VIEW + root] = world.time;
        CHECK(stm_global_tick() == STM_OK);
        world.who[root] = stm_global_self();
    }
    CHECK(stm_global_time() == world.time);
}

static void do_free(uint64_t *state) {
    struct model_object *o = pick(state);
    if (o == NULL || o->region || o->dates != 0) return;
    o->used = false;
    stm_free(o->p);
}

static void do_realloc(uint64_t *state) {
    struct model_object *o = pick(state);
    if (o == NULL || o->region || o->finalized || o->size == 0) return;
    size_t size = 1 + random_next(state) % 2000;
    /* One with dates stays where it is until they pass; the test gives up its copy. */
    unsigned char *moved = stm_realloc(o->p, size);
    CHECK(moved != NULL && moved[0] == pattern(o));
    if (o->dates == 0) {
        o->p = moved;
        o->size = size;
        o->deallocated = false;
        memset(o->p, pattern(o), size);
    } else if (moved != o->p) {
        stm_free(moved);
    }
}

static void do_leave(void) {
    int root = me();
    for (int n = 0; n < NAMED; n++) {
        if (named_owner[n] != root) continue;
        CHECK(stm_clock_give(named[n]) == STM_OK);
        named_owner[n] = 0;
    }
    world_exit(root);
    root_held[root] = false;
    stm_thread_leave();
    sync_root();
}

static void step(uint64_t *state) {
    uint64_t what = random_next(state) % 100;
    sync_root();
    if (what < 30) do_allocate(state);
    else if (what < 60) do_refresh(state);
    else if (what < 72) { clock_time[OWN + me()]++; stm_tick(); }
    else if (what < 80) do_named(state);
    else if (what < 90) do_global(state);
    else if (what < 95) do_free(state);
    else if (what < 98) do_realloc(state);
    else if (what == 98 && random_next(state) % 10 == 0) do_leave();
    else CHECK(stm_set_collection(random_next(state) % 2 ? STM_LAZY : STM_EAGER, 1 + (unsigned)(random_next(state) % 3)) == STM_OK);
}

/* All threads have collected. */
static void verify(bool last) {
    for (int i = 0; i < OBJECTS; i++) {
        struct model_object *o = &objects[i];
        if (!o->used) continue;
        if (!dead(o)) {
            CHECK(!last || o->dates == 0);
            check_contents(o);
        } else if (o->finalized || (stm_root()->cache_room == 0 && !o->region)) {
            if (last || !waits_in_pool(o)) CHECK(o->deallocated);
            if (o->deallocated) o->used = false;
        } else {
            o->used = false; /* its death cannot be seen: it may still stand in a list of ours */
        }
    }
}

static void *worker(void *argument) {
    uint64_t state = seed * 1000 + (uint64_t)(uintptr_t)argument;
    for (uint64_t done = 0; done < operations / THREADS; done += PHASE) {
        for (int i = 0; i < PHASE; i++) {
            pthread_mutex_lock(&big_lock);
            step(&state);
            pthread_mutex_unlock(&big_lock);
        }
        pthread_mutex_lock(&big_lock);
        stm_collect();
        pthread_mutex_unlock(&big_lock);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) verify(false);
        pthread_barrier_wait(&barrier);
    }
    pthread_mutex_lock(&big_lock);
    for (int n = 0; n < NAMED; n++)
        if (named_owner[n] == me()) CHECK(stm_clock_give(named[n]) == STM_OK), named_owner[n] = 0;
    CHECK(stm_global_leave() == STM_OK);
    root_held[me()] = false;
    pthread_mutex_unlock(&big_lock);
    return NULL;
}

/* As many threads as there are roots take them all over, and let all dates pass. */
static void *heir(void *argument) {
    (void)argument;
    pthread_mutex_lock(&big_lock);
    int root = me();
    CHECK(stm_global_join() == STM_OK);
    for (int n = 0; n < NAMED; n++) {
        if (named_owner[n] != 0) continue;
        CHECK(stm_clock_take(named[n]) == STM_OK);
        CHECK(stm_clock_destroy(named[n]) == STM_OK);
        named_owner[n] = -1;
        clock_time[NAME + n] = UINT64_MAX;
    }
    for (int i = 0; i < 64; i++) stm_tick();
    clock_time[OWN + root] += 64;
    pthread_mutex_unlock(&big_lock);
    for (int i = 0; i < 64; i++) {
        pthread_barrier_wait(&barrier);
        CHECK(stm_global_tick() == STM_OK);
    }
    pthread_barrier_wait(&barrier);
    CHECK(stm_global_tick() == STM_OK);
    stm_collect();
    clock_time[VIEW + root] = stm_global_time();
    pthread_barrier_wait(&barrier);
    return NULL;
}

static void library_and_model_agree(void) {
    if (test_argc > 1) operations = strtoull(test_argv[1], NULL, 10);
    if (test_argc > 2) seed = strtoull(test_argv[2], NULL, 10);
    for (int n = 0; n < NAMED; n++) named_owner[n] = -1;
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)(uintptr_t)(i + 1));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, heir, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    verify(true);
    for (int i = 0; i < OBJECTS; i++) {
        if (!objects[i].used) continue;
        objects[i].used = false;
        if (objects[i].region) stm_region_free((stm_region *)(void *)objects[i].p);
        else stm_free(objects[i].p);
    }
    pthread_barrier_destroy(&barrier);
}

static void set_up(void) {
    static const struct stm_allocator watched = {malloc, watched_calloc, realloc, watched_free, watched_size};
    CHECK(stm_use_allocator(&watched) == STM_OK);
}

const struct test tests[] = {
    {"an allocator of the program's own may be underneath", set_up},
    {"the library and the model agree after random operations of several threads", library_and_model_agree},
    {NULL, NULL},
};
