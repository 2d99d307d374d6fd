/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Thread roots: clocks and descriptors of a thread, pooled when it ends (papers/003…, §2.3, thread management).
 */
#ifndef TENURE_SHORTTERM_ROOT_H
#define TENURE_SHORTTERM_ROOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "shortterm/descriptor.h"
#include "shortterm/global.h"
#include "shortterm/object.h"
#include "tenure/platform.h"
#include "tenure/shortterm.h"

/* The data of a thread; in a pool while no thread has it. */
struct root {
    struct clock clock;
    uintptr_t *expired_top, *expired_bottom; /* what expired last is collected first: a stack in a page, */
    struct page *expired;                    /* and pages behind it */
    uint64_t owner;                /* the first word of a new object's header */
    _Atomic uint32_t reach;        /* extensions below it need no further look: the limit and the ring allow them */
    bool collects_one;             /* lazy with a bound of 1, and no finalizer runs */
    bool eager;
    bool collecting;               /* a finalizer runs */
    bool watched;                  /* a mode watches every step */
    int64_t cache_room;            /* how much storage of dead objects may still be kept, in units of 16 bytes */
    uint64_t ticks;                /* of all clocks */
    struct header *cache[CLASSES]; /* stacks of it, linked through the first words */
    struct page *pool;             /* free pages */
    uint32_t pooled;
    uint32_t bound;
    uint32_t number;
    _Atomic uint32_t next_pooled; /* number of the next root in the pool */
    struct clock global;
    struct stm_participant participant;
    struct region_page *region_pages; /* free ones, of the usual size */
    uint32_t region_pooled;
    int64_t descriptor_bytes; /* of pages, free ones included; those of clocks that were handed on stay with the first owner */
};

/* Keeps the storage of a dead object for the next one of its class, which is not 0. False if there is no room. */
static inline bool root_keep(struct root *root, struct header *header, uint32_t class) {
    int64_t room = root->cache_room - (int64_t)class;
    if (tn_unlikely(room < 0)) return false;
    root->cache_room = room;
    __builtin_memcpy((void *)header, &root->cache[class], sizeof(void *));
    root->cache[class] = header;
    return true;
}

struct scope {
    struct scope *outer;
    uint32_t extension;
};

struct thread {
    struct root *root;   /* NULL until the first refresh or tick */
    struct root *fast;   /* the same for the short paths; stm_no_root if there is none, or a mode watches every step */
    struct scope *scope; /* the innermost one */
};
extern TN_THREAD_LOCAL struct thread stm_thread;

/* Has nothing, reaches nowhere, keeps nothing: what finds it takes the long way without a test of its own. Never
 * written. */
extern struct root stm_no_root;

enum {
    MODE_CHECKED = 1,
    MODE_MEASURED = 2,
    MODE_UNKNOWN = 4 /* the options were not read yet */
};
/* Frees an object that has a class, no dates and nothing else to see to; false if it is not one. No mode watches. */
static inline bool free_simple(struct header *header, uint64_t shared) {
    uint32_t class = class_if_simple(shared);
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    if (tn_unlikely(class == 0 || (local & LOCAL_COUNT) != 0)) return false;
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG, memory_order_relaxed);
    if (!root_keep(stm_thread.fast, header, class)) stm_below.release(header);
    return true;
}

extern _Atomic uint32_t stm_mode;
extern _Atomic uint32_t stm_limit;

static inline uint32_t mode(void) { return atomic_load_explicit(&stm_mode, memory_order_relaxed); }

/* Sets whether a finalizer runs; what was set before. */
static inline bool root_set_collecting(struct root *root, bool collecting) {
    bool before = root->collecting;
    root->collecting = collecting;
    root->collects_one = !collecting && !root->eager && root->bound == 1;
    return before;
}

/* Computes root->reach. For the thread that holds the root. */
void stm_root_set_reach(struct root *root);

/* This thread's root, taken from the pool or made; NULL if there is no memory. */
struct root *stm_root(void);

/* In a forked child: root, which may be NULL, is the only one that a thread holds. */
void stm_global_after_fork(struct root *root);

/* Reads the options if that has not been done; the mode is known afterwards. */
void stm_start(void);

/* What stm_start calls; NULL: nothing. */
extern void (*stm_at_first_use)(void);

#endif
