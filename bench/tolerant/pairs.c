/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: pairs NAME ROUNDS LIBRARY... -- PROGRAM ARGUMENTS
 * Runs the program under the C library's malloc and with each library preloaded, in turns, ROUNDS times, every second
 * time the other way round. Prints a line for each library: its file's name, NAME, the CPU time of the process and of the
 * children it waited for in seconds under the C library, median of the rounds, the same times the median of the rounds'
 * ratios, as what a machine does beside it is mostly alike within a round, and the largest resident set in KiB of any of
 * them under the C library and under it, medians too. What the program prints is thrown away. A library that does not
 * exist is left out. Exit status 1 if a run failed.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIBRARIES = 8, ROUNDS = 101 };

static double seconds[LIBRARIES][ROUNDS], resident[LIBRARIES][ROUNDS];

static int compare(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

/* The child's first resident set is this program's, which is small. */
static int measure(const char *library, char **command, double *time, double *memory) {
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL) _exit(127);
        if (library != NULL && setenv("LD_PRELOAD", library, 1) != 0) _exit(127);
        execvp(command[0], command);
        _exit(127);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child) return 0;
    *time = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
            1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    *memory = (double)used.ru_maxrss;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int count, char **arguments) {
    const char *libraries[LIBRARIES] = {NULL};
    int used = 1, at = 3;
    if (count < 5) return 2;
    int rounds = atoi(arguments[2]);
    for (; at < count && strcmp(arguments[at], "--") != 0; at++)
        if (used < LIBRARIES && access(arguments[at], R_OK) == 0) libraries[used++] = arguments[at];
    if (rounds < 1 || rounds > ROUNDS || at + 1 >= count) return 2;
    for (int r = 0; r < rounds; r++)
        for (int turn = 0; turn < used; turn++) {
            int i = r % 2 == 0 ? turn : used - 1 - turn;
            if (!measure(libraries[i], arguments + at + 1, &seconds[i][r], &resident[i][r])) {
                fprintf(stderr, "%s failed under %s\n", arguments[1], i == 0 ? "the C library" : libraries[i]);
                return 1;
            }
        }
    for (int i = 1; i < used; i++)
        for (int r = 0; r < rounds; r++) seconds[i][r] /= seconds[0][r];
    double time = median(seconds[0], rounds), memory = median(resident[0], rounds);
    for (int i = 1; i < used; i++) {
        const char *name = strrchr(libraries[i], '/');
        printf("%s %s %.4f %.4f %.0f %.0f\n", name == NULL ? libraries[i] : name + 1, arguments[1], time,
               time * median(seconds[i], rounds), memory, median(resident[i], rounds));
    }
    return 0;
}
