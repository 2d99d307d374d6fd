/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the malloc that tolerates leaks tells about itself, for programs that are linked with it or run under it. All
 * functions are thread safe; none is for signal handlers.
 */
#ifndef TENURE_TOLERANT_H
#define TENURE_TOLERANT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In bytes unless said otherwise; of about now. */
struct tn_tolerant_statistics {
    uint64_t live_objects;      /* how many */
    uint64_t live_bytes;        /* with what rounding adds */
    uint64_t large_bytes;       /* of them, in objects above 32 KiB */
    uint64_t common_bytes;      /* of them, in the common heap */
    uint64_t dead_bytes;        /* in slots that are free, and in pages with live ones */
    uint64_t mapped_bytes;      /* address space */
    uint64_t resident_bytes;    /* of it, in frames, as the kernel counts now */
    uint64_t swapped_bytes;     /* of it, in swap */
    uint64_t metadata_bytes;    /* descriptions, besides those of pages */
    uint64_t watched_bytes;     /* in pages whose use is watched */
    uint64_t cold_bytes;        /* of them, unused for long */
    uint64_t shared_bytes;      /* of cold pages that share frames with others */
    uint64_t released_bytes;    /* of frames of cold pages that held nothing but zeros or nothing; in all */
    uint64_t look_nanoseconds;  /* of processor time, spent looking */
    uint64_t longest_look_nanoseconds;
    uint64_t process_nanoseconds; /* of processor time, that all threads have had, looks among them */
    uint32_t looks, contexts, sites; /* how many */
    uint32_t active_runs;            /* of pages, whose use is not watched */
    uint32_t inactive_runs;          /* whose use is */
    uint32_t inactive_runs_most;     /* that the budget for looks leaves room for */
    uint32_t mappings;               /* of the process, as of the last look */
    uint32_t own_mappings;           /* of them, the malloc's */
    uint32_t mappings_most;          /* from which on it makes no more of them; 0 before the first look */
};

/* Counts, into the first `size` bytes of the structure. With sizeof *statistics a program may run with a library of
 * another age: what that does not know is 0. It is a walk over all descriptions and what the kernel says of the
 * mappings: milliseconds in a large process. Where the kernel does not say (a filter of system calls that the program
 * installed, or another thread is looking for cold pages), what is resident and swapped is as of the last look. */
void tn_tolerant_statistics(struct tn_tolerant_statistics *statistics, size_t size);

/* The same for the calling thread's own heap: objects and bytes only. */
void tn_tolerant_thread_statistics(struct tn_tolerant_statistics *statistics, size_t size);

/* Looks for cold pages now, whatever time it is. 1, or 0 if another thread is at it. */
int tn_tolerant_look(void);

/* Appends a report to the file that TENURE_TOLERANT_REPORT names, if it does. */
void tn_tolerant_report(void);

#ifdef __cplusplus
}
#endif

#endif
