/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Loads for one manner of managing memory (manner.h). Prints processor nanoseconds an object.
 *
 * usage: load pair SIZE PERIOD OBJECTS      objects of one size, PERIOD of them a period
 *        load mixed THREADS OBJECTS         as sh6bench does: sizes from 1 to 1000, small ones most often, in batches of growing size, the
 *                                           storage of a batch handed over in order and in reverse; a period is a batch
 *        load latency SIZE OBJECTS          the distribution of the time of one object's whole life, over periods of 100: prints the median, the 99.99th
 *                                           percentile and the most, in nanoseconds
 *        load calls OBJECTS                 for manners with a refresh: the same of each refresh and each tick
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "manner.h"

static uint64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void pair(size_t size, size_t length, uint64_t objects) {
    struct period period;
    period_start(&period, length);
    for (uint64_t done = 0; done < objects; done += length) {
        for (size_t i = 0; i < length; i++) *(volatile char *)period_make(&period, size) = 1;
        period_end(&period);
    }
}

struct work {
    uint64_t objects, seed, nanoseconds;
};

static void *mixed(void *argument) {
    struct work *work = argument;
    uint64_t start = now(CLOCK_THREAD_CPUTIME_ID);
    uint32_t random = (uint32_t)work->seed;
    struct period period;
    period_start(&period, 4096);
    for (uint64_t done = 0; done < work->objects;) {
        for (size_t batch = 64; batch <= 4096 && done < work->objects; batch *= 2) {
            for (size_t i = 0; i < batch; i++) {
                random = random * 1664525U + 1013904223U;
                size_t size = (random >> 28) < 13 ? 1 + (random >> 8) % 128 : 1 + (random >> 8) % 1000;
                char *object = period_make(&period, size);
                object[0] = object[size - 1] = 1;
            }
            if (FREED_BY_HAND && batch % 128 == 0)
                for (size_t i = 0; i < period.count / 2; i++) {
                    void *other = period.objects[period.count - 1 - i];
                    period.objects[period.count - 1 - i] = period.objects[i];
                    period.objects[i] = other;
                }
            done += batch;
            period_end(&period);
        }
    }
    work->nanoseconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
    return NULL;
}

static int by_value(const void *a, const void *b) {
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first < second ? -1 : first > second;
}

/* A period's end is shared out over its objects only where it is one: what it takes counts for the last of them. */
static void latency(size_t size, size_t objects) {
    uint32_t *times = malloc(objects * sizeof *times);
    struct period period;
    period_start(&period, 100);
    for (size_t i = 0; i < objects; i++) {
        uint64_t start = now(CLOCK_MONOTONIC);
        *(volatile char *)period_make(&period, size) = 1;
        if (FREED_BY_HAND) period_end(&period);
        else if (i % 100 == 99) period_end(&period);
        uint64_t taken = now(CLOCK_MONOTONIC) - start;
        times[i] = taken < UINT32_MAX ? (uint32_t)taken : UINT32_MAX;
    }
    qsort(times, objects, sizeof *times, by_value);
    printf("%u %u %u\n", times[objects / 2], times[objects - 1 - objects / 10000], times[objects - 1]);
    free(times);
}

#if defined(MANNER_SHORT_TERM) || defined(MANNER_SCM)
#if defined(MANNER_SCM)
#define stm_refresh scm_refresh
#define stm_malloc scm_malloc
#define stm_tick scm_tick
#endif

static void put(const char *name, uint32_t *times, size_t count) {
    qsort(times, count, sizeof *times, by_value);
    printf("%s: median %u, p99.99 %u, most %u ns\n", name, times[count / 2], times[count - 1 - count / 10000], times[count - 1]);
}

/* Each call by itself, a tick after every tenth object, less what reading the clock takes. */
static void calls(size_t objects) {
    uint32_t *refreshes = malloc(objects * sizeof *refreshes), *ticks = malloc(objects / 10 * sizeof *ticks), least = UINT32_MAX;
    for (int i = 0; i < 1000; i++) {
        uint64_t start = now(CLOCK_MONOTONIC);
        uint32_t taken = (uint32_t)(now(CLOCK_MONOTONIC) - start);
        if (taken < least) least = taken;
    }
    for (size_t i = 0; i < objects; i++) {
        void *object = stm_malloc(16 + i % 500);
        uint64_t start = now(CLOCK_MONOTONIC);
        (void)stm_refresh(object, (unsigned)(i % 3));
        uint32_t taken = (uint32_t)(now(CLOCK_MONOTONIC) - start);
        refreshes[i] = taken > least ? taken - least : 0;
        if (i % 10 != 9) continue;
        start = now(CLOCK_MONOTONIC);
        stm_tick();
        taken = (uint32_t)(now(CLOCK_MONOTONIC) - start);
        ticks[i / 10] = taken > least ? taken - least : 0;
    }
    put("refresh", refreshes, objects);
    put("tick", ticks, objects / 10);
    free(refreshes);
    free(ticks);
}
#endif

int main(int argc, char **argv) {
    manner_start();
#if defined(MANNER_SHORT_TERM) || defined(MANNER_SCM)
    if (argc == 3 && strcmp(argv[1], "calls") == 0) {
        calls(strtoull(argv[2], NULL, 10));
        return 0;
    }
#endif
    if (argc == 5 && strcmp(argv[1], "pair") == 0) {
        uint64_t objects = strtoull(argv[4], NULL, 10);
        pair(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), objects / 10);
        uint64_t start = now(CLOCK_PROCESS_CPUTIME_ID);
        pair(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), objects);
        printf("%.3f\n", (double)(now(CLOCK_PROCESS_CPUTIME_ID) - start) / (double)objects);
    } else if (argc == 4 && strcmp(argv[1], "mixed") == 0) {
        int threads = atoi(argv[2]);
        struct work work[16];
        pthread_t ids[16];
        if (threads < 1 || threads > 16) return 2;
        for (int i = 0; i < threads; i++) {
            work[i] = (struct work){.objects = strtoull(argv[3], NULL, 10), .seed = (uint64_t)i + 1};
            pthread_create(&ids[i], NULL, mixed, &work[i]);
        }
        double sum = 0;
        for (int i = 0; i < threads; i++) {
            pthread_join(ids[i], NULL);
            sum += (double)work[i].nanoseconds / (double)work[i].objects;
        }
        printf("%.3f\n", sum / threads);
    } else if (argc == 4 && strcmp(argv[1], "latency") == 0) {
        latency(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    } else {
        fprintf(stderr, "usage: load pair SIZE PERIOD OBJECTS | mixed THREADS OBJECTS | latency SIZE OBJECTS\n");
        return 2;
    }
    return 0;
}
