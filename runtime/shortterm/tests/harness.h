/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The tests' own harness: a test file defines a table of tests; harness.c has main.
 */
#ifndef TENURE_SHORTTERM_TESTS_HARNESS_H
#define TENURE_SHORTTERM_TESTS_HARNESS_H

#include <stdint.h>

#include "tenure/shortterm.h"

struct test {
    const char *name; /* the property that it shows */
    void (*run)(void);
};

/* Ends with an entry of NULLs. */
extern const struct test tests[];

/* Counts and prints a failure unless `holds`; thread safe. */
void check_at(int holds, const char *file, int line, const char *condition);
#define CHECK(condition) check_at((condition) != 0, __FILE__, __LINE__, #condition)

/* Runs f in a child process and checks that its standard error contains each of the texts, up to NULL, and that a signal ended it
 * if `killed`, otherwise that it ended by itself with status 0. */
void check_child(void (*f)(void), int killed, const char *const *texts, const char *file, int line);
#define CHECK_CHILD(f, killed, ...) check_child(f, killed, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)

/* An error handler that notes what it is given. */
void note_errors(enum stm_error error, const char *function, const void *pointer, const char *text);
extern enum stm_error noted_error;
extern char noted_text[400];

/* The next of a sequence of random numbers. */
static inline uint64_t random_next(uint64_t *state) {
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

extern int test_argc;
extern char **test_argv;

#endif
