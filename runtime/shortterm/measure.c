/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Measuring mode: live bytes and descriptors at each tick, as comma-separated values (papers/003…, figures 3 and 4).
 */
#define _DEFAULT_SOURCE /* __fpurge */
#include <stdio.h>
#include <stdio_ext.h>
#include <time.h>

#include "prim/option.h"
#include "shortterm/mode.h"

static _Atomic int64_t short_term, persistent;
static FILE *file;
static char file_buffer[1 << 16];

void stm_live(struct stm_live_bytes *live) {
    int64_t short_bytes = atomic_load_explicit(&short_term, memory_order_relaxed);
    int64_t persistent_bytes = atomic_load_explicit(&persistent, memory_order_relaxed);
    live->short_term = short_bytes > 0 ? (uint64_t)short_bytes : 0;
    live->persistent = persistent_bytes > 0 ? (uint64_t)persistent_bytes : 0;
}

void stm_measure_allocated(size_t bytes) {
    atomic_fetch_add_explicit(&persistent, (int64_t)bytes, memory_order_relaxed);
}

void stm_measure_dated(size_t bytes) {
    atomic_fetch_sub_explicit(&persistent, (int64_t)bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&short_term, (int64_t)bytes, memory_order_relaxed);
}

void stm_measure_persistent_again(size_t bytes) {
    atomic_fetch_sub_explicit(&short_term, (int64_t)bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&persistent, (int64_t)bytes, memory_order_relaxed);
}

void stm_measure_gone(size_t bytes, bool was_short_term) {
    atomic_fetch_sub_explicit(was_short_term ? &short_term : &persistent, (int64_t)bytes, memory_order_relaxed);
}

void stm_measure_begin(void) {
    FILE *opened = fopen(tn_option_text(TN_TEXT_STM_MEASURE), "w");
    if (opened == NULL) {
        perror("tenure: TENURE_STM_MEASURE");
        return;
    }
    (void)setvbuf(opened, file_buffer, _IOFBF, sizeof file_buffer);
    /* Written at once: a child that is forked before the first tick has no copy of it to write again. */
    (void)fputs("microseconds,thread,clock,time,short_term_bytes,persistent_bytes,descriptors\n", opened);
    (void)fflush(opened);
    file = opened;
}

/* The file is the parent's. */
void stm_measure_after_fork(void) {
    if (file == NULL) return;
    __fpurge(file);
    file = NULL;
}

void stm_measure_line(struct root *root, struct clock *clock, uint32_t identity) {
    if (file == NULL) return;
    struct timespec now = {0};
    (void)timespec_get(&now, TIME_UTC);
    struct stm_live_bytes live;
    stm_live(&live);
    uint64_t descriptors = stm_clock_count(clock) + stm_expired_count(root);
    char line[200];
    int length = snprintf(line, sizeof line, "%lld%06ld,%u,%u,%llu,%llu,%llu,%llu\n", (long long)now.tv_sec,
                          (long)(now.tv_nsec / 1000), (unsigned)root->number, (unsigned)identity,
                          (unsigned long long)clock->time, (unsigned long long)live.short_term,
                          (unsigned long long)live.persistent, (unsigned long long)descriptors);
    (void)fwrite(line, 1, (size_t)length, file);
}

void stm_sample(void) {
    struct root *root = stm_root();
    if (root != NULL && (mode() & MODE_MEASURED) != 0) stm_measure_line(root, &root->clock, 0);
}
