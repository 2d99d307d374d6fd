/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prim/sanitize.h"
#include "tenure/rt.h"

#define ERROR_TEXT_MOST 4096

struct tn_fat test_arguments;
char **test_argv;
int test_argc;
static int failures;

int under_valgrind(void) { return getenv("TENURE_TEST_VALGRIND") != NULL; }
int under_asan(void) { return TN_ASAN; }

void check_at(int holds, const char *file, int line, const char *condition) {
    if (holds) return;
    failures++;
    printf("%s:%d: does not hold: %s\n", file, line, condition);
}

/* Runs f in a child; its standard error goes to text. Returns what waitpid reports. */
static int run_child(void (*f)(void), char text[ERROR_TEXT_MOST]) {
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        f();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while (used < ERROR_TEXT_MOST - 1 && (got = read(ends[0], text + used, ERROR_TEXT_MOST - 1 - used)) > 0)
        used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) abort();
    return status;
}

void check_ends(void (*f)(void), int status, const char *error_text, const char *file, int line) {
    char text[ERROR_TEXT_MOST];
    int got = run_child(f, text);
    if (WIFEXITED(got) && WEXITSTATUS(got) == status && strcmp(text, error_text) == 0) return;
    failures++;
    printf("%s:%d: wait status %#x, expected exit %d\n--- expected\n%s--- got\n%s---\n", file, line, (unsigned)got,
           status, error_text, text);
}

void check_killed(void (*f)(void), int signal_number, const char *file, int line) {
    char text[ERROR_TEXT_MOST];
    int got = run_child(f, text);
    if (WIFSIGNALED(got) && WTERMSIG(got) == signal_number) return;
    failures++;
    printf("%s:%d: wait status %#x, expected signal %d\n%s", file, line, (unsigned)got, signal_number, text);
}

int main(int argc, char **argv) {
    test_arguments = tn_start(argc, argv);
    test_argc = argc;
    test_argv = argv;
    int count = 0;
    for (const struct test *test = tests; test->name != NULL; test++, count++) {
        int before = failures;
        test->run();
        if (failures != before) printf("FAILED %s\n", test->name);
    }
    printf("%d tests, %d failures\n", count, failures);
    return failures == 0 ? 0 : 1;
}
