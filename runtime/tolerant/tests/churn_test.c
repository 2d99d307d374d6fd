/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Everything at once, for TENURE_TEST_SECONDS: threads that make, pass on, check and free objects of all sizes, that leak
 * and now and then use what they leaked, that come and go; children that check what they inherited; and looks for cold
 * pages all the time. To be run under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=0 and
 * TENURE_TOLERANT_COLD_ALLOCATIONS=0.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { THREADS = 3, SHARED = 2048, LEAKED = 60000, STEPS = 20000 };

struct object {
    uint32_t size, seed;
    unsigned char bytes[];
};

static unsigned char byte_of(const struct object *object, size_t i) {
    return (unsigned char)(object->seed % 5 == 0 ? 0 : object->seed % 5 == 1 ? 77 : object->seed + i * 7);
}

static __attribute__((noinline)) struct object *make(size_t size, unsigned seed) {
    struct object *object = malloc(sizeof *object + size);
    *object = (struct object){(uint32_t)size, seed};
    for (size_t i = 0; i < size; i++) object->bytes[i] = byte_of(object, i);
    return object;
}

static int whole(const struct object *object) {
    for (size_t i = 0; i < object->size; i++)
        if (object->bytes[i] != byte_of(object, i)) return 0;
    return 1;
}

static struct object *_Atomic shared[SHARED];
static struct object *_Atomic leaked[LEAKED];
static atomic_uint leaked_count, broken, ended;
static time_t end;

static size_t random_size(unsigned *state) {
    unsigned kind = next_random(state) % 64;
    return next_random(state) % (kind == 0 ? 100000 : kind < 8 ? 6000 : 300);
}

static void check_and_free(struct object *object) {
    if (object == NULL) return;
    if (!whole(object)) atomic_fetch_add(&broken, 1);
    free(object);
}

/* The sites of what leaks, one for each class of sizes. */
static __attribute__((noinline)) struct object *leak_small(unsigned seed) { return make(40, seed); }
static __attribute__((noinline)) struct object *leak_middle(unsigned seed) { return make(300, seed); }
static __attribute__((noinline)) struct object *leak_large(unsigned seed) { return make(2500, seed); }

static void leak(unsigned seed) {
    unsigned at = atomic_fetch_add(&leaked_count, 1) % LEAKED;
    struct object *object = seed % 16 == 0 ? leak_large(seed) : seed % 4 == 0 ? leak_middle(seed) : leak_small(seed);
    check_and_free(atomic_exchange(&leaked[at], object));
}

/* Takes some out, checks them, writes to them, and puts them back. */
static void use_leaked(unsigned *state) {
    for (unsigned i = 0; i < 50; i++) {
        unsigned at = next_random(state) % (LEAKED / 8); /* the others stay cold */
        struct object *object = atomic_exchange(&leaked[at], NULL);
        if (object == NULL) continue;
        if (!whole(object)) atomic_fetch_add(&broken, 1);
        object->seed = next_random(state);
        for (size_t k = 0; k < object->size; k++) object->bytes[k] = byte_of(object, k);
        if (next_random(state) % 4 == 0) {
            free(object);
            object = NULL;
        }
        check_and_free(atomic_exchange(&leaked[at], object));
    }
}

static void *work(void *seed) {
    unsigned state = (unsigned)(uintptr_t)seed * 7919 + 1;
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned at = next_random(&state) % SHARED;
        check_and_free(atomic_exchange(&shared[at], make(random_size(&state), next_random(&state))));
        if (step % 4 == 0) leak(next_random(&state));
        if (step % 2000 == 1999) use_leaked(&state);
    }
    atomic_fetch_add(&ended, 1);
    return NULL;
}

/* What the threads hold at the moment of the fork is not in the tables. */
static int check_in_child(void) {
    for (unsigned i = 0; i < LEAKED; i++) {
        struct object *object = atomic_exchange(&leaked[i], NULL);
        if (object == NULL) continue;
        if (!whole(object)) return 1;
        if (i % 2 == 0) object->bytes[0] ^= 1;
        if (i % 3 != 0) free(object);
    }
    look();
    (void)work((void *)(uintptr_t)5);
    return atomic_load(&broken) == 0 ? 0 : 1;
}

static void check_children(unsigned *forks, unsigned *failures) {
    pid_t child = fork();
    if (child == 0) _exit(check_in_child());
    int status = 0;
    if (child > 0 && waitpid(child, &status, 0) == child) ++*forks;
    if (status != 0) ++*failures;
}

/* What is left lies scattered. */
static void free_most_of_what_leaked(unsigned *state) {
    for (unsigned i = 0; i < LEAKED; i++)
        if (next_random(state) % 8 != 0) check_and_free(atomic_exchange(&leaked[i], NULL));
}

static void objects_stay_whole_whatever_happens(void) {
    const char *seconds = getenv("TENURE_TEST_SECONDS");
    unsigned forks = 0, failures = 0, rounds = 0, state = 1;
    size_t most_shared = 0;
    end = time(NULL) + (seconds == NULL ? 0 : atol(seconds));
    do {
        pthread_t threads[THREADS];
        atomic_store(&ended, 0);
        for (unsigned t = 0; t < THREADS; t++)
            CHECK(pthread_create(&threads[t], NULL, work, (void *)(uintptr_t)(rounds * THREADS + t)) == 0);
        while (atomic_load(&ended) < THREADS) {
            look();
            check_children(&forks, &failures);
        }
        for (unsigned t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
        if (rounds % 2 == 1) free_most_of_what_leaked(&state);
        for (unsigned i = 0; i < 6; i++) look();
        if (statistics().shared_bytes > most_shared) most_shared = (size_t)statistics().shared_bytes;
        rounds++;
    } while (time(NULL) < end);
    for (unsigned i = 0; i < LEAKED; i++) check_and_free(atomic_exchange(&leaked[i], NULL));
    for (unsigned i = 0; i < SHARED; i++) check_and_free(atomic_exchange(&shared[i], NULL));
    struct tn_tolerant_statistics now = statistics();
    printf("%u rounds, %u children, %u looks, released %zu KiB, shared at most %zu KiB\n", rounds, forks, now.looks,
           (size_t)now.released_bytes >> 10, most_shared >> 10);
    CHECK(failures == 0 && forks > 0);
    CHECK(atomic_load(&broken) == 0);
}

const struct test tests[] = {
    {"objects stay whole whatever happens", objects_stay_whole_whatever_happens},
    {NULL, NULL},
};
