/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* SA_RESTART */
#include "prim/signal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static void (*handlers[65])(void);

static void on_signal(int number) {
    int error = errno;
    handlers[number]();
    errno = error;
}

void tn_signal_install(int number, void (*handle)(void)) {
    struct sigaction now, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    if (number < 1 || number > 64 || sigaction(number, NULL, &now) != 0) return;
    if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
    (void)sigemptyset(&ours.sa_mask);
    handlers[number] = handle;
    (void)sigaction(number, &ours, NULL);
}

_Static_assert(sizeof(sigset_t) <= sizeof(struct tn_signals), "the set fits");

/* What an instruction causes comes all the same, or the kernel ends the process: the program may have it mended. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

void tn_signals_off(struct tn_signals *before) {
    sigset_t all, was;
    (void)sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) (void)sigdelset(&all, faults[i]);
    (void)sigemptyset(&was);
    (void)pthread_sigmask(SIG_BLOCK, &all, &was);
    memcpy(before, &was, sizeof was);
}

void tn_signals_back(const struct tn_signals *before) {
    sigset_t was;
    memcpy(&was, before, sizeof was);
    (void)pthread_sigmask(SIG_SETMASK, &was, NULL);
}
