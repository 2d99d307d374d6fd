/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/descriptor.h"

#include <string.h>

#include "shortterm/object.h"
#include "shortterm/root.h"
#include "shortterm/settle.h"

#define RING_FIRST UINT64_C(8)

/* Free pages that a root keeps; more go back to the allocator below. */
#define POOL_MOST 256

bool stm_clock_grow(struct clock *clock, uint64_t extension) {
    if (clock->lists != NULL && extension <= clock->mask) return true;
    uint64_t size = clock->lists != NULL ? (clock->mask + 1) * 2 : RING_FIRST;
    while (size <= extension) size *= 2;
    struct list *lists = stm_below.allocate_zero(size, sizeof *lists);
    if (lists == NULL) return false;
    if (clock->lists != NULL) {
        for (uint64_t i = 0; i <= clock->mask; i++) {
            uint64_t date = clock->time + i;
            lists[date & (size - 1)] = clock->lists[date & clock->mask];
        }
        stm_below.release(clock->lists);
    }
    clock->lists = lists;
    clock->mask = size - 1;
    return true;
}

bool stm_list_extend(struct root *root, struct list *list) {
    struct page *page = root->pool;
    if (page != NULL) {
        root->pool = page->next;
        root->pooled--;
    } else {
        page = stm_below.allocate(sizeof *page);
        if (page == NULL) return false;
        root->descriptor_bytes += (int64_t)sizeof *page;
    }
    page->next = NULL;
    page->count = PAGE_SLOTS;
    if (list->end != NULL) page->next = list_head(list);
    else list->tail = page;
    list->cursor = page->slots;
    list->end = page->slots + PAGE_SLOTS;
    return true;
}

static void recycle(struct root *root, struct page *page) {
    if (root->pooled < POOL_MOST) {
        page->next = root->pool;
        root->pool = page;
        root->pooled++;
    } else {
        stm_below.release(page);
        root->descriptor_bytes -= (int64_t)sizeof *page;
    }
}

static struct page *current_page(const struct root *root) {
    return (struct page *)(void *)((char *)root->expired_bottom - offsetof(struct page, slots));
}

/* Puts the page that expired descriptors are taken from back among the others, or among the free ones. */
static void put_back_current(struct root *root) {
    if (root->expired_bottom == NULL) return;
    struct page *page = current_page(root);
    page->count = (uint64_t)(root->expired_top - root->expired_bottom);
    root->expired_top = root->expired_bottom = NULL;
    if (page->count == 0) {
        recycle(root, page);
    } else {
        page->next = root->expired;
        root->expired = page;
    }
}

bool stm_expired_next(struct root *root) {
    struct page *page = root->expired;
    if (page == NULL) return false;
    put_back_current(root);
    root->expired = page->next;
    root->expired_bottom = page->slots;
    root->expired_top = page->slots + page->count;
    return true;
}

/* So few descriptors are copied, rather than that a page goes with them; always that many, which needs no loop. */
#define COPIED 16

/* The only page of a list, whose descriptors are gone, is for `next` if that has none. So at most one list has an empty
 * page. */
static void leave_page(struct root *root, struct list *list, struct list *next) {
    struct page *page = list_head(list);
    if (next->end == NULL)
        *next = (struct list){.cursor = page->slots, .end = list->end, .tail = page};
    else
        recycle(root, page);
    *list = (struct list){.hole = HOLE_NONE};
}

/* A list of so few descriptors that they fit behind the expired ones leaves its page to `next`, the list that will be
 * current. Programs with short periods use two pages in turn that way, which stay in the cache. */
static bool expire_by_copy(struct root *root, struct list *list, struct list *next) {
    uintptr_t *slots = list->end - PAGE_SLOTS;
    size_t count = (size_t)(list->cursor - slots);
    if (count > COPIED || list->tail != list_head(list) || list->hole != HOLE_NONE || root->expired_bottom == NULL ||
        root->expired_bottom + PAGE_SLOTS - root->expired_top < COPIED)
        return false;
    memcpy(root->expired_top, slots, COPIED * sizeof *slots);
    root->expired_top += count;
    leave_page(root, list, next);
    return true;
}

/* Moves the list to the expired descriptors. Last in, first out: what expired last is the likeliest to be in a cache,
 * and its memory is used again while older expired objects wait; collected the other way round, as many would wait as
 * were ever alive at a tick. */
static void expire(struct root *root, struct list *list, struct list *next) {
    if (expire_by_copy(root, list, next)) return;
    struct page *head = list_head(list);
    put_back_current(root);
    list->tail->next = root->expired;
    root->expired = head->next;
    root->expired_bottom = head->slots;
    root->expired_top = list->cursor;
    *list = (struct list){.hole = HOLE_NONE};
}

void stm_clock_step(struct root *root, struct clock *clock) {
    struct list *list = list_at(clock, 0);
    clock->time++;
    if (list->end == NULL) return;
    struct list *next = list_at(clock, 0);
    if (tn_likely(list->cursor != list->end - PAGE_SLOTS)) {
        expire(root, list, next);
    } else {
        leave_page(root, list, next);
    }
}

void stm_clock_advance(struct root *root, struct clock *clock, uint64_t steps) {
    uint64_t most = 0;
    if (clock->lists != NULL) most = steps <= clock->mask ? steps : clock->mask + 1;
    for (uint64_t i = 0; i < most; i++) stm_clock_step(root, clock);
    clock->time += steps - most;
}

void stm_clock_finish(struct root *root, struct clock *clock) {
    stm_clock_advance(root, clock, clock->mask + 1);
    struct list *list = list_at(clock, 0);
    if (list->end != NULL) recycle(root, list_head(list));
    stm_below.release(clock->lists);
    clock->lists = NULL;
}

uint64_t stm_clock_count(const struct clock *clock) {
    uint64_t count = 0;
    for (uint64_t i = 0; clock->lists != NULL && i <= clock->mask; i++) {
        const struct list *list = &clock->lists[i];
        if (list->end == NULL) continue;
        const struct page *head = list_head(list);
        count += (uint64_t)(list->cursor - head->slots);
        for (const struct page *page = head->next; page != NULL; page = page->next) count += page->count;
    }
    return count;
}

uint64_t stm_expired_count(const struct root *root) {
    uint64_t count = (uint64_t)(root->expired_top - root->expired_bottom);
    for (const struct page *page = root->expired; page != NULL; page = page->next) count += page->count;
    return count;
}

void stm_collect_some(struct root *root, uint64_t bound) {
    /* A finalizer that refreshes or ticks must not start another collection inside this one. */
    if (root->collecting) return;
    if (root->watched) {
        for (; bound > 0 && has_expired(root); bound--) (void)stm_settle_slow(root, take_expired(root));
    } else {
        for (; bound > 0 && has_expired(root); bound--) (void)settle_one(root);
    }
}

void stm_collect_at_tick(struct root *root) {
    /* Checked mode is to notice the first use after expiry, so nothing waits there. */
    bool all = root->eager || (mode() & MODE_CHECKED) != 0;
    stm_collect_some(root, all ? UINT64_MAX : root->bound);
}
