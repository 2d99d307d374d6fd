/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Finding the pages that nobody uses (papers/004…, §4.2.1 and §4.3), without protecting any: a protected page that is
 * handed to the kernel makes a system call fail, and a fault handler is the program's own business. Instead
 *
 *   - each run of a site's pages is made a mapping of its own, as far as mappings may be spent;
 *   - a look clears the referenced bits of all pages, which leaves them where they are in the kernel's order of
 *     eviction: advice that a range is cold would clear them too, and have the kernel evict what is hot;
 *   - at the next look the kernel's count of referenced bytes of each mapping (smaps) says whether anything, program or
 *     system call, has touched the run since;
 *   - the kernel is told of what became cold (MADV_COLD, MADV_PAGEOUT), once, so that it takes that first.
 *
 * A look costs a walk over the page tables. The time between looks is such that they take the share of the time that
 * the option says.
 */
#ifndef TENURE_TOLERANT_COLD_H
#define TENURE_TOLERANT_COLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* To be called now and then from the slow paths, holding no lock: looks, if it is time, for what became cold, and
 * writes the report that is due. The time is tn_clock_coarse_milliseconds'. */
void tt_cold_tick(uint64_t coarse_milliseconds);

/* Forgets when the next look was due, for options that were read meanwhile. */
void tt_cold_start(void);

/* Looks now. False if another thread does. */
bool tt_cold_look(void);

/* Counts now, for a signal handler: nothing is asked of the kernel. False if a look was interrupted. */
bool tt_cold_signalled(void);

/* What the kernel says now of our memory: bytes. False if it does not, or another thread is looking. */
struct tt_frames {
    uint64_t resident, swapped;
};
bool tt_cold_measure(struct tt_frames *frames);

/* A run's bytes are cold once no reference was seen for the option's seconds. */
struct tt_run;
bool tt_run_is_cold(const struct tt_run *run);

/* The run counts as used, for a look that is under way too. */
void tt_run_used(struct tt_run *run);

/* To be called, holding no lock, once a run is filled that looks like part of a leak: none of what its bin gave out is
 * known to have died. Where memory is scarce the kernel is told that the run may go before others do. */
struct tt_segment;
void tt_cold_run_filled(struct tt_segment *segment, size_t at);

/* Whether a use of the run would be seen at the next look. */
bool tt_run_is_watched(const struct tt_run *run);

void tt_cold_before_fork(void);
void tt_cold_after_fork(bool child);

struct tt_cold_figures {
    uint32_t looks;
    uint32_t mappings;        /* of the process, at the last look */
    uint32_t own_mappings;    /* of them, of segments and large objects */
    uint32_t mappings_most;   /* beyond which none is spent */
    uint64_t nanoseconds;     /* of processor time, spent looking */
    uint64_t longest;         /* of one look */
    uint64_t run_bytes;       /* that are watched */
    uint64_t cold_bytes;      /* of them, unused for long enough */
    uint64_t offered_bytes;   /* told to the kernel as cold, or written to swap, in all */
    uint64_t resident_bytes, swapped_bytes; /* of the segments */
};
extern struct tt_cold_figures tt_cold_now __attribute__((visibility("hidden")));

#endif
