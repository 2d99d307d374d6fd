/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/tagged/tagged.h"

#include <errno.h>

#include "checked/error.h"
#include "prim/lock.h"
#include "prim/memory.h"
#include "prim/thread.h"

TN_THREAD_LOCAL struct tn_heap *tn_heap_self;
bool tn_tagged_threads;

static tn_lock open_lock = TN_LOCK_INITIALIZER;
static bool is_open;
static bool forks_are_known;

/* Deletes between two looks at what the other threads have seen. */
#define LIMBO_FIRST 256

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
    tn_reserve_hold();
}

static void in_parent(void) {
    tn_reserve_release();
    tn_large_release();
    tn_members_release();
    tn_lock_release(&open_lock);
}

static void in_child(void) {
    tn_reserve_renew();
    tn_large_renew();
    tn_members_renew(tn_heap_self != NULL ? &tn_heap_self->member : NULL);
    tn_lock_renew(&open_lock);
}

static int open_locked(bool threads, bool remember, size_t limit, size_t mark) {
    if (!tn_reserve_open()) return ENOMEM;
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
    tn_budget = (struct tn_budget){0, 0, limit, mark != 0 ? mark : limit / 8 * 7};
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

static bool limbo_add(struct tn_limbo *limbo, uint64_t header_at) {
    if (limbo->count == limbo->capacity) {
        size_t capacity = limbo->capacity == 0 ? 2 * LIMBO_FIRST : 2 * limbo->capacity;
        uint64_t *headers = tn_os_map(capacity * sizeof *headers);
        if (headers == NULL) return false;
        for (size_t i = 0; i < limbo->count; i++) headers[i] = limbo->headers[i];
        if (limbo->headers != NULL) tn_os_unmap(limbo->headers, limbo->capacity * sizeof *headers);
        limbo->headers = headers;
        limbo->capacity = capacity;
    }
    limbo->headers[limbo->count++] = header_at;
    return true;
}

void tn_heap_settle(struct tn_heap *heap) {
    struct tn_limbo *waiting = &heap->waiting;
    if (waiting->count != 0) {
        if (!tn_epoch_reached(waiting->epoch)) return;
        for (size_t i = 0; i < waiting->count; i++) tn_object_release(heap, waiting->headers[i]);
        waiting->count = 0;
    }
    if (heap->open.count == 0) return;
    struct tn_limbo empty = *waiting;
    *waiting = heap->open;
    heap->open = empty;
    waiting->epoch = tn_epoch_begin();
    tn_member_poll(&heap->member);
}

void tn_heap_bury(struct tn_heap *heap, uint64_t header_at) {
    if (!tn_tagged_threads) {
        tn_object_release(heap, header_at);
        return;
    }
    /* Where there is no memory to remember it, the slot is lost, which is safe. */
    if (!limbo_add(&heap->open, header_at)) return;
    if (heap->open.count % LIMBO_FIRST != 0) return;
    tn_member_poll(&heap->member);
    tn_heap_settle(heap);
}

void tnc_close_tagged(void);
void tnc_close_tagged(void) {
    struct tn_member *next;
    for (struct tn_member *m = tn_members(); m != NULL; m = next) {
        struct tn_heap *heap = (struct tn_heap *)m;
        next = m->next;
        struct tn_limbo *limbos[] = {&heap->open, &heap->waiting};
        for (unsigned i = 0; i < 2; i++)
            if (limbos[i]->headers != NULL) tn_os_unmap(limbos[i]->headers, limbos[i]->capacity * sizeof(uint64_t));
        tn_os_unmap(heap, sizeof *heap);
    }
    tn_members_clear();
    tn_heap_self = NULL;
    tn_large_clear();
    tn_deletes_close();
    tn_spans_close();
    tn_reserve_close();
    is_open = false;
}
