/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The malloc under test: the program's own (run under LD_PRELOAD or linked with the static library), or with TT_PREFIXED
 * the one that stands beside the C library's. And a small harness: a table of tests, one line for all.
 */
#ifndef TENURE_TOLERANT_TESTS_SUBJECT_H
#define TENURE_TOLERANT_TESTS_SUBJECT_H

#include <stddef.h>

#if defined(TT_PREFIXED)
void *tn_tolerant_malloc(size_t size);
void tn_tolerant_free(void *object);
void *tn_tolerant_calloc(size_t count, size_t size);
void *tn_tolerant_realloc(void *object, size_t size);
void *tn_tolerant_reallocarray(void *object, size_t count, size_t size);
void *tn_tolerant_memalign(size_t alignment, size_t size);
void *tn_tolerant_aligned_alloc(size_t alignment, size_t size);
int tn_tolerant_posix_memalign(void **place, size_t alignment, size_t size);
void *tn_tolerant_valloc(size_t size);
void *tn_tolerant_pvalloc(size_t size);
size_t tn_tolerant_malloc_usable_size(void *object);
#define malloc tn_tolerant_malloc
#define free tn_tolerant_free
#define calloc tn_tolerant_calloc
#define realloc tn_tolerant_realloc
#define reallocarray tn_tolerant_reallocarray
#define memalign tn_tolerant_memalign
#define aligned_alloc tn_tolerant_aligned_alloc
#define posix_memalign tn_tolerant_posix_memalign
#define valloc tn_tolerant_valloc
#define pvalloc tn_tolerant_pvalloc
#define malloc_usable_size tn_tolerant_malloc_usable_size
#endif

struct test {
    const char *name; /* the property that it shows */
    void (*run)(void);
};

/* Ends with an entry of NULLs. */
extern const struct test tests[];

void check_at(int holds, const char *file, int line, const char *condition);
#define CHECK(condition) check_at((condition) != 0, __FILE__, __LINE__, #condition)

/* Runs f in a child that is to be ended by SIGABRT with these words on standard error. */
void check_aborts(void (*f)(void), const char *words, const char *file, int line);
#define CHECK_ABORTS(f, words) check_aborts(f, words, __FILE__, __LINE__)

/* Numbers that look random, the same in each run. */
unsigned next_random(unsigned *state);

#endif
