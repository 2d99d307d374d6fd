/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE
#include "harness.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int test_argc;
char **test_argv;
enum stm_error noted_error;
char noted_text[400];
static atomic_int failures;

void check_at(int holds, const char *file, int line, const char *condition) {
    if (holds) return;
    if (atomic_fetch_add(&failures, 1) < 20) printf("%s:%d: does not hold: %s\n", file, line, condition);
}

void note_errors(enum stm_error error, const char *function, const void *pointer, const char *text) {
    (void)pointer;
    noted_error = error;
    (void)snprintf(noted_text, sizeof noted_text, "%s: %s", function, text);
}

void check_child(void (*f)(void), int killed, const char *const *texts, const char *file, int line) {
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        f();
        exit(0);
    }
    close(ends[1]);
    char text[8192];
    size_t used = 0;
    ssize_t got;
    while (used < sizeof text - 1 && (got = read(ends[0], text + used, sizeof text - 1 - used)) > 0) used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    int status = 0;
    if (waitpid(child, &status, 0) != child) abort();
    int holds = killed ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0;
    for (const char *const *wanted = texts; *wanted != NULL; wanted++) holds = holds && strstr(text, *wanted) != NULL;
    if (holds) return;
    atomic_fetch_add(&failures, 1);
    printf("%s:%d: wait status %#x, standard error was\n%s", file, line, (unsigned)status, text);
}

int main(int argc, char **argv) {
    test_argc = argc;
    test_argv = argv;
    int count = 0, failed = 0;
    for (const struct test *test = tests; test->name != NULL; test++, count++) {
        int before = atomic_load(&failures);
        test->run();
        if (atomic_load(&failures) == before) continue;
        printf("FAILED %s\n", test->name);
        failed++;
    }
    printf("%d tests, %d failures\n", count, failed);
    return failed == 0 ? 0 : 1;
}
