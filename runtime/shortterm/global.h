/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The global clock (papers/003…, §2.6, in the general form that it announces): threads join, leave, block, resume and
 * are declared blocked by others at any time.
 *
 * One word holds the clock: the time, a generation, how many threads take part, and how many of those have not ticked
 * in the current period. A period is named by time and generation; each thread notes the period of its last tick. Time
 * advances when nobody remains. Invariant: remaining is 0 only if nobody takes part.
 *
 * A thread that is declared blocked may be stopped anywhere, so nobody can know whether its tick has been counted. The
 * period therefore starts anew, under another generation, with everybody else remaining: ticks are lost, which delays
 * time and never hurries it, and a compare-and-swap that the stopped thread was about to do fails, because the
 * generation has changed. It would succeed only after 4096 such declarations within one unit of time.
 */
#ifndef TENURE_SHORTTERM_GLOBAL_H
#define TENURE_SHORTTERM_GLOBAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A test that explores interleavings switches threads here: before each access to what several of them write, the
 * clock's word or a thread's status. */
#ifndef STM_STEP
#define STM_STEP(accessed) ((void)0)
#endif

struct global {
    _Atomic uint64_t word;
};

enum participation { OUTSIDE, ACTIVE, BLOCKED };

struct stm_participant {
    _Atomic uint32_t status;
    uint32_t period; /* of the last tick; its thread's own */
    bool ticked;     /* there was one since the thread joined or resumed */
};

#define GLOBAL_TIME_BITS 20
#define GLOBAL_TIME_MASK ((UINT64_C(1) << GLOBAL_TIME_BITS) - 1)
#define GLOBAL_MOST 0xffffU /* threads */

static inline uint64_t global_time_of(uint64_t word) { return word >> 44; }
static inline uint32_t global_period_of(uint64_t word) { return (uint32_t)(word >> 32); }
static inline uint32_t global_active_of(uint64_t word) { return (uint32_t)(word >> 16) & GLOBAL_MOST; }
static inline uint32_t global_remaining_of(uint64_t word) { return (uint32_t)word & GLOBAL_MOST; }

static inline uint64_t global_word(uint32_t period, uint32_t active, uint32_t remaining) {
    return (uint64_t)period << 32 | (uint64_t)active << 16 | remaining;
}

/* The word after somebody ticked or left; time advances if nobody remains. */
static inline uint64_t global_settled(uint32_t period, uint32_t active, uint32_t remaining) {
    if (remaining != 0 || active == 0) return global_word(period, active, remaining);
    uint32_t next = ((period >> 12) + 1) << 12;
    return global_word(next, active, active);
}

static inline uint64_t global_load(struct global *global) {
    STM_STEP(WORD);
    return atomic_load_explicit(&global->word, memory_order_acquire);
}

static inline bool global_swap(struct global *global, uint64_t *old, uint64_t word) {
    STM_STEP(WORD);
    return atomic_compare_exchange_strong_explicit(&global->word, old, word, memory_order_acq_rel, memory_order_acquire);
}

/* Lets the thread take part, as one that has not ticked. False if too many do. The thread is not ACTIVE. */
static inline bool global_enter(struct global *global, struct stm_participant *self) {
    uint64_t old = global_load(global);
    do {
        if (global_active_of(old) == GLOBAL_MOST) return false;
    } while (!global_swap(global, &old,
                          global_word(global_period_of(old), global_active_of(old) + 1, global_remaining_of(old) + 1)));
    self->ticked = false;
    STM_STEP(STATUS);
    atomic_store_explicit(&self->status, ACTIVE, memory_order_release);
    return true;
}

/* The thread no longer takes part; `status` says why. */
static inline void global_exit(struct global *global, struct stm_participant *self, enum participation status) {
    uint32_t expected = ACTIVE;
    STM_STEP(STATUS);
    if (!atomic_compare_exchange_strong_explicit(&self->status, &expected, status, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        /* Declared blocked: whoever did that takes care of the word. */
        STM_STEP(STATUS);
        if (expected == BLOCKED) atomic_store_explicit(&self->status, status, memory_order_release);
        return;
    }
    uint64_t old = global_load(global);
    uint64_t word;
    do {
        bool ticked = self->ticked && self->period == global_period_of(old);
        word = global_settled(global_period_of(old), global_active_of(old) - 1, global_remaining_of(old) - !ticked);
    } while (!global_swap(global, &old, word));
}

/* Counts the thread's tick in the current period, once. False if it does not take part. */
static inline bool global_tick(struct global *global, struct stm_participant *self) {
    for (;;) {
        /* In this order: who declares a thread blocked changes the status first, so that a word in which this thread no
         * longer counts is not taken for one in which it does. */
        uint64_t old = global_load(global);
        STM_STEP(STATUS);
        if (atomic_load_explicit(&self->status, memory_order_acquire) != ACTIVE) return false;
        uint32_t period = global_period_of(old);
        if (self->ticked && self->period == period) return true;
        if (global_swap(global, &old, global_settled(period, global_active_of(old), global_remaining_of(old) - 1))) {
            self->period = period;
            self->ticked = true;
            return true;
        }
    }
}

/* Takes another thread out. False if it does not take part, or somebody else has done it. */
static inline bool global_declare_blocked(struct global *global, struct stm_participant *other) {
    uint32_t expected = ACTIVE;
    STM_STEP(STATUS);
    if (!atomic_compare_exchange_strong_explicit(&other->status, &expected, BLOCKED, memory_order_acq_rel,
                                                 memory_order_acquire))
        return false;
    uint64_t old = global_load(global);
    uint64_t word;
    do {
        uint32_t period = global_period_of(old);
        uint32_t renamed = (period & ~UINT32_C(0xfff)) | ((period + 1) & 0xfff);
        uint32_t active = global_active_of(old) - 1;
        word = global_word(renamed, active, active);
    } while (!global_swap(global, &old, word));
    return true;
}

#endif
