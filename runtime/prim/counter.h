/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Counters of the process with their peaks. Thread safe and signal safe.
 */
#ifndef TENURE_PRIM_COUNTER_H
#define TENURE_PRIM_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

struct tn_counter {
    _Atomic int64_t now;
    _Atomic int64_t peak;
};

/* Adds amount, which may be negative. The peak is exact in a program of one thread; with several it is never
 * below the true one, and above it by at most what the others added in between. */
static inline void tn_counter_add(struct tn_counter *counter, int64_t amount) {
    int64_t now = atomic_fetch_add_explicit(&counter->now, amount, memory_order_relaxed) + amount;
    int64_t peak = atomic_load_explicit(&counter->peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak_explicit(&counter->peak, &peak, now, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
}

static inline int64_t tn_counter_now(struct tn_counter *counter) {
    return atomic_load_explicit(&counter->now, memory_order_relaxed);
}

static inline int64_t tn_counter_peak(struct tn_counter *counter) {
    return atomic_load_explicit(&counter->peak, memory_order_relaxed);
}

#endif
