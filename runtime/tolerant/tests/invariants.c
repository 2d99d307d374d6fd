/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "invariants.h"

#include <stdio.h>
#include <string.h>

#include "tolerant/allocate.h"
#include "tolerant/page.h"
#include "tolerant/recent.h"
#include "tolerant/thread.h"

/* Of bin.c: on which of its bin's lists a page is. */
enum list { UNLISTED, ROOM, ROOM_HALF, EMPTY };

static unsigned broken;

static void expect_at(bool holds, int line, const char *what, const void *where, long a, long b) {
    if (holds) return;
    if (broken++ < 20) printf("invariants.c:%d: does not hold of %p (%ld, %ld): %s\n", line, where, a, b, what);
}
#define EXPECT(condition, where, a, b) expect_at(condition, __LINE__, #condition, where, (long)(a), (long)(b))

static bool bit(const uint64_t *bits, size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }

static unsigned remote_count(struct tt_segment *segment, const struct tt_page *page) {
    unsigned count = 0;
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) count += tt_count_bits(tt_page_freed_remotely(segment, page, w));
    return count;
}

static uint32_t dead_about(const struct tt_page *page) {
    if (page->listed == ROOM) return (uint32_t)page->slots * 5 / 16 + 1;
    return page->listed == ROOM_HALF ? (uint32_t)page->slots * 3 / 4 + 1 : 0;
}

/* Pages of the bin's as they are met in the walk over all pages; compared with what the bin says. */
#define BINS_MOST 65536
static struct met {
    const struct tt_bin *bin;
    uint32_t pages, room, empty, dead;
} met[BINS_MOST];

static struct met *met_of(const struct tt_bin *bin) {
    size_t i = ((uintptr_t)bin >> 6) * UINT64_C(0x9E3779B97F4A7C15) >> 48;
    while (met[i].bin != NULL && met[i].bin != bin) i = (i + 1) % BINS_MOST;
    met[i].bin = bin;
    return &met[i];
}

static void check_bits(struct tt_segment *segment, const struct tt_page *page) {
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
        uint64_t valid = page->slots >= (w + 1) * 64 ? ~(uint64_t)0
                         : page->slots > w * 64      ? ((uint64_t)1 << (page->slots - w * 64)) - 1
                                                     : 0;
        uint64_t remote = page->kind == TT_PAGE_SLOTS ? tt_page_freed_remotely(segment, page, w) : 0;
        EXPECT((page->free[w] & ~valid) == 0, page, w, page->slots);
        EXPECT((remote & ~valid) == 0, page, w, page->slots);
        EXPECT((remote & page->free[w]) == 0, page, w, page->slots);
    }
}

/* What the bin hands out next, if that is not claimed: a word of a page of its own. */
static void check_word(const struct tt_bin *bin) {
    if (bin->word == &bin->mask) return;
    const struct tt_page *page = (const struct tt_page *)((uintptr_t)bin->word & ~(uintptr_t)(sizeof(struct tt_page) - 1));
    EXPECT(page->kind == TT_PAGE_SLOTS && page->bin == bin && page->listed != EMPTY, page, page->kind, page->listed);
    EXPECT(bin->word >= page->free && bin->word < page->free + TT_SLOT_WORDS, page, bin->word - page->free, 0);
    EXPECT(bin->base == tt_page_base(page) + (size_t)(bin->word - page->free) * 64 * bin->size, page, 0, 0);
    EXPECT(bin->mask == 0, bin, 0, 0);
}

/* What the bin has claimed is neither free nor another's. */
static void check_claims(const struct tt_bin *bin) {
    const struct tt_page *page = bin->claimed;
    if (bin->mask == 0) return;
    EXPECT(bin->word == &bin->mask && bin->frees != TT_FREES_PLAIN && page != NULL, bin, bin->frees, 0);
    if (page == NULL) return;
    size_t w = bin->claimed_slot / 64;
    EXPECT(page->bin == bin && page->kind == TT_PAGE_SLOTS && page->listed != EMPTY, page, page->kind, page->listed);
    EXPECT(bin->base == tt_page_base(page) + bin->claimed_slot * bin->size && bin->claimed_slot < page->slots, page, bin->claimed_slot, 0);
    EXPECT(bin->frees == TT_FREES_CLAIMED && bin->claimed_slot % 64 == 0 && page == bin->page, page, bin->mask, bin->frees);
    uint64_t free = page->free[w] | tt_page_freed_remotely(tt_page_segment(page), page, (unsigned)w);
    EXPECT((tt_bin_claims(bin, page, w) & free) == 0, page, w, 0);
}

