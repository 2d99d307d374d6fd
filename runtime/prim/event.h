/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Something that one thread waits for and others say has happened. Set once, it lets one wait through. Not for signal
 * handlers.
 */
#ifndef TENURE_PRIM_EVENT_H
#define TENURE_PRIM_EVENT_H

#include <pthread.h>
#include <stdbool.h>

struct tn_event {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_set;
};
#define TN_EVENT_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false}

static inline void tn_event_set(struct tn_event *event) {
    (void)pthread_mutex_lock(&event->mutex);
    event->is_set = true;
    (void)pthread_cond_signal(&event->changed);
    (void)pthread_mutex_unlock(&event->mutex);
}

/* Waits until it is set, and takes that back. */
static inline void tn_event_wait(struct tn_event *event) {
    (void)pthread_mutex_lock(&event->mutex);
    while (!event->is_set) (void)pthread_cond_wait(&event->changed, &event->mutex);
    event->is_set = false;
    (void)pthread_mutex_unlock(&event->mutex);
}

/* For the child of a fork, where no thread waits. */
static inline void tn_event_renew(struct tn_event *event) { *event = (struct tn_event)TN_EVENT_INITIALIZER; }

#endif
