/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Threads as coroutines that stop before each access to what several of them write, for tests that choose the schedule. To be included
 * before shortterm/global.h, whose code is compiled with these stops; by one file of a program.
 */
#ifndef TENURE_SHORTTERM_TESTS_COROUTINE_H
#define TENURE_SHORTTERM_TESTS_COROUTINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define COROUTINES_MOST 3

enum access { WORD, STATUS, NOTHING };
static void pause_before(enum access accessed, int line);
#define STM_STEP(accessed) pause_before(accessed, __LINE__)
#include "shortterm/global.h"

static struct coroutine {
    jmp_buf here;
    bool started;
    enum access accesses; /* what comes next, */
    int line;             /* and where in the source */
} coroutine[COROUTINES_MOST];
static _Alignas(16) char coroutine_stack[COROUTINES_MOST][16384];
static int running;
static bool scheduled; /* otherwise nothing stops */
static jmp_buf scheduler;

/* What each coroutine does; it does not return. */
static void coroutine_body(int self);

static void pause_before(enum access accessed, int line) {
    if (!scheduled) return;
    coroutine[running].accesses = accessed;
    coroutine[running].line = line;
    if (_setjmp(coroutine[running].here) == 0) _longjmp(scheduler, 1);
}

static void coroutine_enter(void) {
    coroutine_body(running);
    _longjmp(scheduler, 1);
}

/* Lets it run to its next stop. */
static void coroutine_resume(int which) {
    running = which;
    if (_setjmp(scheduler) != 0) return;
    if (coroutine[which].started) _longjmp(coroutine[which].here, 1);
    coroutine[which].started = true;
    ucontext_t start;
    getcontext(&start);
    start.uc_stack.ss_sp = coroutine_stack[which];
    start.uc_stack.ss_size = sizeof coroutine_stack[which];
    start.uc_link = NULL;
    makecontext(&start, coroutine_enter, 0);
    setcontext(&start);
}

#endif