/* What was freed last is free, and of a page of the bin's. */
static void check_recent(const struct tt_bin *bin) {
    if (tt_recent_is_empty(bin)) return;
    EXPECT(bin->frees == TT_FREES_RECENT && bin->recent->none.object == NULL, bin, bin->frees, 0);
    EXPECT(bin->recent_last <= bin->recent_full && bin->recent_full == &bin->recent->slots[TT_RECENT_MOST - 1], bin, 0, 0);
    for (const struct tt_recent_slot *slot = bin->recent->slots; slot <= bin->recent_last; slot++) {
        const struct tt_page *page = tt_page_of_word(slot->word);
        size_t at = (size_t)(slot->word - page->free) * 64 + (size_t)__builtin_ctzll(slot->bit);
        EXPECT(page->kind == TT_PAGE_SLOTS && page->bin == bin && page->listed != EMPTY, page, page->kind, page->listed);
        EXPECT(slot->word >= page->free && slot->word < page->free + TT_SLOT_WORDS && at < page->slots, page, at, 0);
        EXPECT(slot->object == tt_page_base(page) + at * bin->size, page, at, 0);
        EXPECT((slot->bit & (slot->bit - 1)) == 0 && (*slot->word & slot->bit) != 0, page, at, 0);
        for (const struct tt_recent_slot *other = bin->recent->slots; other < slot; other++)
            EXPECT(other->object != slot->object, page, at, 0);
    }
}

/* Slots of the page that were freed last, of which it was not told yet. */
static unsigned recent_count(const struct tt_bin *bin, const struct tt_page *page) {
    unsigned count = 0;
    if (tt_recent_is_empty(bin)) return 0;
    for (const struct tt_recent_slot *slot = bin->recent->slots; slot <= bin->recent_last; slot++) count += tt_page_of_word(slot->word) == page;
    return count;
}

static void check_slots(struct tt_segment *segment, size_t at, bool whole) {
    struct tt_page *page = &segment->pages[at];
    struct tt_bin *bin = page->bin;
    EXPECT(bin != NULL, page, at, 0);
    if (bin == NULL) return;
    EXPECT(page->size == bin->size, page, page->size, bin->size);
    EXPECT(page->slots == page->span * TT_PAGE_BYTES / page->size, page, page->slots, page->size);
    EXPECT(page->reciprocal == (uint32_t)((((uint64_t)1 << 32) + page->size - 1) / page->size), page, page->size, 0);
    for (size_t i = 0; i < page->span; i++)
        EXPECT(atomic_load(&segment->heaps[at + i]) == tt_heap_word(bin->thread, i, bin->size_class), page, at, i);
    check_bits(segment, page);
    struct met *seen = met_of(bin);
    unsigned free = tt_page_free(page);
    bool pending = atomic_load(&segment->remotes[at].pending) != 0;
    seen->pages += page->span;
    seen->dead += dead_about(page);
    seen->room += page->listed == ROOM || page->listed == ROOM_HALF;
    seen->empty += page->listed == EMPTY;
    if (whole) EXPECT(pending || remote_count(segment, page) == 0, page, at, remote_count(segment, page));
    if (page == bin->page) {
        EXPECT(page->listed == UNLISTED, page, page->listed, 0);
        return;
    }
    unsigned recent = recent_count(bin, page);
    EXPECT((page->listed == EMPTY) == (free == page->slots && recent == 0), page, page->listed, free);
    if (page->listed == EMPTY) {
        EXPECT(page->run != 0 && page->former == 0, page, page->run, page->former);
    } else {
        EXPECT(page->until > 0 && page->until <= page->slots - free + recent, page, page->until, page->slots - free);
    }
}

