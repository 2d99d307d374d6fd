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
    TN_OPTION_HEAP_ONLY,     /* 1: with a collector, all objects are `H's, and nothing is freed by hand */
    TN_OPTION_REGION_QUOTA,  /* bytes that an arena may reserve unless it says otherwise; 0: no limit */
    TN_OPTION_STM_EXTENSION, /* short-term memory: the longest extension of a refresh */
    TN_OPTION_STM_BOUND,     /* dates that a lazy refresh or tick settles at most */
    TN_OPTION_STM_EAGER,     /* 1: a tick settles all dates that have passed */
    TN_OPTION_STM_CACHE,     /* bytes of dead short-term objects that a thread keeps for new ones */
    TN_OPTION_STM_CHECKED,   /* 1: checked mode */
    TN_OPTION_STM_SCOPE_FREE, /* in a scope: 1 free frees at once, 0 it is ignored */
    TN_OPTION_COUNT
};

enum tn_text_option {
    TN_TEXT_MEMORY_TRACE, /* TENURE_MEMORY_TRACE, a file */
    TN_TEXT_STM_MEASURE   /* TENURE_STM_MEASURE, a file */
};

/* The option's value. Reads the environment at the first call of all; afterwards a plain load.
 * Thread safe; signal safe once tn_options_load has returned. */
int64_t tn_option_get(enum tn_option option);

/* Sets an option for what happens from now on; value is moved into the range. */
void tn_option_set(enum tn_option option, int64_t value);

/* The text of an option that is no number; NULL if it is not set, or empty. */
const char *tn_option_text(enum tn_text_option option);

/* Reads the environment if that has not been done. */
void tn_options_load(void);

#endif
