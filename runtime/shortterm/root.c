/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/root.h"

#include <string.h>

#include "prim/option.h"
#include "prim/sanitize.h"
#include "prim/thread.h"
#include "shortterm/mode.h"
#include "shortterm/object.h"
#include "shortterm/region.h"

/* The owner field of a header has 16 bits. */
#define ROOTS_MOST 65535U

struct root stm_no_root;
TN_THREAD_LOCAL struct thread stm_thread = {.fast = &stm_no_root};
_Atomic uint32_t stm_mode = MODE_UNKNOWN;
_Atomic uint32_t stm_limit = 65535;

void (*stm_at_first_use)(void);

static _Atomic(struct root *) roots[ROOTS_MOST + 1];
static _Atomic uint32_t made;

/* The pool is a stack of numbers, linked through the roots. The high half changes with each operation, so that a root
 * that was taken and given back meanwhile is noticed. */
static _Atomic uint64_t pool;

void stm_start(void) {
    if ((mode() & MODE_UNKNOWN) == 0) return;
    /* Two threads that race here store the same values. */
    uint32_t wanted = 0;
    if (tn_option_get(TN_OPTION_STM_CHECKED) != 0) wanted |= MODE_CHECKED;
    if (tn_option_text(TN_TEXT_STM_MEASURE) != NULL) wanted |= MODE_MEASURED;
    uint32_t initial = 65535;
    (void)atomic_compare_exchange_strong(&stm_limit, &initial, (uint32_t)tn_option_get(TN_OPTION_STM_EXTENSION));
    if (stm_at_first_use != NULL) stm_at_first_use();
    uint32_t unknown = MODE_UNKNOWN;
    if (atomic_compare_exchange_strong(&stm_mode, &unknown, wanted) && wanted != 0) stm_mode_begin(wanted);
}

void stm_set_extension_limit(unsigned limit) {
    stm_start();
    atomic_store(&stm_limit, limit);
    /* Those that reach further are held back; those that may reach further now find that out by themselves. */
    uint32_t last = atomic_load(&made);
    for (uint32_t number = 1; number <= last; number++) {
        struct root *root = atomic_load(&roots[number]);
        if (root == NULL) continue;
        uint32_t reach = atomic_load(&root->reach);
        while (reach > limit && !atomic_compare_exchange_weak(&root->reach, &reach, limit)) {
        }
    }
}

void stm_root_set_reach(struct root *root) {
    /* A limit that another thread lowers meanwhile is seen here, or that thread sees what was stored here. */
    unsigned limit;
    do {
        limit = atomic_load(&stm_limit);
        uint64_t ring = root->clock.mask;
        uint64_t reach = root->watched ? 0 : ring < limit ? ring + 1 : limit;
        atomic_store(&root->reach, reach < UINT32_MAX ? (uint32_t)reach : UINT32_MAX);
    } while (limit != atomic_load(&stm_limit));
}

unsigned stm_extension_limit(void) {
    stm_start();
    return atomic_load_explicit(&stm_limit, memory_order_relaxed);
}

static struct root *take(void) {
    uint64_t head = atomic_load_explicit(&pool, memory_order_acquire);
    while ((uint32_t)head != 0) {
        struct root *root = atomic_load_explicit(&roots[(uint32_t)head], memory_order_acquire);
        uint32_t next = atomic_load_explicit(&root->next_pooled, memory_order_relaxed);
        if (atomic_compare_exchange_weak_explicit(&pool, &head, ((head >> 32) + 1) << 32 | next, memory_order_acq_rel,
                                                  memory_order_acquire))
            return root;
    }
    return NULL;
}

static void give(struct root *root) {
    uint64_t head = atomic_load_explicit(&pool, memory_order_relaxed);
    do {
        atomic_store_explicit(&root->next_pooled, (uint32_t)head, memory_order_relaxed);
    } while (!atomic_compare_exchange_weak_explicit(&pool, &head, ((head >> 32) + 1) << 32 | root->number,
                                                    memory_order_acq_rel, memory_order_relaxed));
}

