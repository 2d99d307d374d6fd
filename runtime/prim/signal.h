/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_PRIM_SIGNAL_H
#define TENURE_PRIM_SIGNAL_H

#include <signal.h>

/* Calls handle on the signal, in the thread that gets it, with system calls restarted, unless the program already
 * handles or ignores it. errno is kept. */
void tn_signal_install(int number, void (*handle)(void));

/* Keeps all signals from the calling thread until what was before comes back. */
void tn_signals_off(sigset_t *before);
void tn_signals_back(const sigset_t *before);

#endif
