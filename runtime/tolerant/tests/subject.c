/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE
#include "subject.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int failures;

void check_at(int holds, const char *file, int line, const char *condition) {
    if (holds) return;
    atomic_fetch_add(&failures, 1);
    printf("%s:%d: does not hold: %s\n", file, line, condition);
}

unsigned next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

void check_aborts(void (*f)(void), const char *words, const char *file, int line) {
    int ends[2];
    char text[4096];
    fflush(stdout);
    check_at(pipe(ends) == 0, file, line, "pipe");
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        f();
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while (used < sizeof text - 1 && (got = read(ends[0], text + used, sizeof text - 1 - used)) > 0) used += (size_t)got;
    text[used] = '\0';
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    check_at(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, file, line, "ended by SIGABRT");
    if (strstr(text, words) == NULL) printf("--- expected\n%s\n--- got\n%s\n", words, text);
    check_at(strstr(text, words) != NULL, file, line, "said so");
}

int main(int argc, char **argv) {
    int count = 0, failed = 0;
    for (const struct test *test = tests; test->name != NULL; test++) {
        if (argc > 1 && strstr(test->name, argv[1]) == NULL) continue;
        count++;
        int before = atomic_load(&failures);
        test->run();
        if (atomic_load(&failures) == before) continue;
        failed++;
        printf("FAILED %s\n", test->name);
    }
    printf("%d tests, %d failures\n", count, failed);
    return failed == 0 ? 0 : 1;
}
