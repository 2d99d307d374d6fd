/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Signals are noted here when they come and handled later: signal.cyc asks for those that are pending
 * at points where the program's state is whole.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* What a signal may be set to. */
enum { DEFAULT = 0, IGNORE = 1, NOTE = 2 };

int tnc_signal_set(int sig, int disposition, int restart);
int tnc_signal_take(void);
int tnc_raise(int sig);

static volatile sig_atomic_t pending[65];
static volatile sig_atomic_t any_pending;

static void note(int sig) {
    /* The one before has not been handled yet: the program does not get there. */
    if (pending[sig]) {
        signal(sig, SIG_DFL);
        raise(sig);
        return;
    }
    pending[sig] = 1;
    any_pending = 1;
}

int tnc_signal_set(int sig, int disposition, int restart) {
    /* Faults are the runtime's own: a stack overflow is reported through them. */
    if (sig < 1 || sig > 64 || sig == SIGSEGV || sig == SIGBUS) {
        errno = EINVAL;
        return -1;
    }
    struct sigaction action;
    action.sa_flags = restart ? SA_RESTART : 0;
    sigemptyset(&action.sa_mask);
    action.sa_handler = disposition == NOTE ? note : disposition == IGNORE ? SIG_IGN : SIG_DFL;
    return sigaction(sig, &action, NULL);
}

/* A signal that came and has not been taken, or 0. */
int tnc_signal_take(void) {
    if (!any_pending) return 0;
    any_pending = 0;
    for (int sig = 1; sig <= 64; sig++) {
        if (!pending[sig]) continue;
        pending[sig] = 0;
        any_pending = 1;
        return sig;
    }
    return 0;
}

int tnc_raise(int sig) { return raise(sig); }
