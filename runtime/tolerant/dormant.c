/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/dormant.h"

#include "prim/space.h"
#include "tolerant/compact.h"
#include "tolerant/misuse.h"
#include "tolerant/thread.h"

/* Pages of a heap that are looked at at a time; its list may be another's by the time that it is read. */
#define PAGES_MOST ((size_t)1 << 20)

static uint64_t bits_of_slots(unsigned slots, unsigned w) {
    if (slots >= (w + 1) * 64) return ~(uint64_t)0;
    return slots > w * 64 ? ((uint64_t)1 << (slots - w * 64)) - 1 : 0;
}

/* Whether the bits are those of all slots of a page that shares no frame, and is not its bin's current one, of which
 * nothing is kept as known once it is filled again. */
TN_RACY static bool is_whole(const struct tt_segment *segment, size_t at, const uint64_t bits[TT_SLOT_WORDS]) {
    const struct tt_page *page = &segment->pages[at];
    bool whole = page->bin->page != page;
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) whole = whole && bits[w] == bits_of_slots(page->slots, w);
    for (unsigned i = 0; i < page->span; i++) whole = whole && segment->sharing[at + i] == 0;
    return whole;
}

/* The remote bits are taken away meanwhile: a slot that has neither those nor its free bit is live to the owner, who
 * hands no such slot out, and keeps the page as it is. */
static void release_page(struct tt_segment *segment, size_t at) {
    struct tt_page *page = &segment->pages[at];
    struct tt_remote *remote = &segment->remotes[at];
    uint64_t bits[TT_SLOT_WORDS], any = 0;
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) any |= bits[w] = atomic_exchange(&remote->freed[w], 0);
    if (any == 0) return;
    if (is_whole(segment, at, bits)) page->clean = tn_space_discard(tt_page_base(page), page->span * TT_PAGE_BYTES);
    struct tt_thread *owner = tt_page_owner(segment, page);
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
        uint64_t twice = bits[w] == 0 ? 0 : atomic_fetch_or(&remote->freed[w], bits[w]) & bits[w];
        if (twice == 0) continue;
        size_t slot = w * 64 + (unsigned)__builtin_ctzll(twice);
        tt_misuse(TT_MISUSE_DOUBLE_FREE, tt_page_base(page) + slot * page->size, 0);
    }
    if (owner != NULL) tt_page_notify(segment, at, owner);
}

TN_RACY static void release_heap(struct tt_thread *thread) {
    struct tt_page *page = atomic_load_explicit(&thread->remote, memory_order_acquire);
    for (size_t i = 0; i < PAGES_MOST && page != NULL; i++) {
        struct tt_segment *segment = tt_page_segment(page);
        size_t at = tt_page_index(segment, page);
        if (page->kind == TT_PAGE_SLOTS && !page->clean) release_page(segment, at);
        page = segment->remotes[at].next;
    }
}

void tt_dormant_release(void) {
    bool keeps_off = tn_space_page_size() <= TT_PAGE_BYTES && tt_compact_keep_off();
    for (struct tt_thread *thread = tt_threads_first(); keeps_off && thread != NULL; thread = thread->next) {
        uint64_t now = tt_thread_allocations(thread), before = thread->allocations_before;
        thread->allocations_before = now;
        if (now == before && atomic_load_explicit(&thread->remote, memory_order_relaxed) != NULL) release_heap(thread);
    }
    if (keeps_off) tt_compact_carry_on();
}