/* Of a run; returns its pages. */
static size_t check_run(struct tt_segment *segment, size_t at, bool whole) {
    struct tt_run *run = &segment->runs[at];
    unsigned spans = run->span == 0 ? 0 : run->pages / run->span, live = 0;
    EXPECT(run->span != 0 && run->pages % run->span == 0 && at + run->pages <= TT_SEGMENT_PAGES, run, run->pages, run->span);
    EXPECT(run->bin != NULL && run->started <= spans, run, run->started, spans);
    for (unsigned i = 0; i < spans; i++) {
        size_t first = at + i * run->span;
        struct tt_page *page = &segment->pages[first];
        for (size_t k = 0; k < run->span; k++) {
            EXPECT(segment->pages[first + k].back == k && bit(segment->used, first + k), page, segment->pages[first + k].back, k);
            EXPECT(segment->pages[first + k].kind == TT_PAGE_SLOTS, page, segment->pages[first + k].kind, k);
        }
        EXPECT(page->run == at + 1, page, page->run, at + 1);
        if (i >= run->started) {
            EXPECT(page->slots == 0 && atomic_load(&segment->heaps[first]) == 0, page, page->slots, i);
            continue;
        }
        EXPECT(page->span == run->span, page, page->span, run->span);
        check_slots(segment, first, whole);
        live += page->listed != EMPTY;
    }
    EXPECT(run->live == live, run, run->live, live);
    return run->pages;
}

static void check_sample(struct tt_segment *segment, const struct tt_page *page) {
    check_bits(segment, page);
    EXPECT(page->sample.free == tt_page_free(page), page, page->sample.free, tt_page_free(page));
    EXPECT((page->sample.free != 0) == (page->listed != 0), page, page->sample.free, page->listed);
    EXPECT((page->sample.free == page->slots) == (page->probe != 0), page, page->sample.free, page->probe);
}

/* Of what begins at a page that is used; returns its pages. */
static size_t check_span(struct tt_segment *segment, size_t at, bool whole) {
    struct tt_page *page = &segment->pages[at];
    EXPECT(page->back == 0 && page->span > 0 && at + page->span <= segment->pages_mapped, page, page->back, page->span);
    if (page->back != 0 || page->span == 0) return 1;
    for (size_t i = 0; i < page->span; i++) {
        EXPECT(bit(segment->used, at + i) && segment->pages[at + i].back == i, page, at, i);
        EXPECT(segment->pages[at + i].kind == page->kind, page, at, i);
        EXPECT(page->kind == TT_PAGE_LARGE || segment->sharing[at + i] == 0, page, at, i);
        if (page->kind != TT_PAGE_SLOTS) EXPECT(atomic_load(&segment->heaps[at + i]) == 0, page, at, i);
    }
    EXPECT(page->run == 0, page, page->run, 0);
    if (page->kind == TT_PAGE_SLOTS) check_slots(segment, at, whole);
    if (page->kind == TT_PAGE_SAMPLE) check_sample(segment, page);
    if (page->kind == TT_PAGE_LARGE) EXPECT(atomic_load(&page->large.views) <= TT_VIEWS_SOME, page, at, atomic_load(&page->large.views));
    if (page->kind == TT_PAGE_LARGE)
        EXPECT(page->large.base == (uintptr_t)tt_page_base(page) && page->size == page->span, page, page->size, page->span);
    EXPECT(page->kind != TT_PAGE_FREE, page, at, 0);
    return page->span;
}

static void check_segment(struct tt_segment *segment, bool whole, size_t *used, size_t *dirty) {
    size_t free = 0, of_used = 0, first_free = TT_SEGMENT_PAGES;
    for (size_t i = 0; i < segment->pages_mapped; i++) {
        EXPECT(!(bit(segment->used, i) && bit(segment->dirty, i)), segment, i, 0);
        *dirty += bit(segment->dirty, i) * TT_PAGE_BYTES;
        of_used += bit(segment->used, i);
        if (bit(segment->used, i)) continue;
        if (free++ == 0) first_free = i;
        EXPECT(segment->pages[i].kind == TT_PAGE_FREE && segment->pages[i].back == 0, segment, i, segment->pages[i].kind);
        EXPECT(atomic_load(&segment->heaps[i]) == 0 && segment->sharing[i] == 0, segment, i, segment->sharing[i]);
        EXPECT(segment->runs[i].pages == 0, segment, i, segment->runs[i].pages);
    }
    *used += of_used * TT_PAGE_BYTES;
    EXPECT(segment->free_pages == free, segment, segment->free_pages, free);
    EXPECT(segment->first_free <= first_free, segment, segment->first_free, first_free);
    for (size_t i = 0; i < segment->pages_mapped;) {
        if (!bit(segment->used, i))
            i++;
        else
            i += segment->runs[i].pages != 0 ? check_run(segment, i, whole) : check_span(segment, i, whole);
    }
}

