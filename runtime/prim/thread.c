/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "prim/thread.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "tenure/platform.h"

bool tn_thread_is_only(void) {
    int error = errno;
    struct stat tasks;
    /* Links of the directory: itself, its parent's entry, and one for each thread. */
    bool only = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;
    errno = error;
    return only;
}

int tn_thread_cancel_off(void) {
    int before = PTHREAD_CANCEL_ENABLE;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

void tn_thread_cancel_back(int before) { (void)pthread_setcancelstate(before, &before); }

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int key_error;

/* The functions that this thread asked for, in order of the request. */
static TN_THREAD_LOCAL void (*thread_ends[TN_THREAD_ENDS])(void);

static void run_ends(void *value) {
    (void)value;
    for (int i = 0; i < TN_THREAD_ENDS; i++) {
        void (*end)(void) = thread_ends[i];
        thread_ends[i] = NULL;
        if (end != NULL) end();
    }
}

static void make_key(void) { key_error = pthread_key_create(&key, run_ends); }

int tn_thread_at_end(void (*end)(void)) {
    int slot = 0;
    while (slot < TN_THREAD_ENDS && thread_ends[slot] != NULL && thread_ends[slot] != end) slot++;
    if (slot == TN_THREAD_ENDS) return ENOSPC;
    if (thread_ends[slot] == end) return 0;
    (void)pthread_once(&key_once, make_key);
    if (key_error != 0) return key_error;
    /* Any value but NULL makes the key's destructor run; a destructor that comes later than ours and asks
     * again is served by the next of POSIX's rounds. */
    int error = pthread_setspecific(key, &key);
    if (error == 0) thread_ends[slot] = end;
    return error;
}

struct started {
    void (*run)(void *argument);
    void *argument;
};

static void *run_started(void *argument) {
    struct started started = *(struct started *)argument;
    free(argument);
    started.run(started.argument);
    return NULL;
}

int tn_thread_start(void (*run)(void *argument), void *argument) {
    struct started *started = malloc(sizeof *started);
    if (started == NULL) return ENOMEM;
    *started = (struct started){run, argument};
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run_started, started);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        (void)pthread_detach(thread);
    else
        free(started);
    return error;
}

void tn_thread_yield(void) {
    int error = errno;
    (void)sched_yield();
    errno = error;
}

void tn_thread_pause(void) {
    int error = errno;
    (void)nanosleep(&(struct timespec){0, 20000}, NULL);
    errno = error;
}

/* One loaded object: its thread-local segment, if it has one and this thread has used it. */
static int visit_object(struct dl_phdr_info *object, size_t size, void *each) {
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof object->dlpi_tls_data) return 0;
    char *start = (char *)object->dlpi_tls_data;
    for (int i = 0; start != NULL && i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_TLS)
            (*(void (**)(void *, void *))each)(start, start + object->dlpi_phdr[i].p_memsz);
    return 0;
}

void tn_thread_storage(void (*each)(void *start, void *end)) { (void)dl_iterate_phdr(visit_object, &each); }

int tn_thread_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
    return pthread_atfork(before, in_parent, in_child);
}
