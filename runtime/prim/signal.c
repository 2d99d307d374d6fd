/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* SA_RESTART, REG_RIP */
#include "prim/signal.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

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

static void (*fault_handler)(uintptr_t address, uintptr_t instruction);

static void on_fault(int number, siginfo_t *info, void *context) {
    uintptr_t instruction = 0;
#if defined(__x86_64__)
    instruction = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    instruction = (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
#endif
    fault_handler((uintptr_t)info->si_addr, instruction);
    struct sigaction plain = {.sa_handler = SIG_DFL};
    (void)sigemptyset(&plain.sa_mask);
    (void)sigaction(number, &plain, NULL); /* the instruction comes again, and ends the process */
}

void tn_signal_install_fault(void (*handle)(uintptr_t address, uintptr_t instruction)) {
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGSEGV, NULL, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) return;
    (void)sigemptyset(&ours.sa_mask);
    fault_handler = handle;
    (void)sigaction(SIGSEGV, &ours, NULL);
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
