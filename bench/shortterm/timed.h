/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Times of single calls, told apart from what the machine does meanwhile.
 *
 * The same calls are made in several child processes, each begun in the same state, and for each call, the k-th, the least of its times
 * counts: an interrupt, or a host that takes the processor away, meets another call in each run, but a call that has to extend a ring or
 * ask for a page has to do so in every run. Where the kernel says that the process was switched, the calls of that stretch of 64 do not
 * count at all in that run.
 */
#ifndef BENCH_SHORTTERM_TIMED_H
#define BENCH_SHORTTERM_TIMED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Cycles of the time-stamp counter; elsewhere nanoseconds. */
#if defined(__x86_64__)
#include <x86intrin.h>
#define TIMED_UNIT "cycles"
static inline uint64_t timed_now(void) {
    unsigned processor;
    return __rdtscp(&processor);
}
#else
#define TIMED_UNIT "ns"
static inline uint64_t timed_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}
#endif

#define TIMED_STRETCH 64

static struct {
    uint32_t *least; /* of each call; shared with the children */
    uint32_t stretch[TIMED_STRETCH];
    uint64_t *dropped; /* times that were not counted, shared */
    long switches;
} timed_state;

static inline long timed_switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw + usage.ru_nvcsw;
}

static inline uint64_t timed_start(void) { return timed_now(); }

static inline void timed_stop(size_t index, uint64_t start) {
    uint64_t taken = timed_now() - start;
    size_t place = index % TIMED_STRETCH;
    timed_state.stretch[place] = taken < UINT32_MAX ? (uint32_t)taken : UINT32_MAX;
    if (place != TIMED_STRETCH - 1) return;
    long switches = timed_switches();
    uint32_t *least = timed_state.least + (index - place);
    if (switches != timed_state.switches)
        *timed_state.dropped += TIMED_STRETCH;
    else
        for (size_t i = 0; i < TIMED_STRETCH; i++)
            if (timed_state.stretch[i] < least[i]) least[i] = timed_state.stretch[i];
    timed_state.switches = switches;
}

static int timed_order(const void *a, const void *b) {
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first < second ? -1 : first > second;
}

/* Prints: mean, median, 99.99th percentile and most of the times, how many of all times were dropped, how many calls have none. */
static int timed(void (*calls)(const char *which, size_t size, size_t count), const char *which, size_t size, size_t count, int runs) {
    count -= count % TIMED_STRETCH;
    void *shared = mmap(NULL, (count + 2) * sizeof(uint32_t) + 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || count == 0) return 2;
    timed_state.dropped = shared;
    timed_state.least = (uint32_t *)shared + 2;
    memset(timed_state.least, 0xff, count * sizeof(uint32_t));
    for (int run = 0; run < runs; run++) {
        pid_t child = fork();
        if (child == 0) {
            timed_state.switches = timed_switches();
            calls(which, size, count);
            _exit(0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child) return 2;
        if (status != 0) return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    }
    qsort(timed_state.least, count, sizeof(uint32_t), timed_order);
    size_t known = count;
    while (known > 0 && timed_state.least[known - 1] == UINT32_MAX) known--;
    if (known == 0) return 2;
    double sum = 0;
    for (size_t i = 0; i < known; i++) sum += timed_state.least[i];
    printf("%.1f %u %u %u %llu %zu\n", sum / (double)known, timed_state.least[known / 2],
           timed_state.least[known - 1 - known / 10000], timed_state.least[known - 1], (unsigned long long)*timed_state.dropped,
           count - known);
    return 0;
}

/* Bytes of the process that are in memory. */
static inline size_t resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    size_t all = 0, pages = 0;
    if (file != NULL) {
        if (fscanf(file, "%zu %zu", &all, &pages) != 2) pages = 0;
        fclose(file);
    }
    return pages * 4096;
}

#endif
