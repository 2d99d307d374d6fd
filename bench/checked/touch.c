/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a touch costs: the sum of a field over an array of pointers, with a null check, and over an array of references to the same
 * objects, all in the first-level cache. Nanoseconds an element, the least of many runs:
 *
 *     touch            null check, touch, touch of a reference to a middle
 */
#include "heap.h"

#include <time.h>

#define COUNT 256
#define RUNS 20000

static long *plain[COUNT];
static ref whole[COUNT], middle[COUNT];

static uint64_t now(void) {
    struct timespec t;
    (void)timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static long sum_plain(void) {
    long sum = 0;
    for (int i = 0; i < COUNT; i++) {
        if (plain[i] == NULL) abort();
        sum += *plain[i];
    }
    return sum;
}
__attribute__((noinline)) static long sum_whole(void) {
    long sum = 0;
    for (int i = 0; i < COUNT; i++) sum += *AT(long, whole[i]);
    return sum;
}
__attribute__((noinline)) static long sum_middle(void) {
    long sum = 0;
    for (int i = 0; i < COUNT; i++) sum += *AT(long, middle[i]);
    return sum;
}

static double least(long (*sum)(void)) {
    uint64_t best = UINT64_MAX;
    for (int r = 0; r < RUNS; r++) {
        uint64_t from = now();
        if (sum() != COUNT) abort();
        uint64_t took = now() - from;
        if (took < best) best = took;
    }
    return (double)best / COUNT;
}

int main(void) {
    static const layout text = {8, 0, NULL};
    for (int i = 0; i < COUNT; i++) {
        whole[i] = NEW(16, &text);
        middle[i] = tn_interior(whole[i], 8);
        plain[i] = AT(long, whole[i]);
        plain[i][0] = plain[i][1] = 1;
    }
    printf("%.2f %.2f %.2f\n", least(sum_plain), least(sum_whole), least(sum_middle));
    return 0;
}