static struct root *make(void) {
    struct root *root = stm_below.allocate_zero(1, sizeof *root);
    if (root == NULL) return NULL;
    if (!stm_clock_grow(&root->clock, 0)) {
        stm_below.release(root);
        return NULL;
    }
    uint32_t number = atomic_load(&made);
    do {
        if (number == ROOTS_MOST) {
            stm_below.release(root->clock.lists);
            stm_below.release(root);
            return NULL;
        }
    } while (!atomic_compare_exchange_weak(&made, &number, number + 1));
    root->number = number + 1;
    atomic_store_explicit(&roots[root->number], root, memory_order_release);
    return root;
}

/* Nothing of this thread's is kept for later. */
static void trim(struct root *root) {
    stm_region_trim(root);
    for (uint32_t class = 1; class < CLASSES; class++) {
        while (root->cache[class] != NULL) {
            struct header *header = root->cache[class];
            memcpy(&root->cache[class], (void *)header, sizeof(void *));
            stm_below.release(header);
        }
    }
}

void stm_thread_leave(void) {
    struct root *root = stm_thread.root;
    /* Whoever calls a finalizer goes on with the root after it. */
    if (root == NULL || root->collecting) return;
    (void)stm_global_leave();
    stm_thread.root = NULL;
    stm_thread.fast = &stm_no_root;
    trim(root);
    give(root);
}

/* The thread ends, perhaps in a scope or, by pthread_exit, in a finalizer. */
static void leave_at_end(void) {
    while (stm_scope_end() == STM_OK) continue;
    if (stm_thread.root != NULL) (void)root_set_collecting(stm_thread.root, false);
    stm_thread_leave();
}

/* In a child, the roots of the other threads may have been in the middle of anything: nobody takes them, and what they
 * date lives on. */
static void after_fork(void) {
    stm_global_after_fork(stm_thread.root);
    stm_measure_after_fork();
}

static TN_OUTLINE struct root *acquire(void) {
    stm_start();
    static _Atomic uint32_t fork_watched;
    if (atomic_exchange_explicit(&fork_watched, 1, memory_order_relaxed) == 0) (void)tn_thread_at_fork(NULL, NULL, after_fork);
    struct root *root = take();
    if (root == NULL) root = make();
    if (root == NULL) return NULL;
    root->bound = (uint32_t)tn_option_get(TN_OPTION_STM_BOUND);
    root->eager = tn_option_get(TN_OPTION_STM_EAGER) != 0;
    (void)root_set_collecting(root, false);
    /* A memory debugger is to see each object die. */
    root->cache_room = TN_ASAN ? 0 : tn_option_get(TN_OPTION_STM_CACHE) / 16;
    root->owner = (uint64_t)root->number << LOCAL_OWNER_SHIFT;
    root->watched = mode() != 0;
    stm_root_set_reach(root);
    stm_thread.root = root;
    stm_thread.fast = root->watched ? &stm_no_root : root;
    if (tn_thread_at_end(leave_at_end) != 0) {
        stm_thread_leave();
        return NULL;
    }
    return root;
}

struct root *stm_root(void) {
    struct root *root = stm_thread.root;
    return tn_likely(root != NULL) ? root : acquire();
}

void stm_thread_statistics(struct stm_statistics *statistics) {
    *statistics = (struct stm_statistics){0};
    struct root *root = stm_thread.root;
    if (root == NULL) return;
    statistics->ticks = root->ticks;
    statistics->descriptor_bytes = root->descriptor_bytes > 0 ? (uint64_t)root->descriptor_bytes : 0;
    statistics->dates = stm_clock_count(&root->clock) + stm_clock_count(&root->global);
    statistics->expired_waiting = stm_expired_count(root);
}

int stm_set_collection(enum stm_collection collection, unsigned bound) {
    if (bound == 0 || (collection != STM_LAZY && collection != STM_EAGER)) return STM_BAD_ARGUMENT;
    struct root *root = stm_root();
    if (root == NULL) return STM_NO_MEMORY;
    root->eager = collection == STM_EAGER;
    root->bound = bound;
    (void)root_set_collecting(root, root->collecting);
    return STM_OK;
}
