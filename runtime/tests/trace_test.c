/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The memory trace of a program that asks for one.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prim/option.h"
#include "region/trace.h"
#include "tenure/rt.h"

#include "harness.h"

static char name[] = "/tmp/tenure-trace-XXXXXX";

static void traced(void) {
    (void)setenv("TENURE_MEMORY_TRACE", name, 1);
    tn_option_set(TN_OPTION_TRACE_BYTES, 4096);
    tn_trace_begin();
    struct tn_arena a;
    tn_arena_enter(&a);
    for (int i = 0; i < 1000; i++) (void)tn_arena_alloc(&a, 100, 8, NULL);
    tn_arena_exit(&a);
    tn_unique_free(tn_unique_alloc(50000, 8, NULL));
    exit(0);
}

static void no_file(void) {
    (void)setenv("TENURE_MEMORY_TRACE", "/nowhere/trace.csv", 1);
    tn_trace_begin();
}

static void a_trace_has_a_line_for_each_step(void) {
    int file = mkstemp(name);
    CHECK(file >= 0);
    (void)close(file);
    CHECK_ENDS(traced, 0, "");
    FILE *trace = fopen(name, "r");
    char line[1000];
    CHECK(trace != NULL && fgets(line, sizeof line, trace) != NULL);
    CHECK(strcmp(line, "microseconds,lexical_live,lexical_reserved,dynamic_live,dynamic_reserved,heap_live,"
                       "heap_reserved,unique_live,unique_reserved,counted_live,counted_reserved\n") == 0);
    int lines = 0, ordered = 1;
    long last_time = 0, live = 0, reserved = 0, most_live = 0, most_reserved = 0;
    while (fgets(line, sizeof line, trace) != NULL) {
        long time;
        lines++;
        if (sscanf(line, "%ld,%ld,%ld,", &time, &live, &reserved) != 3 || time < last_time) ordered = 0;
        last_time = time;
        if (live > most_live) most_live = live;
        if (reserved > most_reserved) most_reserved = reserved;
    }
    (void)fclose(trace);
    (void)unlink(name);
    CHECK(ordered && lines >= 20 && lines < 200);
    CHECK(most_live > 80000 && most_live <= 100000 && most_reserved >= 100000);
    CHECK(live == 0 && reserved == 0);
}

static void a_trace_that_cannot_be_written_is_reported(void) {
    CHECK_ENDS(no_file, 0, "/nowhere/trace.csv: No such file or directory\n");
}

const struct test tests[] = {
    {"a trace has a line for each step", a_trace_has_a_line_for_each_step},
    {"a trace that cannot be written is reported", a_trace_that_cannot_be_written_is_reported},
    {NULL, NULL},
};
