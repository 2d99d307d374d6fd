/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The ends of a program that went wrong. Not for signal handlers.
 */
#ifndef TENURE_REGION_REPORT_H
#define TENURE_REGION_REPORT_H

#include "tenure/exception.h"

/* Which raiser made a cause; says what first and second mean. */
enum tn_reason {
    TN_REASON_THROW,     /* the program's own throw; unused, unused */
    TN_REASON_NULL,      /* unused, unused; site->what is the pointer */
    TN_REASON_FAT_NULL,  /* unused, unused; site->what is the access */
    TN_REASON_INDEX,     /* index, size */
    TN_REASON_INDEX_UNSIGNED, /* index, size */
    TN_REASON_NUMELTS,   /* elements there, elements needed */
    TN_REASON_DIVISOR,   /* divisor, unused */
    TN_REASON_ARITH,     /* unused, unused */
    TN_REASON_MATCH,     /* unused, unused */
    TN_REASON_TAG,       /* member set, member read */
    TN_REASON_ZEROTERM,  /* unused, unused */
    TN_REASON_ASSERT,    /* unused, unused; site->what is the condition */
    TN_REASON_ALLOC,     /* bytes, unused */
    TN_REASON_EXHAUSTED, /* bytes, quota in bytes */
    TN_REASON_DANGLING,        /* struct tn_site of allocation and of delete, or 0; site->what is the reference */
    TN_REASON_SECOND_DELETE,   /* the same */
    TN_REASON_INTERIOR_DELETE  /* the same */
};

/* Throws one of the runtime's own exceptions, with what its reason says. */
TN_RAISER void tn_raise_because(struct tn_exn *exn, const struct tn_site *site, uint32_t reason, uint64_t first, uint64_t second);

/* How tn_unwind_to ends a pin; set by region/object.c. */
extern void (*tn_frame_unpin)(const void *ref);

/* Prints exn with its cause on standard error and calls exit(1). */
_Noreturn void tn_report_uncaught(const void *exn, const struct tn_cause *cause);

/* Prints "tenure: " and the message, which names a broken invariant of the runtime's caller, and ends the
 * process at once with status 70 (sysexits' EX_SOFTWARE). */
_Noreturn void tn_report_broken(const char *message);

#endif
