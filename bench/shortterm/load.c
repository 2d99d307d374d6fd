/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Loads for one manner of managing memory (manner.h). Prints processor nanoseconds an object.
 *
 * usage: load pair SIZE PERIOD OBJECTS      objects of one size, PERIOD of them a period
 *        load mixed THREADS OBJECTS         as sh6bench does: sizes from 1 to 1000, small ones most often, in batches of growing size, the
 *                                           storage of a batch handed over in order and in reverse; a period is a batch
 *        load calls CALL SIZE COUNT RUNS   COUNT calls of one kind, each timed (timed.h): make (an object; with refresh(0) where there is one),
 *                                          end (of a period of 10 objects), life (both, in periods of 100), nothing, and, for manners that
 *                                          have them, refresh (by 0, 1 and 2, a tick after every tenth) and collect (of 10 objects)
 *        load space SIZE OBJECTS           resident bytes an object
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "manner.h"
#include "timed.h"

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

/* The calls of a process, one after another, each timed; see timed.h. */
static void calls(const char *which, size_t size, size_t count) {
    struct period period;
    period_start(&period, 128);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(which, "life") == 0) {
            /* What a period's end takes counts for the last of its objects. Where each object is freed by hand, a life is one of them. */
            uint64_t start = timed_start();
            *(volatile char *)period_make(&period, size) = 1;
            if (FREED_BY_HAND || i % 100 == 99) period_end(&period);
            timed_stop(i, start);
        } else if (strcmp(which, "make") == 0) {
            uint64_t start = timed_start();
            *(volatile char *)period_make(&period, size) = 1;
            timed_stop(i, start);
            if (i % 100 == 99) period_end(&period);
        } else if (strcmp(which, "end") == 0) {
            for (int k = 0; k < 10; k++) *(volatile char *)period_make(&period, size) = 1;
            uint64_t start = timed_start();
            period_end(&period);
            timed_stop(i, start);
        } else if (strcmp(which, "nothing") == 0) {
            uint64_t start = timed_start();
            timed_stop(i, start);
#if HAS_REFRESH
        } else if (strcmp(which, "refresh") == 0) {
            void *object = manner_allocate(size);
            uint64_t start = timed_start();
            manner_refresh(object, (unsigned)(i % 3));
            timed_stop(i, start);
            if (i % 10 == 9) period_end(&period);
        } else if (strcmp(which, "collect") == 0) {
            for (int k = 0; k < 10; k++) manner_refresh(manner_allocate(size), 0);
            period_end(&period);
            uint64_t start = timed_start();
            manner_collect();
            timed_stop(i, start);
#endif
        } else {
            exit(3); /* this manner has no such call */
        }
    }
}

/* Resident bytes an object, of many that live at once; what a manner takes at its first objects is left out. */
static void space(size_t size, size_t count) {
    struct period period;
    period_start(&period, 11 * count);
    if (FREED_BY_HAND) memset(period.objects, 1, 11 * count * sizeof(void *)); /* the program's own */
    for (size_t i = 0; i < count; i++) memset(period_make(&period, size), 1, size);
    size_t before = resident();
    for (size_t i = 0; i < 10 * count; i++) memset(period_make(&period, size), 1, size);
    printf("%.1f\n", (double)(resident() - before) / (10.0 * (double)count));
}

int main(int argc, char **argv) {
    manner_start();
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
    } else if (argc == 6 && strcmp(argv[1], "calls") == 0) {
        return timed(calls, argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), atoi(argv[5]));
    } else if (argc == 4 && strcmp(argv[1], "space") == 0) {
        space(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    } else {
        fprintf(stderr, "usage: load pair SIZE PERIOD OBJECTS | mixed THREADS OBJECTS | calls CALL SIZE COUNT RUNS | space SIZE OBJECTS\n");
        return 2;
    }
    return 0;
}
