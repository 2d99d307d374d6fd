/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "prim/option.h"
#include "tenure/statistics.h"

/* Room for a number and its comma, for each column. */
#define LINE_BYTES ((1 + 2 * TN_KIND_COUNT) * 21 + 1)

static int64_t begin_us;

static int64_t now_us(void) {
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The hook: one line, in one call, because other threads may write theirs. */
static void write_line(void *file) {
    struct tn_region_statistics kinds[TN_KIND_COUNT];
    char line[LINE_BYTES];
    tn_statistics_read(kinds);
    int used = snprintf(line, sizeof line, "%" PRId64, now_us() - begin_us);
    for (int kind = 0; kind < TN_KIND_COUNT; kind++)
        used += snprintf(line + used, sizeof line - (size_t)used, ",%" PRId64 ",%" PRId64, kinds[kind].bytes_live,
                         kinds[kind].bytes_reserved);
    (void)fprintf((FILE *)file, "%s\n", line);
}

static FILE *trace_file;

static void end(void) {
    tn_statistics_trace(NULL, NULL, 0);
    write_line(trace_file);
    (void)fclose(trace_file);
}

void tn_trace_begin(void) {
    const char *name = tn_option_text(TN_TEXT_MEMORY_TRACE);
    if (name == NULL) return;
    trace_file = fopen(name, "w");
    if (trace_file == NULL) {
        perror(name);
        return;
    }
    (void)fprintf(trace_file, "microseconds");
    for (int kind = 0; kind < TN_KIND_COUNT; kind++) {
        const char *kind_name = tn_region_kind_name((enum tn_region_kind)kind);
        (void)fprintf(trace_file, ",%s_live,%s_reserved", kind_name, kind_name);
    }
    (void)fprintf(trace_file, "\n");
    tn_option_set(TN_OPTION_STATISTICS, 1);
    begin_us = now_us();
    write_line(trace_file);
    tn_statistics_trace(write_line, trace_file, tn_option_get(TN_OPTION_TRACE_BYTES));
    (void)atexit(end);
}