static void check_lists(const struct tt_bin *bin, const struct met *seen) {
    uint32_t room = 0, empty = 0;
    const struct tt_page *before = NULL;
    for (const struct tt_page *page = bin->room; page != NULL && room <= seen->room; before = page, page = page->next, room++)
        EXPECT(page->bin == bin && page->previous == before && (page->listed == ROOM || page->listed == ROOM_HALF), page,
               page->listed, room);
    before = NULL;
    for (const struct tt_page *page = bin->empty; page != NULL && empty <= seen->empty; before = page, page = page->next, empty++)
        EXPECT(page->bin == bin && page->previous == before && page->listed == EMPTY, page, page->listed, empty);
    EXPECT(room == seen->room, bin, room, seen->room);
    EXPECT(empty == seen->empty && empty == bin->empty_pages, bin, empty, bin->empty_pages);
}

static void check_bin(const struct tt_bin *bin) {
    struct met *seen = met_of(bin);
    EXPECT(bin->pages == seen->pages, bin, bin->pages, seen->pages);
    EXPECT(bin->dead == seen->dead, bin, bin->dead, seen->dead);
    EXPECT(bin->page == NULL || bin->page->bin == bin, bin, 0, 0);
    check_claims(bin);
    check_recent(bin);
    check_word(bin);
    check_lists(bin, seen);
    if (bin->run_left == 0) return;
    struct tt_segment *segment = tt_page_segment(bin->run_next);
    size_t next = tt_page_index(segment, bin->run_next);
    struct tt_run *run = &segment->runs[bin->run_next->run - 1];
    EXPECT(run->bin == bin && run->span == bin->run_span, bin, run->span, bin->run_span);
    EXPECT(next + bin->run_left * bin->run_span == (size_t)(run - segment->runs) + run->pages, bin, next, bin->run_left);
}

static void check_remote(struct tt_thread *thread) {
    size_t count = 0;
    struct tt_page *page = atomic_load(&thread->remote);
    for (; page != NULL && count < 10000000; count++) {
        struct tt_segment *segment = tt_page_segment(page);
        struct tt_remote *remote = &segment->remotes[tt_page_index(segment, page)];
        EXPECT(atomic_load(&remote->pending) == 1, page, atomic_load(&remote->pending), 0);
        page = remote->next;
    }
    EXPECT(page == NULL, thread, count, 0);
    EXPECT(thread->freed_count < TT_FREED_MOST, thread, thread->freed_count, 0);
}

unsigned broken_invariants(bool whole) {
    size_t used = 0, dirty = 0;
    broken = 0;
    memset(met, 0, sizeof met);
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older) check_segment(s, whole, &used, &dirty);
    EXPECT(atomic_load(&tt_pages_now.used) == used, NULL, atomic_load(&tt_pages_now.used), used);
    EXPECT(atomic_load(&tt_pages_now.dirty) == dirty, NULL, atomic_load(&tt_pages_now.dirty), dirty);
    for (struct tt_thread *thread = tt_threads_first(); thread != NULL; thread = thread->next) {
        for (unsigned i = 0; i < thread->common_count; i++) check_bin(&thread->common[i]);
        for (unsigned i = 0; i < TT_SITE_BIN_SLOTS; i++)
            for (struct tt_bin *bin = thread->site_bins[i]; bin != NULL; bin = bin->next_in_slot) check_bin(bin);
        check_remote(thread);
    }
    return broken;
}

static bool is_claimed(const struct tt_page *page, unsigned slot) {
    return (tt_bin_claims(page->bin, page, slot / 64) >> (slot % 64) & 1) != 0;
}

bool is_taken(const void *object) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment == NULL) return true;
    size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    struct tt_page *page = &segment->pages[index - segment->pages[index].back];
    if (page->kind == TT_PAGE_LARGE) return page->large.base == (uintptr_t)object;
    if (page->kind == TT_PAGE_FREE) return false;
    unsigned slot = tt_slot_at(page, (size_t)((const unsigned char *)object - tt_page_base(page)));
    if (slot >= page->slots || bit(page->free, slot)) return false;
    if (page->kind == TT_PAGE_SAMPLE) return true;
    return (tt_page_freed_remotely(segment, page, slot / 64) >> (slot % 64) & 1) == 0 && !is_claimed(page, slot);
}
