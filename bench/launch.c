// SPDX-License-Identifier: MIT OR Apache-2.0
/* usage: launch FILE PROGRAM ARGUMENTS...
 *
 * Runs a program and writes to FILE what it used: processor time in microseconds, peak resident set in KiB, wait status. The
 * kernel counts a peak from the fork on, so that of a program which a large process starts is the large process's. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int argc, char **argv) {
    FILE *out = argc < 3 ? NULL : fopen(argv[1], "we");
    if (out == NULL) {
        fprintf(stderr, "usage: launch FILE PROGRAM ARGUMENTS...\n");
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        perror("launch");
        return 2;
    }
    fprintf(out, "%lld %ld %d\n", microseconds(used.ru_utime) + microseconds(used.ru_stime), used.ru_maxrss, status);
    return fclose(out) == 0 ? 0 : 2;
}
