/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: replace slots SLOTS LEAST MOST STEPS
 *        replace larson|glibc-thread|rptest THREADS SCALE
 * Small objects that are replaced at random, each program of a published name as its description has it, but that the work is fixed
 * and not the time, so that mallocs are compared by what the same work costs:
 *   slots         each step frees a random one of SLOTS objects and allocates one of LEAST to MOST bytes in its place
 *   larson        Larson and Krishnan's server (ISMM 1998), with the parameters that papers use, 8 to 1000 bytes, 5000 objects a
 *                 thread, 100 rounds: a thread replaces a random one of its objects, rounds times objects times, then starts
 *                 another, which takes over its objects, and ends. SCALE is how many threads follow each other
 *   glibc-thread  the C library's bench-malloc-thread: 1024 objects a thread, of 4 to 32768 bytes, of which the number falls with
 *                 the square of the size; a random one is replaced. SCALE is in 100,000 steps
 *   rptest        rpmalloc's benchmark with 500 loops, 1000 objects, 100 operations in each, 8 to 16000 bytes, fewer of the
 *                 larger ones in proportion: each loop frees and allocates so many, and each second one hands as many to the
 *                 next thread, which frees them. SCALE is how often the loops run
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned scale;

static uint32_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

/* One of n, without a division: what is measured is the malloc. */
static uint32_t below(uint64_t *state, uint32_t n) { return (uint32_t)((uint64_t)next_random(state) * n >> 32); }

static void replace(char **slot, size_t size) {
    free(*slot);
    char *object = *slot = malloc(size);
    if (object == NULL) abort();
    object[0] = object[size - 1] = 1;
}

static int slots(uint32_t count, uint32_t least, uint32_t most, unsigned long steps) {
    uint64_t state = 88172645463325252u;
    char **held = calloc(count, sizeof *held);
    for (unsigned long i = 0; i < steps; i++) {
        uint32_t k = below(&state, count);
        replace(&held[k], least + below(&state, most - least + 1));
    }
    for (uint32_t k = 0; k < count; k++) free(held[k]);
    free(held);
    return 0;
}

enum { LARSON_LEAST = 8, LARSON_MOST = 1000, LARSON_OBJECTS = 5000, LARSON_ROUNDS = 100 };

struct larson {
    char *held[LARSON_OBJECTS];
    uint64_t state;
    unsigned left; /* threads that are to follow */
    pthread_mutex_t *lock;
    pthread_cond_t *ended;
    unsigned *running;
};

static void *larson_thread(void *argument) {
    struct larson *larson = argument;
    for (unsigned i = 0; i < LARSON_ROUNDS * LARSON_OBJECTS; i++) {
        uint32_t k = below(&larson->state, LARSON_OBJECTS);
        replace(&larson->held[k], LARSON_LEAST + below(&larson->state, LARSON_MOST - LARSON_LEAST));
    }
    pthread_t next;
    if (--larson->left > 0 && pthread_create(&next, NULL, larson_thread, larson) == 0) {
        pthread_detach(next);
        return NULL;
    }
    pthread_mutex_lock(larson->lock);
    --*larson->running;
    pthread_cond_signal(larson->ended);
    pthread_mutex_unlock(larson->lock);
    return NULL;
}

/* The main thread allocates what the first threads begin with. */
static void larson(unsigned threads) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
    unsigned running = threads;
    struct larson *all = calloc(threads, sizeof *all);
    for (unsigned t = 0; t < threads; t++) {
        all[t].state = 4141 + t;
        all[t].left = scale;
        all[t].lock = &lock, all[t].ended = &ended, all[t].running = &running;
        for (unsigned k = 0; k < LARSON_OBJECTS; k++)
            replace(&all[t].held[k], LARSON_LEAST + below(&all[t].state, LARSON_MOST - LARSON_LEAST));
    }
    for (unsigned t = 0; t < threads; t++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, larson_thread, &all[t]) != 0) abort();
        pthread_detach(thread);
    }
    pthread_mutex_lock(&lock);
    while (running != 0) pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    for (unsigned t = 0; t < threads; t++)
        for (unsigned k = 0; k < LARSON_OBJECTS; k++) free(all[t].held[k]);
    free(all);
}

enum { WORKING_SET = 1024, SIZES = 65536, GLIBC_LEAST = 4, GLIBC_MOST = 32768 };
static unsigned glibc_sizes[SIZES];

