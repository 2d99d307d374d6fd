/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The tests' own harness: a test file defines a table of tests; harness.c has main.
 */
#ifndef TENURE_CHECKED_TESTS_HARNESS_H
#define TENURE_CHECKED_TESTS_HARNESS_H

#include <setjmp.h>
#include <stdint.h>

#include "tenure/checked.h"

struct test {
    const char *name; /* the property that it shows */
    void (*run)(void);
};

/* Ends with an entry of NULLs. Each test finds the heap closed, and may leave it open. */
extern const struct test tests[];

/* Counts and prints a failure unless `holds`; thread safe. */
void check_at(int holds, const char *file, int line, const char *condition);
#define CHECK(condition) check_at((condition) != 0, __FILE__, __LINE__, #condition)

/* The last error that CATCH caught, in this thread. */
extern _Thread_local struct tn_checked_error caught;
extern _Thread_local jmp_buf *landing;

/* Evaluates the expression; 1 if the heap reported an error meanwhile, which is in `caught`. */
#define CATCH(expression)                              \
    (__extension__({                                   \
        jmp_buf here, *before = landing;               \
        volatile int threw = 1;                        \
        landing = &here;                               \
        if (setjmp(here) == 0) {                       \
            (void)(expression);                        \
            threw = 0;                                 \
        }                                              \
        landing = before;                              \
        threw;                                         \
    }))

/* CATCH found an error of this kind. */
#define RAISES(expression, what) CHECK(CATCH(expression) && caught.kind == (what))

/* Runs f in a child process and checks that its standard error contains each of the texts, up to NULL, and that a signal ended it
 * if `killed`, otherwise that it ended by itself with status 0. */
void check_child(void (*f)(void), int killed, const char *const *texts, const char *file, int line);
#define CHECK_CHILD(f, killed, ...) check_child(f, killed, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* The next of a sequence of random numbers (splitmix64, Steele, Lea and Flood 2014). */
static inline uint64_t random_next(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Set to 0 by a test that leaves a thread at work. */
extern int validate_at_end;

extern int test_argc;
extern char **test_argv;

#endif
