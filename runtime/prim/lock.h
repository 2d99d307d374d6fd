/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Mutual exclusion inside the runtime. A lock needs no memory beyond itself, may be held across a fork by the
 * thread that forks, and is not for signal handlers. All-zero storage is an open lock on every libc served here;
 * TN_LOCK_INITIALIZER says so portably.
 */
#ifndef TENURE_PRIM_LOCK_H
#define TENURE_PRIM_LOCK_H

#include <pthread.h>

typedef pthread_mutex_t tn_lock;
#define TN_LOCK_INITIALIZER PTHREAD_MUTEX_INITIALIZER

static inline void tn_lock_acquire(tn_lock *lock) { (void)pthread_mutex_lock(lock); }
static inline void tn_lock_release(tn_lock *lock) { (void)pthread_mutex_unlock(lock); }

/* Whether the lock was open, and is now the caller's. */
static inline _Bool tn_lock_try(tn_lock *lock) { return pthread_mutex_trylock(lock) == 0; }

/* For the child of a fork, whose only thread holds the lock. It asks nothing of the C library, as calls that only
 * children make are looked up in each of them. */
static inline void tn_lock_renew(tn_lock *lock) { *lock = (tn_lock)TN_LOCK_INITIALIZER; }

#endif
