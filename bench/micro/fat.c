/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Question: two words or three for a pointer with bounds? Runs each kernel of fat_kernels.c over plain C
 * pointers, two-word and three-word fat pointers in turn, and prints times as ratios to plain C.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ELEMENTS ((size_t)400000)
#define ROUNDS 15

typedef long kernel(int *data, size_t n);
#define DECLARE(name) kernel name##_1, name##_2, name##_3;
DECLARE(run_index32) DECLARE(run_index64) DECLARE(run_walk) DECLARE(run_copy)
DECLARE(run_sort) DECLARE(run_columns) DECLARE(run_pass)

static const struct {
    const char *name;
    kernel *run[3];
} rows[] = {
#define ROW(text, name) {text, {name##_1, name##_2, name##_3}}
    ROW("sum by p[i], int i", run_index32), ROW("sum by p[i], size_t i", run_index64),
    ROW("sum by *p++", run_walk),           ROW("copy by *d++ = *s++", run_copy),
    ROW("quicksort", run_sort),             ROW("rows in memory", run_columns),
    ROW("passed to calls", run_pass),
};

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(void) {
    int *data = (int *)malloc(ELEMENTS * sizeof *data);
    if (data == NULL) return 1;
    double product[3] = {1, 1, 1};
    size_t count = sizeof rows / sizeof rows[0];
    printf("%-24s %8s %8s %8s\n", "kernel", "C ms", "2 words", "3 words");
    for (size_t k = 0; k < count; k++) {
        double best[3] = {1e9, 1e9, 1e9};
        long result[3] = {0, 0, 0};
        for (size_t i = 0; i < ELEMENTS; i++) data[i] = (int)i;
        for (int round = 0; round < ROUNDS; round++)
            for (int w = 0; w < 3; w++) {
                double start = seconds();
                result[w] = rows[k].run[w](data, ELEMENTS);
                double time = seconds() - start;
                if (time < best[w]) best[w] = time;
            }
        if (result[0] != result[1] || result[1] != result[2]) return 1;
        for (int w = 0; w < 3; w++) product[w] *= best[w] / best[0];
        printf("%-24s %8.3f %8.2f %8.2f\n", rows[k].name, best[0] * 1e3, best[1] / best[0], best[2] / best[0]);
    }
    printf("%-24s %8s %8.2f %8.2f\n", "geometric mean", "", pow(product[1], 1.0 / (double)count),
           pow(product[2], 1.0 / (double)count));
    free(data);
    return 0;
}
