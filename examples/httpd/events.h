/* An event library in the style of papers/000, section 4.2.1: who waits for a descriptor leaves a function and an environment,
 * and only these two know the environment's type. The loop owns environments, lends them to the function when their descriptor
 * is ready, and hands them to `finish` when the function says that it is done. No cast, and nothing is allocated for an
 * event. */
#ifndef EVENTS_H
#define EVENTS_H

#include <core.h>
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

/* With -DCOLLECTED everything is in `H and a collector finds what is garbage; that build exists for comparison. */
#ifdef COLLECTED
#define OWNED `H
#else
#define OWNED `U
#endif

#define MAX_DESCRIPTORS 1024
#define BATCH 64

/* What `ready` is told beside epoll's events: a second has passed. */
#define TICK 0u

struct Watch { <`e::TA>
    /* False: the descriptor is not to be watched any more. */
    bool (@ready)(`e @`r, unsigned events);
    void (@finish)(`e @OWNED);
    `e @OWNED env;
};
typedef struct Watch *OWNED watch_t;

static watch_t watches[MAX_DESCRIPTORS];
static int epoll_fd = -1;

static void drop(watch_t w) {
    switch (w) {
    case NULL: break;
    case &Watch{<`e> ready, finish, env}: finish(env); break;
    }
    free(w);
}

/* Watches a descriptor, which is below MAX_DESCRIPTORS, for the events. False if the system refuses; then the environment
 * was finished. */
static bool watch(int fd, unsigned events, watch_t w) {
    struct epoll_event event = {.events = events, .data = {.u64 = (uint64_t)fd}};
    if (epoll_fd < 0)
        epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    bool ok = epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
    if (ok)
        w :=: watches[fd];
    drop(w);
    return ok;
}

/* From now on waits for other events of a descriptor. */
static void expect(int fd, unsigned events) {
    struct epoll_event event = {.events = events, .data = {.u64 = (uint64_t)fd}};
    (void)epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

/* Lends the environment to its function. It stands in no table meanwhile, so that nobody else finds it. */
static void dispatch(int fd, unsigned events) {
    watch_t w = NULL;
    w :=: watches[fd];
    switch (w) {
    case NULL: return;
    case &Watch{<`e> ready, finish, env}:
        if (ready(env, events))
            break;
        finish(env);
        free(w);
        return;
    }
    w :=: watches[fd];
    drop(w);
}

/* Waits, at most `milliseconds`, and dispatches what came. */
static void wait_and_dispatch(int milliseconds) {
    struct epoll_event events[BATCH];
    int n = epoll_wait(epoll_fd, events, BATCH, milliseconds);
    for (int i = 0; i < n; i++)
        dispatch(EPOLL_DATA_FD(events[i].data), events[i].events);
}

static void tick_all(void) {
    for (int fd = 0; fd < MAX_DESCRIPTORS; fd++)
        dispatch(fd, TICK);
}

static void finish_all(void) {
    for (int fd = 0; fd < MAX_DESCRIPTORS; fd++) {
        watch_t w = NULL;
        w :=: watches[fd];
        drop(w);
    }
}

#endif
