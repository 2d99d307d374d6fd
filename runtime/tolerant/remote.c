/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/remote.h"

#include "tolerant/allocate.h"
#include "tolerant/misuse.h"

/* Times that a bin with room may leave what others freed for later. */
#define UNCOLLECTED_MOST 8

static struct tt_remote *remote_of(const struct tt_page *page) {
    struct tt_segment *segment = tt_page_segment(page);
    return &segment->remotes[tt_page_index(segment, page)];
}

void tt_page_collect(struct tt_page *page) {
    struct tt_remote *remote = remote_of(page);
    for (unsigned w = 0; w * 64 < page->slots; w++) {
        if (atomic_load(&remote->freed[w]) == 0) continue;
        uint64_t freed = atomic_exchange_explicit(&remote->freed[w], 0, memory_order_acquire);
        uint64_t twice = freed & (page->free[w] | tt_bin_claims(page->bin, page, w));
        if (twice != 0) {
            size_t slot = w * 64 + (unsigned)__builtin_ctzll(twice);
            tt_misuse(TT_MISUSE_DOUBLE_FREE, tt_page_base(page) + slot * page->size, 0);
        }
        tt_bits_set(&page->free[w], page->free[w] | freed);
    }
}

/* The remote bit was set before `pending` is read, and the owner clears `pending` before it reads the bits, all in one
 * order: who sees a notice already given knows that the owner will see the bit. */
void tt_page_notify(struct tt_segment *segment, size_t index, struct tt_thread *owner) {
    struct tt_remote *remote = &segment->remotes[index];
    if (atomic_load(&remote->pending) != 0 || atomic_exchange(&remote->pending, 1) != 0) return;
    struct tt_page *page = &segment->pages[index];
    struct tt_page *head = atomic_load_explicit(&owner->remote, memory_order_relaxed);
    do remote->next = head;
    while (!atomic_compare_exchange_weak_explicit(&owner->remote, &head, page, memory_order_release,
                                                  memory_order_relaxed));
}

static bool has_remote(struct tt_page *page) {
    struct tt_remote *remote = remote_of(page);
    uint64_t any = 0;
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) any |= atomic_load(&remote->freed[w]);
    return any != 0;
}

void tt_heap_collect(struct tt_thread *thread) {
    struct tt_page *page = atomic_exchange_explicit(&thread->remote, NULL, memory_order_acquire);
    while (page != NULL) {
        struct tt_segment *segment = tt_page_segment(page);
        struct tt_remote *remote = remote_of(page);
        struct tt_page *next = remote->next;
        (void)atomic_exchange(&remote->pending, 0);
        /* Between another thread's setting of a bit and its notice, the page may have been emptied and given to
         * another heap. Only this thread makes this heap the owner, so that here the answer stays true. */
        struct tt_thread *owner = tt_page_owner(segment, page);
        if (owner == thread && page->kind == TT_PAGE_SLOTS) {
            tt_page_collect(page);
            if (page != page->bin->page) tt_page_place(page->bin, page);
        } else if (owner != NULL && page->kind == TT_PAGE_SLOTS && has_remote(page)) {
            tt_page_notify(segment, tt_page_index(segment, page), owner);
        }
        page = next;
    }
}

/* While the bin has pages with room, remote frees may gather for some time: of a page more of them are taken in at
 * once, and the threads that free seldom find that it is not the line of memory that they last wrote. */
void tt_bin_collect_some(struct tt_bin *bin) {
    struct tt_thread *thread = bin->thread;
    if (bin->room != NULL && ++thread->uncollected < UNCOLLECTED_MOST) return;
    thread->uncollected = 0;
    tt_heap_collect(thread);
}

bool tt_page_has_notice(struct tt_page *page) {
    return atomic_load_explicit(&tt_page_segment(page)->freed_remotely, memory_order_relaxed) &&
           atomic_load_explicit(&remote_of(page)->pending, memory_order_relaxed) != 0;
}
