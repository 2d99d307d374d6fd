/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_PRIM_SIGNAL_H
#define TENURE_PRIM_SIGNAL_H

#include <stdint.h>

/* Calls handle on the signal, in the thread that gets it, with system calls restarted, unless the program already
 * handles or ignores it. errno is kept. */
void tn_signal_install(int number, void (*handle)(void));

/* Calls handle on an access that the system refuses, with its address and the instruction's (0 where it is not known),
 * unless the program already handles SIGSEGV. Where handle returns, the process ends as it would have. To be called
 * once. */
void tn_signal_install_fault(void (*handle)(uintptr_t address, uintptr_t instruction));

/* Keeps all signals but those of faults from the calling thread until what was before comes back. */
struct tn_signals {
    unsigned long bits[16]; /* a sigset_t, which ISO C's <signal.h> has not */
};
void tn_signals_off(struct tn_signals *before);
void tn_signals_back(const struct tn_signals *before);

#endif
