/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Question: what does a `try` cost that is not left by a throw, and what does a throw cost?
 * Calls a function directly and inside a try, in turn; prints nanoseconds per call.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#include "tenure/rt.h"

#define CALLS 20000000
#define THROWS 1000000

int callee(int i); /* throws if i < 0; in a unit of its own */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static __attribute__((noinline)) int direct(int i) { return callee(i) + 1; }

static __attribute__((noinline)) int tried(int i) {
    volatile int result = 0;
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) {
        result = callee(i) + 1;
        tn_handler_pop(&h);
    } else {
        result = -1;
    }
    return result;
}

static double time_calls(int (*f)(int), int calls, int step) {
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double start = seconds();
        int sum = 0;
        for (int i = 0; i < calls; i++) sum += f(step == 0 ? -1 : i);
        double time = seconds() - start;
        if (sum == 1) puts("");
        if (time < best) best = time;
    }
    return best / calls * 1e9;
}

int main(void) {
    double plain = time_calls(direct, CALLS, 1), with_try = time_calls(tried, CALLS, 1);
    printf("call %.2f ns, call in a try %.2f ns, ratio %.2f; throw and catch %.1f ns\n", plain, with_try,
           with_try / plain, time_calls(tried, THROWS, 0));
    return 0;
}
