/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * One program, five heaps: HEAP_MALLOC is the malloc that is linked, HEAP_BDW the Boehm-Demers-Weiser collector with nothing freed by
 * hand, HEAP_CHECKED the checked heap in the form that TN_CHECKED_FORM says. The programs touch as compiled code does:
 * once for what follows a load, up to the next delete.
 */
#ifndef BENCH_CHECKED_HEAP_H
#define BENCH_CHECKED_HEAP_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef void *ref;

#if defined(HEAP_CHECKED)
#include "tenure/checked.h"
#define NEW(size, layout) tn_checked_new((size), 8, (layout), TN_CHECKED_RAW, NULL)
#define DELETE(it) tn_checked_delete((it), NULL)
#define AT(type, it) ((type *)tn_touch((it), NULL))
#define SAME(a, b) tn_equal((a), (b))
typedef struct tn_layout layout;
#else
typedef struct {
    uint32_t size, count;
    const uint32_t *offsets;
} layout;
#define AT(type, it) ((type *)(it))
#define SAME(a, b) ((a) == (b))
#if defined(HEAP_BDW)
#include <gc.h>
#define NEW(size, layout) ((void)(layout), GC_MALLOC(size))
#define DELETE(it) ((void)(it))
#else
static inline void *or_end(void *p) {
    if (p == NULL) abort();
    return p;
}
#define NEW(size, layout) ((void)(layout), or_end(malloc(size)))
#define DELETE(it) free(it)
#endif
#endif

/* splitmix64 (Steele, Lea and Flood 2014) */
static uint64_t random_state = 1;
static inline uint64_t random_next(void) {
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline uint64_t argument(int argc, char **argv, int at, uint64_t otherwise) {
    return argc > at ? strtoull(argv[at], NULL, 10) : otherwise;
}

/* To be called first. */
static inline void begin(void) {
#if defined(HEAP_BDW)
    GC_INIT();
#endif
}

/* Prints what the program took: seconds of processor time, KiB at the peak, a sum that all heaps must agree in; then what the
 * heap says of itself: rounds, slow touches, scanned MiB, the longest step in microseconds. */
static inline void finish(uint64_t sum) {
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    unsigned long long rounds = 0, slow = 0, scanned = 0, step = 0;
#if defined(HEAP_CHECKED)
    struct tnc_statistics s;
    tnc_statistics(&s);
    rounds = s.promotions;
    slow = s.slow_touches;
    scanned = s.scanned_bytes >> 20;
    step = s.longest_step_ns / 1000;
#endif
    long peak = usage.ru_maxrss;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r"); /* what the parent had before exec is not in it */
    while (status != NULL && fgets(line, sizeof line, status) != NULL) (void)sscanf(line, "VmHWM: %ld", &peak);
    if (status != NULL) (void)fclose(status);
    printf("%.3f %ld %llx %llu %llu %llu %llu\n", seconds, peak, (unsigned long long)sum, rounds, slow, scanned, step);
}

#endif
