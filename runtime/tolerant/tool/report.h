/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A report as the library wrote it, read back.
 */
#ifndef TENURE_TOLERATE_REPORT_H
#define TENURE_TOLERATE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FRAMES_MOST 96 /* inlined calls among them */
#define HISTORY_MOST 64

struct frame {
    uint64_t address;
    char *function, *file; /* NULL: not known */
    char *module;
    uint64_t offset; /* in the module */
    int line;
};

struct site {
    uint64_t number, objects, bytes, cold, allocated, oldest, since;
    size_t frame_count, history_count;
    struct frame frames[FRAMES_MOST];
    struct {
        uint64_t at, allocations, bytes; /* at: milliseconds; allocations: of the process */
    } history[HISTORY_MOST];
    bool leak; /* see site_leaks */
};

struct moment {
    uint64_t at, live, mapped, resident, swapped, cold;
};

struct report {
    char *head; /* the first line's fields */
    uint64_t seconds, allocations, objects, bytes, cold_bytes, process;
    size_t site_count, moment_count;
    struct site *sites; /* leaks first, then by cold bytes */
    struct moment *moments;
    char *maps; /* as in /proc/self/maps */
};

/* The last report in the file of the process that wrote most; false with a message if there is none. */
bool report_read(const char *name, struct report *report);

/* Fills in functions, files and lines, where they can be found. */
void report_symbolise(struct report *report);

void report_show_text(const struct report *report, FILE *to);
void report_show_json(const struct report *report, FILE *to);
void report_show_html(const struct report *report, FILE *to);
/* Sites as addresses, for pprof, which finds the names itself. */
void report_show_profile(const struct report *report, FILE *to);

/* A file's name without its directories; a size for people. */
const char *report_short_file(const char *file);
void report_show_bytes(uint64_t bytes, FILE *to);

/* The innermost frame of the program's own code: the first that is in no wrapper of the language's library. */
const struct frame *site_place(const struct site *site);

#endif
