/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: buffers LEAST MOST LIVE OPERATIONS
 * Large buffers that come and go: each operation frees one of LIVE, at random, and allocates one of LEAST to MOST KiB, and writes
 * to each page of it, as a program does that reads files. Prints page faults, and the largest resident size and its mean, in KiB.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;
static uint64_t below(uint64_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % n;
}

static long resident(void) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%*s %ld", &pages) != 1) return -1;
    fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv) {
    if (argc != 5) return fprintf(stderr, "usage: buffers LEAST MOST LIVE OPERATIONS\n"), 2;
    size_t least = (size_t)atol(argv[1]), most = (size_t)atol(argv[2]), live = (size_t)atol(argv[3]);
    long operations = atol(argv[4]);
    char **buffer = calloc(live, sizeof *buffer);
    double sum = 0;
    long samples = 0;
    for (long i = 0; i < operations; i++) {
        size_t k = below(live), bytes = (least + below(most - least + 1)) * 1024;
        free(buffer[k]);
        char *fresh = buffer[k] = malloc(bytes);
        if (fresh == NULL) return 1;
        for (size_t at = 0; at < bytes; at += 4096) fresh[at] = (char)i;
        if (i % 64 == 63) sum += (double)resident(), samples++;
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld faults, %ld KiB, mean %.0f\n", usage.ru_minflt, usage.ru_maxrss, samples == 0 ? 0.0 : sum / (double)samples);
    return 0;
}
