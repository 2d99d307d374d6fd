/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The options of the tolerant malloc: one table. Each row is an environment variable TENURE_TOLERANT_<NAME> and a flag
 * --<name> of `tenure tolerate`, and a line of its help and of the manual page.
 */
#ifndef TENURE_TOLERANT_OPTION_H
#define TENURE_TOLERANT_OPTION_H

#include <stdint.h>

/* name, flag, default, least, most, help */
#define TT_OPTIONS(row)                                                                                                \
    row(SITE_OBJECTS, "site-objects", 64, 1, 1000000,                                                                  \
        "live objects from which on a site gets pages of its own")                                                     \
    row(SITES, "sites", 1, 0, 1, "1: segregate objects by site; 0: one common heap")                                   \
    row(DEAD_SHARE, "dead-share", 5, 0, 1000,                                                                         \
        "percent of a site's memory that may be dead slots before they are used again")                                \
    row(COLD, "cold", 1, 0, 2,                                                                                         \
        "what is done about pages that nobody uses: 0 nothing, 1 they are found and offered to the kernel, "           \
        "2 they are also written to swap at once")                                                                     \
    row(COLD_SECONDS, "cold-seconds", 10, 0, 86400, "seconds without a reference after which a page is cold")          \
    row(COLD_ALLOCATIONS, "cold-allocations", 1000, 0, 1000000000,                                                     \
        "allocations that must pass meanwhile, so that a process that is kept waiting is not taken for an idle one")   \
    row(COLD_OVERHEAD, "cold-overhead", 10, 1, 1000,                                                                   \
        "tenths of a percent of the processor time that looking for cold pages may take; 1000: all of it")              \
    row(COMPACT, "compact", 1, 0, 1, "1: cold pages with disjoint live objects share frames")                          \
    row(MAPPINGS, "mappings", 0, 0, 1000000000,                                                                        \
        "mappings that the process may have before compaction stops; 0: half of the system's limit")                   \
    row(REPORT_SECONDS, "report-seconds", 0, 0, 1000000, "seconds between reports; 0: none but those asked for")       \
    row(REPORT_SIGNAL, "report-signal", 0, 0, 64, "number of the signal on which a report is written; 0: none")        \
    row(REPORT_EXIT, "report-exit", 0, 0, 1, "1: a report at exit")                                                    \
    row(TELL, "tell", 1, 0, 1, "1: a program that brings a malloc of its own is told so on standard error; 0: it is not")

enum tt_option {
#define TT_OPTION_NAME(name, flag, initial, least, most, help) TT_OPTION_##name,
    TT_OPTIONS(TT_OPTION_NAME)
#undef TT_OPTION_NAME
        TT_OPTION_COUNT
};

extern int64_t tt_option_values[TT_OPTION_COUNT] __attribute__((visibility("hidden")));
static inline int64_t tt_option(enum tt_option option) { return tt_option_values[option]; }

/* The file that reports go to (TENURE_TOLERANT_REPORT, of which %p becomes the process's number); NULL if none. */
const char *tt_option_report(void);

/* Reads the environment; to be called once, early. A program with raised privileges keeps the defaults. */
void tt_options_load(void);

#endif
