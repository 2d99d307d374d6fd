/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The option table: each option is a number with a default and a range, and an environment variable
 * TENURE_<NAME> that overrides the default. Sizes may end in K, M or G (powers of 1024). A text that is
 * no number is ignored, a number outside the range is moved to its nearer end, and a program that runs
 * with raised privileges reads no variable.
 */
#ifndef TENURE_PRIM_OPTION_H
#define TENURE_PRIM_OPTION_H

#include <stdint.h>

enum tn_option {
    TN_OPTION_DEBUG_LEVEL,   /* 0 none, 1 order of frames, 2 poison, 3 canaries and walks */
    TN_OPTION_STATISTICS,    /* 1: count each object; 0: count pages only */
    TN_OPTION_PAGE_FIRST,    /* bytes of an arena's first page, a power of two */
    TN_OPTION_PAGE_MOST,     /* bytes of an arena's largest page, a power of two */
    TN_OPTION_PAGE_CACHE,    /* bytes of free pages that a thread keeps */
    TN_OPTION_TRACE_BYTES,   /* a memory trace gets a line whenever so many bytes were taken or given back */
    TN_OPTION_REGION_QUOTA,  /* bytes that an arena may reserve unless it says otherwise; 0: no limit */
    TN_OPTION_COUNT
};

/* The option's value. Reads the environment at the first call of all; afterwards a plain load.
 * Thread safe; signal safe once tn_options_load has returned. */
int64_t tn_option_get(enum tn_option option);

/* Sets an option for what happens from now on; value is moved into the range. */
void tn_option_set(enum tn_option option, int64_t value);

/* The file that TENURE_MEMORY_TRACE names; NULL if there is none. */
const char *tn_option_trace_file(void);

/* Reads the environment if that has not been done. */
void tn_options_load(void);

#endif