/* From an even number by the inverse of what the density adds up to. */
static void make_glibc_sizes(void) {
    uint64_t state = 1;
    for (unsigned i = 0; i < SIZES; i++) {
        double even = (double)next_random(&state) / 4294967296.0, low = 1.0 / GLIBC_LEAST, high = 1.0 / GLIBC_MOST;
        glibc_sizes[i] = (unsigned)(1.0 / (low + even * (high - low)));
    }
}

static void *glibc_thread(void *seed) {
    uint64_t state = 977 + (uintptr_t)seed;
    char *held[WORKING_SET] = {NULL};
    for (unsigned i = 0; i < scale * 100000; i++)
        replace(&held[below(&state, WORKING_SET)], glibc_sizes[next_random(&state) % SIZES]);
    for (unsigned k = 0; k < WORKING_SET; k++) free(held[k]);
    return NULL;
}

enum { RP_LOOPS = 500, RP_OBJECTS = 1000, RP_OPERATIONS = 100, RP_CROSS = 2, RP_LEAST = 8, RP_MOST = 16000, THREADS_MOST = 64 };

struct handed {
    struct handed *next;
    char *objects[RP_OPERATIONS];
};
static struct handed *_Atomic waiting[THREADS_MOST];
static unsigned thread_count;

static size_t rp_size(uint64_t *state) {
    uint32_t a = below(state, RP_MOST - RP_LEAST), b = below(state, RP_MOST - RP_LEAST);
    return RP_LEAST + (a < b ? a : b);
}

static void rp_free_handed(unsigned thread) {
    struct handed *handed = atomic_exchange(&waiting[thread], NULL);
    while (handed != NULL) {
        struct handed *next = handed->next;
        for (unsigned i = 0; i < RP_OPERATIONS; i++) free(handed->objects[i]);
        free(handed);
        handed = next;
    }
}

static void rp_hand_on(unsigned thread, uint64_t *state) {
    struct handed *handed = calloc(1, sizeof *handed);
    for (unsigned i = 0; i < RP_OPERATIONS; i++) replace(&handed->objects[i], rp_size(state));
    struct handed *_Atomic *to = &waiting[(thread + 1) % thread_count];
    handed->next = atomic_load(to);
    while (!atomic_compare_exchange_weak(to, &handed->next, handed)) continue;
}

static void *rp_thread(void *number) {
    unsigned thread = (unsigned)(uintptr_t)number, k = 0;
    uint64_t state = 31 + thread;
    static _Thread_local char *held[RP_OBJECTS];
    for (unsigned loop = 0; loop < scale * RP_LOOPS; loop++) {
        for (unsigned i = 0; i < RP_OPERATIONS; i++) {
            free(held[k]);
            held[k] = NULL;
            k = (k + 1) % RP_OBJECTS;
        }
        for (unsigned i = 0, at = below(&state, RP_OBJECTS); i < RP_OPERATIONS; i++, at = (at + 7) % RP_OBJECTS)
            replace(&held[at], rp_size(&state));
        if (loop % RP_CROSS == 0) rp_hand_on(thread, &state);
        rp_free_handed(thread);
    }
    for (unsigned i = 0; i < RP_OBJECTS; i++) free(held[i]);
    return NULL;
}

static void run_threads(void *(*body)(void *), unsigned threads) {
    pthread_t all[THREADS_MOST];
    for (unsigned t = 0; t < threads; t++)
        if (pthread_create(&all[t], NULL, body, (void *)(uintptr_t)t) != 0) abort();
    for (unsigned t = 0; t < threads; t++) pthread_join(all[t], NULL);
}

int main(int count, char **arguments) {
    const char *name = count > 1 ? arguments[1] : "";
    if (count == 6 && strcmp(name, "slots") == 0)
        return slots((uint32_t)atoi(arguments[2]), (uint32_t)atoi(arguments[3]), (uint32_t)atoi(arguments[4]),
                     strtoul(arguments[5], NULL, 10));
    thread_count = count == 4 ? (unsigned)atoi(arguments[2]) : 0;
    if (thread_count == 0 || thread_count > THREADS_MOST) return fprintf(stderr, "usage: see the head of replace.c\n"), 2;
    scale = (unsigned)atoi(arguments[3]);
    if (strcmp(name, "larson") == 0) return larson(thread_count), 0;
    if (strcmp(name, "glibc-thread") == 0) return make_glibc_sizes(), run_threads(glibc_thread, thread_count), 0;
    if (strcmp(name, "rptest") != 0) return 2;
    run_threads(rp_thread, thread_count);
    for (unsigned t = 0; t < thread_count; t++) rp_free_handed(t);
    return 0;
}
