/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "harness.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

_Thread_local struct tn_checked_error caught;
_Thread_local jmp_buf *landing;
int test_argc;
int validate_at_end = 1;
char **test_argv;

static atomic_int failures;

void check_at(int holds, const char *file, int line, const char *condition) {
    if (holds) return;
    if (atomic_fetch_add(&failures, 1) < 20) printf("%s:%d: not so: %s\n", file, line, condition);
}

static void land(const struct tn_checked_error *error) {
    caught = *error;
    if (landing != NULL) longjmp(*landing, 1);
    printf("not caught: %s\n", tn_checked_says(error->kind));
    (void)fflush(stdout);
    abort();
}

void check_child(void (*f)(void), int killed, const char *const *texts, const char *file, int line) {
    int ends[2];
    char said[4096];
    (void)fflush(stdout);
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        (void)tn_checked_on_error(NULL);
        f();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length < sizeof said - 1 && (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    (void)close(ends[0]);
    int status = 0;
    (void)waitpid(child, &status, 0);
    check_at(killed ? WIFSIGNALED(status) : WIFEXITED(status) && WEXITSTATUS(status) == 0, file, line, "the way that it ended");
    for (; *texts != NULL; texts++) check_at(strstr(said, *texts) != NULL, file, line, *texts);
}

int main(int argc, char **argv) {
    test_argc = argc;
    test_argv = argv;
    int count = 0, failed = 0;
    for (const struct test *t = tests; t->name != NULL; t++) {
        int before = atomic_load(&failures);
        (void)tn_checked_on_error(land);
        t->run();
        const char *wrong = validate_at_end ? tnc_validate() : NULL;
        if (wrong != NULL) check_at(0, t->name, 0, wrong);
        validate_at_end = 1;
        tnc_close();
        count++;
        if (atomic_load(&failures) != before) {
            failed++;
            printf("FAIL %s\n", t->name);
        }
    }
    printf("%d tests, %d failures\n", count, failed);
    return failed != 0;
}
