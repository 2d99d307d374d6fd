/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE /* clock_gettime */
#include "prim/unwind.h"

#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unwind.h>

struct walk {
    uintptr_t from;
    uintptr_t *addresses;
    unsigned count, most, skipped;
    bool found;
};

/* More frames than any chain inside the runtime has. */
#define FRAMES_SKIPPED_MOST 16

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
    struct walk *walk = data;
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (address == 0) return _URC_END_OF_STACK;
    if (!walk->found) {
        if (address != walk->from) return ++walk->skipped > FRAMES_SKIPPED_MOST ? _URC_END_OF_STACK : _URC_NO_REASON;
        walk->found = true;
    }
    walk->addresses[walk->count++] = address;
    return walk->count == walk->most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

unsigned tn_unwind(uintptr_t from, uintptr_t *addresses, unsigned most) {
    struct walk walk = {.from = from, .addresses = addresses, .most = most};
    (void)_Unwind_Backtrace(step, &walk);
    if (walk.count == 0) {
        addresses[0] = from;
        return 1;
    }
    return walk.count;
}

uint64_t tn_clock_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t tn_clock_thread_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#ifndef CLOCK_MONOTONIC_COARSE
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#endif

uint64_t tn_clock_coarse_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint32_t tn_clock_seconds(void) { return (uint32_t)(tn_clock_coarse_milliseconds() / 1000); }

void tn_clock_pause(void) { (void)sched_yield(); }
