/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a failed run-time check calls. A check in emitted code is a test and a call of one of these:
 *
 *     if (tn_unlikely(p == NULL)) tn_raise_null(&site_12);
 *
 * Each raises a predefined exception and never returns. None allocates. Thread safe; not to be
 * called from a signal handler.
 */
#ifndef TENURE_CHECK_H
#define TENURE_CHECK_H

#include "tenure/platform.h"

/* One check in the source text. Emitted as `static const`. */
struct tn_site {
    const char *file;     /* as the user wrote it on the command line or in #include */
    uint32_t line;        /* from 1 */
    uint32_t column;      /* from 1, in characters; 0 if not known */
    const char *function; /* NULL outside a function */
    const char *what;     /* the source text of what is checked; NULL if there is none */
};

/* Where the program last called a function of the library that checks its arguments, and which: what that function
 * raises is said to be there. */
struct tn_caller {
    const struct tn_site *site;
    const char *callee;
};
extern TN_THREAD_LOCAL struct tn_caller tn_caller;
TN_INLINE void tn_called(const struct tn_site *site, const char *callee) {
    tn_caller.site = site;
    tn_caller.callee = callee;
}

/* Null_Exception; `what` is the pointer: "p is NULL". */
TN_RAISER void tn_raise_null(const struct tn_site *site);

/* Array_bounds: "index 12, size 10". An index from 2^63 on is shown as the negative number it was. */
TN_RAISER void tn_raise_index(const struct tn_site *site, uint64_t index, uint64_t size);

/* The same for an index of an unsigned type, which is shown as it is. */
TN_RAISER void tn_raise_index_unsigned(const struct tn_site *site, uint64_t index, uint64_t size);

/* For a fat pointer: Null_Exception if base is NULL and len 0, else Array_bounds at idx of len. */
TN_RAISER void tn_raise_fat(const struct tn_site *site, const void *base, uint64_t idx, uint32_t len);

/* The same after an index of an unsigned type. */
TN_RAISER void tn_raise_fat_unsigned(const struct tn_site *site, const void *base, uint64_t idx, uint32_t len);

/* Array_bounds: a conversion needed `need` elements and the pointer has `have`. */
TN_RAISER void tn_raise_numelts(const struct tn_site *site, uint64_t have, uint64_t need);

/* Arithmetic_Exception: "division by zero" if divisor is 0, else "quotient out of range". */
TN_RAISER void tn_raise_div(const struct tn_site *site, int64_t divisor);

/* Arithmetic_Exception: "division by zero or quotient out of range". */
TN_RAISER void tn_raise_arith(const struct tn_site *site);

/* Match_Exception: "no case matches". */
TN_RAISER void tn_raise_match(const struct tn_site *site);

/* Match_Exception: a tagged union holds member `got` and member `want` was read. */
TN_RAISER void tn_raise_tag(const struct tn_site *site, uint64_t got, uint64_t want);

/* Array_bounds: an access beyond the zero, or a store over the zero, of a zero-terminated sequence. */
TN_RAISER void tn_raise_zeroterm(const struct tn_site *site);

/* Assert_Exception; `what` is the condition: "i < n does not hold". */
TN_RAISER void tn_raise_assert(const struct tn_site *site);

/* Bad_alloc: "N bytes". */
TN_RAISER void tn_raise_alloc(const struct tn_site *site, size_t size);

/* What stands behind the call of a function that is declared `noreturn`: reports that it returned, and ends the program
 * with status 1. The compiler sees to it that none of its own does; C code is believed, and found out here. */
_Noreturn void tn_returned(const struct tn_site *site);

/* A check that the compiler proved to hold failed: names it and ends the process with status 70. Only in programs that
 * verify proofs. */
_Noreturn void tn_wrong_proof(const struct tn_site *site);

/* Region_Exhausted: an arena's quota does not allow `size` more bytes. */
TN_RAISER void tn_raise_exhausted(const struct tn_site *site, size_t size, size_t quota);

/* The number of elements, the zero included, of the zero-terminated sequence p of elements of 1, 2, 4
 * or 8 bytes: what a zero-terminated pointer's fat form has as len. 0 if p is NULL. Raises Array_bounds
 * when there are more than TN_FAT_MAX. */
uint32_t tn_zt_numelts_1(const void *p, const struct tn_site *site);
uint32_t tn_zt_numelts_2(const void *p, const struct tn_site *site);
uint32_t tn_zt_numelts_4(const void *p, const struct tn_site *site);
uint32_t tn_zt_numelts_8(const void *p, const struct tn_site *site);

/* count as the len of a fat pointer; raises Bad_alloc when a fat pointer cannot count so far. */
TN_INLINE uint32_t tn_fat_len(uint64_t count, const struct tn_site *site) {
    if (tn_unlikely(count > UINT32_MAX)) tn_raise_alloc(site, (size_t)count);
    return (uint32_t)count;
}

#endif
