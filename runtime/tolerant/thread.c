/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/thread.h"

#include <string.h>

#include "prim/lock.h"
#include "prim/space.h"
#include "prim/thread.h"
#include "tolerant/fork.h"

_Alignas(struct tt_thread) uintptr_t tt_nobody_start;
_Static_assert(offsetof(struct tt_thread, small_most) == 0, "what is read of TT_NOBODY is its start");
TN_THREAD_LOCAL struct tt_thread *tt_self = TT_NOBODY;

/* Set when the thread's heap has been given back: destructors that run later still allocate. */
static TN_THREAD_LOCAL bool ending;

static tn_lock lock = TN_LOCK_INITIALIZER;
static struct tt_thread *idle;
static struct tt_thread *_Atomic all;

static tn_lock fallback_lock = TN_LOCK_INITIALIZER;
static struct tt_thread *fallback;

struct tt_thread *tt_threads_first(void) { return atomic_load_explicit(&all, memory_order_acquire); }

TN_RACY uint64_t tt_thread_allocations(const struct tt_thread *thread) {
    uint64_t sum = thread->handed;
    for (size_t i = 0; i < tt_front_places(thread); i++) sum += tt_front_served(thread, i);
    return sum;
}

TN_RACY uint64_t tt_threads_allocations(void) {
    uint64_t sum = 0;
    for (struct tt_thread *thread = tt_threads_first(); thread != NULL; thread = thread->next)
        sum += tt_thread_allocations(thread);
    return sum;
}

struct tt_bin *tt_common_bin(struct tt_thread *thread, unsigned size_class) {
    unsigned at = thread->common_of[size_class];
    if (at == 0) {
        at = ++thread->common_count;
        thread->common_of[size_class] = (uint8_t)at;
        tt_bin_init(&thread->common[at - 1], thread, size_class, NULL);
    }
    return &thread->common[at - 1];
}

static struct tt_thread *new_heap(void) {
    struct tt_thread *thread = tt_metadata(sizeof *thread);
    if (thread == NULL) return NULL;
    thread->freed_most = TT_FREED_MOST / 8;
    tt_touch(tt_front_rest(thread, thread->front));
    thread->hash_factor = TT_HASH_FACTOR;
    thread->front_mask = TT_FRONT_LEAST - 1;
    tn_lock_acquire(&lock);
    thread->next = atomic_load_explicit(&all, memory_order_relaxed);
    atomic_store_explicit(&all, thread, memory_order_release);
    tn_lock_release(&lock);
    return thread;
}

static void detach(void) {
    struct tt_thread *thread = tt_self;
    if (thread == TT_NOBODY) return;
    ending = true;
    tt_free_batch(thread);
    if (thread->has_recent) tt_heap_forget_recent(thread);
    tt_self = TT_NOBODY;
    tn_lock_acquire(&lock);
    thread->next_idle = idle;
    idle = thread;
    tn_lock_release(&lock);
}

struct tt_thread *tt_thread_attach(void) {
    if (ending) return NULL;
    tt_fork_prepare();
    tn_lock_acquire(&lock);
    struct tt_thread *thread = idle;
    if (thread != NULL) idle = thread->next_idle;
    tn_lock_release(&lock);
    /* What the front remembers about another thread's stack says nothing about this one's. */
    if (thread != NULL) tt_forget_fronts(thread);
    if (thread == NULL && (thread = new_heap()) == NULL) return NULL;
    thread->small_most = TT_TABLE_MOST + 1;
    thread->depth_mask = thread->second_mask = UINTPTR_MAX;
    thread->misses = thread->rehashed = 0;
    thread->busy = false;
    thread->stack_base = (uintptr_t)__builtin_frame_address(0);
    tt_self = thread;
    if (tn_thread_at_end(detach) != 0) {
        /* The heap would be lost with the thread: this thread goes without. */
        detach();
        return NULL;
    }
    return thread;
}

void tt_threads_leave_idle(void) {
    if (!tn_lock_try(&lock)) return;
    for (struct tt_thread *thread = idle; thread != NULL; thread = thread->next_idle)
        if (atomic_load_explicit(&thread->remote, memory_order_relaxed) != NULL) tt_heap_leave(thread);
    tn_lock_release(&lock);
}

struct tt_thread *tt_fallback_take(void) {
    tn_lock_acquire(&fallback_lock);
    if (fallback == NULL) fallback = new_heap();
    if (fallback == NULL) tn_lock_release(&fallback_lock);
    return fallback;
}

void tt_fallback_give(void) { tn_lock_release(&fallback_lock); }

void tt_threads_before_fork(void) {
    tn_lock_acquire(&fallback_lock);
    tn_lock_acquire(&lock);
}

void tt_threads_after_fork(bool child) {
    if (child) {
        tn_lock_renew(&lock);
        tn_lock_renew(&fallback_lock);
        return;
    }
    tn_lock_release(&lock);
    tn_lock_release(&fallback_lock);
}
