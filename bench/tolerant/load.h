/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What both loads need: time without what a process waited for a processor, which says what else the machine did; a call
 * for what records them; and the oracle.
 */
#ifndef TENURE_BENCH_LOAD_H
#define TENURE_BENCH_LOAD_H

#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Seconds since some time in the past, without those that the process waited for a processor. */
static double time_without_waiting(pid_t process) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    char name[64];
    unsigned long long ran, waited = 0;
    snprintf(name, sizeof name, "/proc/%ld/schedstat", (long)process);
    FILE *file = fopen(name, "r");
    if (file != NULL && fscanf(file, "%llu %llu", &ran, &waited) == 2) seconds -= (double)waited / 1e9;
    if (file != NULL) fclose(file);
    return seconds;
}

/* touches.c's, if the program's touches of pages are recorded: looks for new memory. */
void touches_news(void) __attribute__((weak));

/* To be called once for each step of the load. */
static inline void note_step(void) {
    static unsigned steps;
    if (touches_news != NULL && steps++ % 64 == 0) touches_news();
}

/* What a malloc that knows the leaking site gives it: pages of its own, without a thought of frees. It is called, as any
 * malloc is. */
static __attribute__((noinline)) void *leaking_sites_malloc(size_t size) {
    static _Thread_local char *cursor, *limit;
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(limit - cursor) < size) {
        cursor = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (cursor == MAP_FAILED) return NULL;
        limit = cursor + (1 << 20);
    }
    cursor += size;
    return cursor - size;
}

#endif
