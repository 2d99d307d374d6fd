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
        root->descriptor_bytes += sizeof *page;
    }
    page->next = list->head;
    page->count = PAGE_SLOTS;
    if (list->head == NULL) list->tail = page;
    list->head = page;
    list->cursor = page->slots;
    list->end = page->slots + PAGE_SLOTS;
    return true;
}

void stm_page_recycle(struct root *root, struct page *page) {
    root->expired = page->next;
    if (root->pooled < POOL_MOST) {
        page->next = root->pool;
        root->pool = page;
        root->pooled++;
    } else {
        stm_below.release(page);
        root->descriptor_bytes -= sizeof *page;
    }
}

/* Last in, first out: what expired last is the likeliest to be in a cache, and its memory is used again while older
 * expired objects wait; collected the other way round, as many would wait as were ever alive at a tick. */
void stm_list_expire(struct root *root, struct list *list) {
    if (list->head == NULL) return;
    list->head->count = (uint64_t)(list->cursor - list->head->slots);
    list->tail->next = root->expired;
    root->expired = list->head;
    memset(list, 0, sizeof *list);
}

void stm_clock_advance(struct root *root, struct clock *clock, uint64_t steps) {
    if (clock->lists != NULL) {
        uint64_t most = steps <= clock->mask ? steps : clock->mask + 1;
        for (uint64_t i = 0; i < most; i++) stm_list_expire(root, list_at(clock, i));
    }
    clock->time += steps;
}

uint64_t stm_clock_count(const struct clock *clock) {
    uint64_t count = 0;
    for (uint64_t i = 0; clock->lists != NULL && i <= clock->mask; i++) {
        const struct list *list = &clock->lists[i];
        if (list->head == NULL) continue;
        count += (uint64_t)(list->cursor - list->head->slots);
        for (const struct page *page = list->head->next; page != NULL; page = page->next) count += page->count;
    }
    return count;
}

void stm_collect_some(struct root *root, uint64_t bound) {
    /* A finalizer that refreshes or ticks must not start another collection inside this one. */
    if (root->collecting) return;
    if (root->fast != NULL) {
        for (; bound > 0 && root->expired != NULL; bound--) (void)settle_one(root);
    } else {
        for (; bound > 0 && root->expired != NULL; bound--) (void)stm_settle_slow(root, take_expired(root));
    }
}

void stm_collect_at_tick(struct root *root) {
    /* Checked mode is to notice the first use after expiry, so nothing waits there. */
    bool all = root->eager || (mode() & MODE_CHECKED) != 0;
    stm_collect_some(root, all ? UINT64_MAX : root->bound);
}
