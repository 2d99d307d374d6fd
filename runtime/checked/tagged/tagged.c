/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/tagged/tagged.h"

#include <errno.h>

#include "checked/error.h"
#include "tenure/checked.h"
#include "prim/lock.h"
#include "prim/memory.h"
#include "prim/thread.h"

TN_THREAD_LOCAL struct tn_heap *tn_heap_self;
bool tn_tagged_threads;

static tn_lock open_lock = TN_LOCK_INITIALIZER;
static bool is_open;
static bool forks_are_known;

/* Deletes between two looks at what the other threads have seen. */
#define BURIALS 256

/* 1 TiB. */
#define SPACE_MOST (UINT64_C(1) << 40)

/* What every class has as its current span at first: no slot is free, none can be carved. */
static struct tn_span nothing;

static struct tn_member *make_heap(void) {
    struct tn_heap *heap = tn_os_map(sizeof *heap);
    if (heap == NULL) return NULL;
    for (unsigned c = 0; c < TN_CLASS_COUNT; c++) heap->current[c] = &nothing;
    return &heap->member;
}

static void before_fork(void) {
    tn_lock_acquire(&open_lock);
    tn_members_hold();
    tn_large_hold();
    tn_pins_hold();
    tn_reserve_hold();
}

static void in_parent(void) {
    tn_reserve_release();
    tn_pins_release();
    tn_large_release();
    tn_members_release();
    tn_lock_release(&open_lock);
}

static void in_child(void) {
    tn_reserve_renew();
    tn_large_renew();
    tn_pins_renew();
    tn_members_renew(tn_heap_self != NULL ? &tn_heap_self->member : NULL);
    tn_lock_renew(&open_lock);
}

static int open_locked(bool threads, bool remember, size_t limit, size_t mark) {
    if (!tn_reserve_open(SPACE_MOST, 0)) return ENOMEM;
    if (!tn_spans_open()) {
        tn_reserve_close();
        return ENOMEM;
    }
    if (remember && !tn_deletes_open()) {
        tn_spans_close();
        tn_reserve_close();
        return ENOMEM;
    }
    tn_tagged_threads = threads;
    tn_checked_base = tn_tagged_base;
    tn_budget_open(limit, mark);
    if (!forks_are_known) forks_are_known = tn_thread_at_fork(before_fork, in_parent, in_child) == 0;
    __atomic_store_n(&is_open, true, __ATOMIC_RELEASE);
    return 0;
}

int tn_heap_open(bool threads, bool remember, size_t limit, size_t mark) {
    tn_lock_acquire(&open_lock);
    int error = is_open ? EALREADY : open_locked(threads, remember, limit, mark);
    tn_lock_release(&open_lock);
    return error;
}

static void at_thread_end(void) {
    struct tn_heap *heap = tn_heap_self;
    tn_heap_self = NULL;
    if (heap != NULL) tn_members_part(&heap->member);
}

struct tn_heap *tn_heap_mine(bool *refused) {
    *refused = false;
    if (tn_heap_self != NULL) return tn_heap_self;
    if (!__atomic_load_n(&is_open, __ATOMIC_ACQUIRE)) {
        int error = tn_heap_open(false, false, 0, 0);
        if (error != 0 && error != EALREADY) return NULL;
    }
    if (tn_thread_at_end(at_thread_end) != 0) return NULL;
    struct tn_member *member = tn_members_join(make_heap, tn_tagged_threads, refused);
    tn_heap_self = (struct tn_heap *)member;
    return tn_heap_self;
}

bool tn_header_is_large(uint64_t header_at) { return !tn_reserve_has(header_at); }

void tn_object_release(struct tn_heap *heap, uint64_t header_at) {
    if (tn_header_is_large(header_at))
        tn_large_give((struct tn_span *)(uintptr_t)(header_at - offsetof(struct tn_span, free)));
    else
        tn_slot_release(heap, header_at);
}

static void release(uint64_t header_at, void *heap) { tn_object_release(heap, header_at); }

void tn_heap_settle(struct tn_heap *heap) { tn_limbo_settle(&heap->limbo, &heap->member, release, heap); }

void tn_heap_bury(struct tn_heap *heap, uint64_t header_at) {
    if (!tn_tagged_threads) {
        tn_object_release(heap, header_at);
        return;
    }
    /* Where there is no memory to remember it, the slot is lost, which is safe. */
    if (!tn_limbo_add(&heap->limbo, header_at) || heap->limbo.open.count % BURIALS != 0) return;
    tn_member_poll(&heap->member);
    tn_heap_settle(heap);
}

void tn_tagged_close(void) {
    struct tn_member *next;
    for (struct tn_member *m = tn_members(); m != NULL; m = next) {
        struct tn_heap *heap = (struct tn_heap *)m;
        next = m->next;
        tn_limbo_clear(&heap->limbo);
        tn_os_unmap(heap, sizeof *heap);
    }
    tn_members_clear();
    tn_heap_self = NULL;
    tn_large_clear();
    tn_pins_clear();
    tn_deletes_close();
    tn_spans_close();
    tn_reserve_close();
    is_open = false;
}
