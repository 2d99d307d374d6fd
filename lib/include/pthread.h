#ifndef _PTHREAD_H
#define _PTHREAD_H

#include <sys/types.h>
#include <time.h>
#include <tn/link.h>

/* A program has one thread. The types stand here for structs that have members of them. */
#define TN_NO_THREAD(name) typedef struct __attribute__((not_c("a program has one thread"))) tn_no_##name { long word; } name
TN_NO_THREAD(pthread_mutex_t);
TN_NO_THREAD(pthread_mutexattr_t);
TN_NO_THREAD(pthread_cond_t);
TN_NO_THREAD(pthread_condattr_t);
TN_NO_THREAD(pthread_rwlock_t);
TN_NO_THREAD(pthread_rwlockattr_t);
TN_NO_THREAD(pthread_attr_t);
TN_NO_THREAD(pthread_barrier_t);
typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;
typedef int pthread_spinlock_t;

#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2

#define TN_NO_THREADS TN_UNAVAILABLE("threads are not supported yet")

pthread_t pthread_self() TN_NO_THREADS;
void *pthread_getspecific() TN_NO_THREADS;
int pthread_create() TN_NO_THREADS;
int pthread_join() TN_NO_THREADS;
int pthread_detach() TN_NO_THREADS;
int pthread_exit() TN_NO_THREADS;
int pthread_cancel() TN_NO_THREADS;
int pthread_equal() TN_NO_THREADS;
int pthread_once() TN_NO_THREADS;
int pthread_atfork() TN_NO_THREADS;
int pthread_kill() TN_NO_THREADS;
int pthread_sigmask() TN_NO_THREADS;
int pthread_setname_np() TN_NO_THREADS;
int pthread_getattr_np() TN_NO_THREADS;
int pthread_setcancelstate() TN_NO_THREADS;
int pthread_setcanceltype() TN_NO_THREADS;
int pthread_testcancel() TN_NO_THREADS;
int pthread_mutex_init() TN_NO_THREADS;
int pthread_mutex_destroy() TN_NO_THREADS;
int pthread_mutex_lock() TN_NO_THREADS;
int pthread_mutex_trylock() TN_NO_THREADS;
int pthread_mutex_unlock() TN_NO_THREADS;
int pthread_mutex_timedlock() TN_NO_THREADS;
int pthread_mutexattr_init() TN_NO_THREADS;
int pthread_mutexattr_destroy() TN_NO_THREADS;
int pthread_mutexattr_settype() TN_NO_THREADS;
int pthread_mutexattr_setpshared() TN_NO_THREADS;
int pthread_cond_init() TN_NO_THREADS;
int pthread_cond_destroy() TN_NO_THREADS;
int pthread_cond_wait() TN_NO_THREADS;
int pthread_cond_timedwait() TN_NO_THREADS;
int pthread_cond_signal() TN_NO_THREADS;
int pthread_cond_broadcast() TN_NO_THREADS;
int pthread_condattr_init() TN_NO_THREADS;
int pthread_condattr_destroy() TN_NO_THREADS;
int pthread_condattr_setclock() TN_NO_THREADS;
int pthread_rwlock_init() TN_NO_THREADS;
int pthread_rwlock_destroy() TN_NO_THREADS;
int pthread_rwlock_rdlock() TN_NO_THREADS;
int pthread_rwlock_wrlock() TN_NO_THREADS;
int pthread_rwlock_tryrdlock() TN_NO_THREADS;
int pthread_rwlock_trywrlock() TN_NO_THREADS;
int pthread_rwlock_unlock() TN_NO_THREADS;
int pthread_attr_init() TN_NO_THREADS;
int pthread_attr_destroy() TN_NO_THREADS;
int pthread_attr_setdetachstate() TN_NO_THREADS;
int pthread_attr_setstacksize() TN_NO_THREADS;
int pthread_attr_getstacksize() TN_NO_THREADS;
int pthread_attr_setscope() TN_NO_THREADS;
int pthread_key_create() TN_NO_THREADS;
int pthread_key_delete() TN_NO_THREADS;
int pthread_setspecific() TN_NO_THREADS;
int pthread_spin_init() TN_NO_THREADS;
int pthread_spin_destroy() TN_NO_THREADS;
int pthread_spin_lock() TN_NO_THREADS;
int pthread_spin_trylock() TN_NO_THREADS;
int pthread_spin_unlock() TN_NO_THREADS;
int pthread_barrier_init() TN_NO_THREADS;
int pthread_barrier_destroy() TN_NO_THREADS;
int pthread_barrier_wait() TN_NO_THREADS;

#endif
