/* Runs a command and appends "seconds megabytes" to a file: its time and its peak memory.
 * It is small, so that what it holds itself before the command starts does not count. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct timespec start, end;
    struct rusage usage;
    int status;
    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND...\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 1;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    FILE *f = fopen(argv[1], "a");
    if (f == NULL) {
        perror(argv[1]);
        return 1;
    }
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
    fprintf(f, "%.2f %.1f\n", seconds, (double)usage.ru_maxrss / 1024);
    fclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
