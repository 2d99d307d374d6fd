/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The end of a thread, whoever started it. Thread safe; not for signal handlers.
 */
#ifndef TENURE_PRIM_THREAD_H
#define TENURE_PRIM_THREAD_H

#include <stdbool.h>

/* Whether the process is known to have no other thread. errno is kept. */
bool tn_thread_is_only(void);

/* Keeps the calling thread from being cancelled in what it calls until it is given what was before. errno is kept. */
int tn_thread_cancel_off(void);
void tn_thread_cancel_back(int before);

/* Arranges that `end` is called in the calling thread when it ends (not when the process does). Calling it
 * again for the same `end` in one thread has no further effect. At most TN_THREAD_ENDS different functions.
 * 0, or an errno value, and then the caller keeps nothing that only `end` would give back. */
#define TN_THREAD_ENDS 4
int tn_thread_at_end(void (*end)(void));

/* Starts a thread that nobody joins and that gets no signals of the program's. 0, or an errno value. */
int tn_thread_start(void (*run)(void *argument), void *argument);

/* Lets other threads run; and the same for some 20 microseconds at least. errno is kept. */
void tn_thread_yield(void);
void tn_thread_pause(void);

/* Calls each(start, end) for each range of memory that holds variables of the calling thread alone. */
void tn_thread_storage(void (*each)(void *start, void *end));

/* Arranges that fork calls `before` before it and one of the others after it, in parent and child. What was arranged
 * first is called last before the fork and first after it. 0, or an errno value. */
int tn_thread_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void));

#endif
