/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The tests' own harness: a test file defines a table of tests and includes this header last of all.
 */
#ifndef TENURE_TESTS_HARNESS_H
#define TENURE_TESTS_HARNESS_H

#include <stdint.h>

struct test {
    const char *name; /* the property that it shows */
    void (*run)(void);
};

/* Ends with an entry of NULLs. */
extern const struct test tests[];

/* Counts and prints a failure unless `holds`. */
void check_at(int holds, const char *file, int line, const char *condition);
#define CHECK(condition) check_at((condition) != 0, __FILE__, __LINE__, #condition)

/* Runs f in a child process and checks that it ends with this exit status and exactly this text on standard
 * error. A child that f returns in ends with status 0. */
void check_ends(void (*f)(void), int status, const char *error_text, const char *file, int line);
#define CHECK_ENDS(f, status, error_text) check_ends(f, status, error_text, __FILE__, __LINE__)

/* As check_ends, for a child that is ended by a signal. */
void check_killed(void (*f)(void), int signal_number, const char *file, int line);
#define CHECK_KILLED(f, signal_number) check_killed(f, signal_number, __FILE__, __LINE__)

/* Whether a tool that keeps its own stacks and signal handlers runs the program. */
int under_valgrind(void);
int under_asan(void);

/* The arguments as tn_start gave them, and as C did. */
extern struct tn_fat test_arguments;
extern char **test_argv;
extern int test_argc;

#endif
