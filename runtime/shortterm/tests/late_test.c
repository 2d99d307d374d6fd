/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A program that is not linked with the library, runs preloaded, and begins to use it late: until then it has its own allocator, and what
 * it allocated before goes on as if nothing had happened. With an argument the allocator below is one whose blocks cannot be told
 * from ours, so that everything is ours from the start.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            failures++;                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);      \
        }                                                                                \
    } while (0)

static int (*scope_begin)(unsigned), (*scope_end)(void);
static void (*tick)(void), (*collect)(void);
static size_t (*date_count)(const void *);

static void find(void *place, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    if (found == NULL) {
        fprintf(stderr, "%s is not there\n", name);
        exit(2);
    }
    memcpy(place, &found, sizeof found);
}

enum { BLOCKS = 400, THREADS = 3, ROUNDS = 3000 };
static _Atomic(char *) exchanged[BLOCKS];
static atomic_bool stop;
static atomic_uint rounds[THREADS];

static char *make(unsigned kind) {
    size_t size = 1 + kind * 37 % 3000;
    void *aligned = NULL;
    switch (kind % 6) {
    case 0: return calloc(1, size);
    case 1: return realloc(NULL, size);
    case 2: return aligned_alloc(64, (size + 63) & ~(size_t)63);
    case 3: return posix_memalign(&aligned, 256, size) == 0 ? aligned : NULL;
    case 4: return memalign(32, size);
    default: return malloc(size);
    }
}

/* Swaps blocks with the other threads, so that each frees and grows what others allocated before and after the change. */
static void *churn(void *argument) {
    unsigned self = (unsigned)(size_t)argument, random = self + 1;
    while (!atomic_load(&stop)) {
        random = random * 1664525U + 1013904223U;
        char *mine = make(random >> 8);
        mine[0] = 'x';
        char *other = atomic_exchange(&exchanged[(random >> 16) % BLOCKS], mine);
        if (other != NULL) {
            if (random & 0x100000) other = realloc(other, 1 + (random >> 9) % 5000);
            if (other[0] != 'x') abort();
            free(other);
        }
        atomic_fetch_add(&rounds[self], 1);
    }
    return NULL;
}

static void wait_for_rounds(unsigned more) {
    for (int i = 0; i < THREADS; i++)
        for (unsigned from = atomic_load(&rounds[i]); atomic_load(&rounds[i]) - from < more;) sched_yield();
}

int main(int argc, char **argv) {
    (void)argv;
    bool ours_from_the_start = argc > 1;
    /* Right before a block glibc keeps its size: 24 bytes take 32 in all. We have something else there. */
    void *plain = malloc(24), *kept[64];
    size_t *volatile before = plain;
    if (!ours_from_the_start) CHECK((before[-1] & ~(size_t)7) == 32);
    for (unsigned i = 0; i < 64; i++) kept[i] = memset(make(i), 'k', 1);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, churn, (void *)i);
    wait_for_rounds(ROUNDS);
    find(&scope_begin, "stm_scope_begin");
    find(&scope_end, "stm_scope_end");
    find(&tick, "stm_tick");
    find(&collect, "stm_collect");
    find(&date_count, "stm_date_count");
    CHECK(scope_begin(0) == 0);
    char *inside = malloc(100);
    strcpy(inside, "inside");
    plain = realloc(plain, 2000); /* persistent, and so it stays */
    memset(plain, 'p', 2000);
    CHECK(date_count(inside) == 1);
    for (unsigned i = 0; i < 32; i++) {
        CHECK(*(char *)kept[i] == 'k');
        free(kept[i]);
    }
    CHECK(scope_end() == 0);
    wait_for_rounds(ROUNDS);
    atomic_store(&stop, true);
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    tick();
    collect();
    CHECK(((char *)plain)[1999] == 'p');
    free(plain);
    void *after = malloc(24);
    CHECK(date_count(after) == 0);
    free(after);
    for (unsigned i = 32; i < 64; i++) {
        CHECK(*(char *)kept[i] == 'k');
        free(kept[i]);
    }
    for (int i = 0; i < BLOCKS; i++) free(exchanged[i]);
    printf("1 tests, %d failures\n", failures != 0);
    return failures != 0;
}
