/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The global clock under every interleaving. The code is the library's own (global.h), compiled with a switch of threads before each
 * access to shared words; the threads here are coroutines, and all schedules of all small programs are run.
 *
 * Shown: time never advances while a thread that takes part has not ticked since it last did; the word counts those that take part;
 * and after everything, ticks of those that are left let time advance.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static void pause_here(void);
#define STM_STEP() pause_here()
#include "harness.h"
#include "shortterm/global.h"

#define THREADS_MOST 3
#define OPERATIONS_MOST 3
#define STEPS_MOST 64

enum operation { TICK, LEAVE, BLOCK, JOIN, DECLARE, OPERATIONS };

static struct global global;
static struct stm_participant who[THREADS_MOST];

static struct {
    jmp_buf here;
    ucontext_t start;
    char stack[16384];
    bool started, ended;
    enum operation program[OPERATIONS_MOST];
    int operations;
    enum operation now, paused_in; /* paused_in: whose access comes next */
} thread[THREADS_MOST];
static int threads, running;
static jmp_buf scheduler;
static bool scheduled;

/* What an observer knows: how often a thread is counted in the word, and whether its newest part in it has ticked. */
static int present[THREADS_MOST];
static bool ticked[THREADS_MOST];
static uint64_t paths;

static void pause_here(void) {
    if (!scheduled) return;
    thread[running].paused_in = thread[running].now;
    if (_setjmp(thread[running].here) == 0) _longjmp(scheduler, 1);
}

static void perform(int self, enum operation operation) {
    thread[self].now = operation;
    int target = (self + 1) % threads;
    switch (operation) {
    case TICK: (void)global_tick(&global, &who[self]); break;
    case LEAVE: global_exit(&global, &who[self], OUTSIDE); break;
    case BLOCK: global_exit(&global, &who[self], BLOCKED); break;
    case JOIN:
        STM_STEP();
        if (atomic_load(&who[self].status) != ACTIVE) (void)global_enter(&global, &who[self]);
        break;
    case DECLARE: (void)global_declare_blocked(&global, &who[target]); break;
    case OPERATIONS: break;
    }
}

static void body(void) {
    int self = running;
    for (int i = 0; i < thread[self].operations; i++) perform(self, thread[self].program[i]);
    thread[self].ended = true;
    _longjmp(scheduler, 1);
}

static void resume(int which) {
    running = which;
    if (_setjmp(scheduler) != 0) return;
    if (thread[which].started) _longjmp(thread[which].here, 1);
    thread[which].started = true;
    getcontext(&thread[which].start);
    thread[which].start.uc_stack.ss_sp = thread[which].stack;
    thread[which].start.uc_stack.ss_size = sizeof thread[which].stack;
    thread[which].start.uc_link = NULL;
    makecontext(&thread[which].start, body, 0);
    setcontext(&thread[which].start);
}

/* The thread did one access; what did it mean? */
static void observe(int self, enum operation operation, uint64_t before) {
    uint64_t after = atomic_load(&global.word);
    if (after == before) return;
    switch (operation) {
    case TICK: ticked[self] = true; break;
    case LEAVE:
    case BLOCK: present[self]--; break;
    case JOIN:
        present[self]++;
        ticked[self] = false;
        break;
    case DECLARE:
        present[(self + 1) % threads]--;
        memset(ticked, 0, sizeof ticked);
        break;
    case OPERATIONS: break;
    }
    uint32_t active = 0;
    for (int i = 0; i < threads; i++) active += (uint32_t)present[i];
    CHECK(global_active_of(after) == active);
    if (global_time_of(after) == global_time_of(before)) return;
    CHECK(global_time_of(after) == ((global_time_of(before) + 1) & GLOBAL_TIME_MASK));
    for (int i = 0; i < threads; i++) CHECK(present[i] == 0 || ticked[i]);
    memset(ticked, 0, sizeof ticked);
}

static void begin(uint64_t time) {
    scheduled = false;
    memset(who, 0, sizeof who);
    atomic_store(&global.word, global_word((uint32_t)(time << 12), 0, 0));
    for (int i = 0; i < threads; i++) {
        (void)global_enter(&global, &who[i]);
        thread[i].started = thread[i].ended = false;
        present[i] = 1;
        ticked[i] = false;
    }
}

static void end(void) {
    scheduled = false;
    bool anybody = false;
    for (int i = 0; i < threads; i++) anybody = anybody || atomic_load(&who[i].status) == ACTIVE;
    uint64_t time = global_time_of(atomic_load(&global.word));
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < threads; i++) (void)global_tick(&global, &who[i]);
    uint64_t passed = (global_time_of(atomic_load(&global.word)) - time) & GLOBAL_TIME_MASK;
    CHECK(anybody ? passed >= 1 : passed == 0);
}

/* Runs the programs once, by the choices in `schedule`, which is then moved to the next one. False after the last. */
static bool run_schedule(int schedule[STEPS_MOST], uint64_t time) {
    begin(time);
    /* Each up to its first access, which is nothing that others notice. */
    scheduled = true;
    for (int i = 0; i < threads; i++) resume(i);
    int choices[STEPS_MOST], length = 0;
    for (;;) {
        int ready[THREADS_MOST], count = 0;
        for (int i = 0; i < threads; i++)
            if (!thread[i].ended) ready[count++] = i;
        if (count == 0 || length == STEPS_MOST) break;
        uint64_t before = atomic_load(&global.word);
        int chosen = ready[schedule[length]];
        enum operation operation = thread[chosen].paused_in;
        choices[length++] = count;
        resume(chosen);
        observe(chosen, operation, before);
    }
    CHECK(length < STEPS_MOST);
    end();
    paths++;
    while (length > 0) {
        length--;
        if (++schedule[length] < choices[length]) return true;
        schedule[length] = 0;
    }
    return false;
}

/* Every program with these numbers of operations. */
static void explore(int first, int second, int third, uint64_t time) {
    int operations[THREADS_MOST] = {first, second, third};
    threads = third > 0 ? 3 : 2;
    int total = first + second + third, programs = 1;
    for (int i = 0; i < total; i++) programs *= OPERATIONS;
    for (int number = 0; number < programs; number++) {
        int rest = number;
        for (int i = 0; i < threads; i++) {
            thread[i].operations = operations[i];
            for (int k = 0; k < operations[i]; k++, rest /= OPERATIONS) thread[i].program[k] = (enum operation)(rest % OPERATIONS);
        }
        int schedule[STEPS_MOST] = {0};
        while (run_schedule(schedule, time)) continue;
    }
}

static void two_threads(void) { explore(2, 1, 0, 5); }
static void three_threads(void) { explore(1, 1, 1, 7); }
static void at_the_end_of_time(void) { explore(1, 1, 0, GLOBAL_TIME_MASK); }
static void longer_programs(void) {
    if (test_argc < 2) return;
    explore(3, 1, 0, 5);
    explore(2, 2, 0, 5);
}
static void there_were_schedules(void) {
    printf("%llu schedules\n", (unsigned long long)paths);
    CHECK(paths > 50000);
}

const struct test tests[] = {
    {"every schedule of two threads with two operations and one", two_threads},
    {"every schedule of three threads with one operation each", three_threads},
    {"time wraps around", at_the_end_of_time},
    {"every schedule of longer programs, if they are asked for", longer_programs},
    {"the schedules were many", there_were_schedules},
    {NULL, NULL},
};
