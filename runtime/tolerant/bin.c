/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Where a bin's next slots come from.
 *
 * The common bins, and those of sites that have few pages yet, reuse slots as soon as a sixteenth of a page is free. A
 * larger bin of a site is segregated by age (papers/004…, §3.2): it fills a page once and takes it again only when all
 * its objects are dead. What that costs is bounded, or the pages in use would be twice as many as they need be:
 *
 *   - while more than a share of the bin's memory is dead slots, it fills the youngest page with room;
 *   - a bin that gives out slots and does not grow has no leak to keep apart, and fills whatever has room;
 *   - a bin whose objects die takes over pages with room from other sites' bins of its size, while they
 *     have more than their share of dead slots: a site that is done, such as what loads a program's data,
 *     leaves objects on pages that nobody else would fill.
 *
 * Pages that are known to be cold are never filled: what is on them may well be leaked.
 *
 * A bin that fills dead slots, and of which little is cold, hands out first what was freed last (recent.h). So what a
 * program replaces stays where it was: what is used more than the rest stays on few pages, and is in the caches.
 */
#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/allocate.h"
#include "tolerant/cold.h"
#include "tolerant/compact.h"
#include "tolerant/harden.h"
#include "tolerant/misuse.h"
#include "tolerant/option.h"
#include "tolerant/recent.h"
#include "tolerant/remote.h"
#include "tolerant/sample.h"
#include "tolerant/site.h"

#define NEVER UINT16_MAX
/* Pages that a heap takes, and the part of all in use, before it looks again for current pages that hold nothing; and
 * slots of its table of sites' bins that it looks at for each page until then. */
#define LEFT_PAGES_LEAST 4
#define FREE_PAGES_ENOUGH 8
#define LEFT_PART 32
#define LEFT_SLOTS 2
#define RUN_PAGES_LEAST 32
#define RUN_PART 8
#define RUN_ALL_PAGES 1280
#define SMALL_SPANS 8
#define SLOW_TIMES 4
/* A smaller bin fills what is dead before it takes more pages. */
#define AGED_PAGES_LEAST 256
#define RUN_PAGES_MOST 512
#define RUN_SHARE 8
/* A bin is judged each time it gave out as many slots as it has, so many times over; it is steady if it grew by no more
 * than one part in so many meanwhile. */
#define EPOCH_TIMES 2
#define STEADY_PART 16
/* A bin takes over pages once it is known that objects of it die: so many on its first pages, where each free is
 * counted. */
#define PROBES 16
#define DEATHS_KNOWN 16
/* What looks like part of a leak: no more than one in so many of a run's slots is dead, nor of its bin's was used
 * again. */
#define DIED_PART 16
/* Bins, and pages of one, that are looked at for one to take over; and cold pages that are passed over at a time. */
#define BINS_TRIED 64
#define PAGES_TRIED 4
#define COLD_PASSED 16
/* The clock is read each time a bin takes a fresh page, and once in so many refills: what is steady takes none. */
#define REFILLS_BETWEEN_TICKS 64
#define SPAN_PAGES_MOST 32
/* Refills that found few slots, as far as they count; one that found many takes such a part of them away. */
#define THIN_MOST 64u
#define THICK_PART 8
#define GROWN_SPAN_MOST 4
/* How long empty pages keep their frames, and how many may. */
#define PERIOD_MILLISECONDS 1000
#define EMPTY_PAGES_MOST 4096u

enum list { UNLISTED, ROOM, ROOM_HALF, EMPTY };

/* Pages of a span for slots of this size: the fewest that waste a sixteenth at most. */
static unsigned span_pages(size_t size) {
    unsigned pages = 1;
    while (pages < SPAN_PAGES_MOST) {
        size_t bytes = pages * TT_PAGE_BYTES;
        if (bytes >= size && bytes % size * 16 <= bytes) return pages;
        pages++;
    }
    return pages;
}

void tt_bin_init(struct tt_bin *bin, struct tt_thread *thread, unsigned size_class, struct tt_site *site) {
    *bin = (struct tt_bin){.size = tt_class_size(size_class), .site = site, .thread = thread};
    bin->size_class = (uint8_t)size_class;
    bin->word = &bin->mask;
}

/* Whether the bin keeps ages apart. */
static bool is_aged(const struct tt_bin *bin) { return bin->pages >= AGED_PAGES_LEAST; }

/* Free slots from which on a page is one with room: few where that saves memory, but not so few that every second free
 * moves pages about where the bin is small and it saves next to nothing. */
static uint16_t first_trigger(const struct tt_page *page) {
    bool small = page->bin->pages < SMALL_SPANS * page->span;
    unsigned part = small ? 8 : 16;
    unsigned trigger = page->slots / part + 1u;
    if (small && trigger < 2) trigger = 2;
    return (uint16_t)trigger;
}
static uint16_t half_trigger(const struct tt_page *page) { return (uint16_t)(page->slots / 2 + 1); }

/* Free slots of a listed page, about: it is between one trigger and the next. */
static uint32_t dead_about(const struct tt_page *page) {
    if (page->listed == ROOM) return (uint32_t)page->slots * 5 / 16 + 1;
    return page->listed == ROOM_HALF ? (uint32_t)page->slots * 3 / 4 + 1 : 0;
}

static void unlink_page(struct tt_bin *bin, struct tt_page *page) {
    struct tt_page **head = page->listed == EMPTY ? &bin->empty : &bin->room;
    if (page->previous != NULL)
        page->previous->next = page->next;
    else
        *head = page->next;
    if (page->next != NULL) page->next->previous = page->previous;
    if (page->listed == EMPTY && --bin->empty_pages < bin->empty_low) bin->empty_low = bin->empty_pages;
    bin->dead -= dead_about(page);
    page->listed = UNLISTED;
}

static void link_page(struct tt_bin *bin, struct tt_page *page, enum list list) {
    struct tt_page **head = list == EMPTY ? &bin->empty : &bin->room;
    page->previous = NULL;
    page->next = *head;
    if (page->next != NULL) page->next->previous = page;
    *head = page;
    page->listed = (uint8_t)list;
    if (list == EMPTY) bin->empty_pages++;
    bin->dead += dead_about(page);
}

static struct tt_run *run_of(struct tt_page *page) {
    return page->run == 0 ? NULL : &tt_page_segment(page)->runs[page->run - 1];
}

static size_t run_spans(const struct tt_run *run, const struct tt_page *page) { return run->pages / page->span; }

/* Whether the bin is to have runs: it has pages enough to tell the old from the young. */
static bool has_runs(const struct tt_bin *bin) {
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) / TT_PAGE_BYTES;
    return bin->pages >= RUN_PAGES_LEAST && (used >= RUN_ALL_PAGES || bin->pages >= used / RUN_PART);
}

/* Gives back a run none of whose pages holds an object; false if it must be kept. */
static bool give_run(struct tt_bin *bin, struct tt_page *first) {
    struct tt_segment *segment = tt_page_segment(first);
    size_t at = first->run - 1;
    struct tt_run *run = &segment->runs[at];
    size_t span = first->span;
    if (!tt_compact_keep_off()) return false;
    if (!tt_compact_restore(segment, at, run->pages)) {
        tt_compact_carry_on();
        return false;
    }
    for (size_t i = 0; i < run_spans(run, first); i++) {
        struct tt_page *page = &segment->pages[at + i * span];
        if (page->listed != UNLISTED) unlink_page(page->bin, page);
        page->bin->pages -= page->span;
    }
    segment->pages[at].span = run->pages;
    struct tt_bin *reserved = run->bin; /* which may have filled it last */
    if (reserved->run_left == 0 && reserved->run_next == &segment->pages[at] + run->pages) reserved->run_next = NULL;
    run->pages = 0;
    tt_compact_carry_on();
    if (!has_runs(bin)) bin->handed_small = bin->handed;
    tt_pages_give(&segment->pages[at]);
    return true;
}

/* Empty pages that a bin keeps in any case. */
static uint32_t empty_kept(const struct tt_bin *bin) { return bin->pages / bin->span / 16; }

/* Empty pages of runs that hold objects elsewhere keep their frames until a period has passed in which so many were not
 * used. Those that were used last are first in the list. */
static void discard_empty(struct tt_bin *bin) {
    uint64_t now = tn_clock_coarse_milliseconds();
    uint32_t most = (EMPTY_PAGES_MOST + bin->pages / 4) / bin->span;
    if (bin->empty_many < most) bin->empty_many = most;
    bool many = bin->empty_pages > bin->empty_many;
    if (!many && now - bin->period_start < PERIOD_MILLISECONDS) return;
    uint32_t used = many ? EMPTY_PAGES_MOST / 2 / bin->span : bin->empty_pages - bin->empty_low;
    if (used < empty_kept(bin)) used = empty_kept(bin);
    if (!tt_compact_keep_off()) return;
    bool plain = tn_space_page_size() <= TT_PAGE_BYTES;
    for (struct tt_page *page = bin->empty; page != NULL; page = page->next) {
        if (used > 0) {
            used--;
        } else {
            if (page->clean) break; /* as are all that were used before it */
            page->clean = tn_space_discard(tt_page_base(page), page->span * TT_PAGE_BYTES) && plain;
        }
    }
    tt_compact_carry_on();
    /* The next so many are not looked for before there are as many more. */
    bin->empty_many = many ? bin->empty_pages + EMPTY_PAGES_MOST / 2 / bin->span : 0;
    bin->period_start = now;
    bin->empty_low = bin->empty_pages;
}

/* No slot of the page, which leaves the bin or holds nothing, is to be handed out before it is taken up again. */
static void forget_freed(struct tt_bin *bin, struct tt_page *page) {
    if (bin->claimed == page) bin->claimed = NULL;
    tt_recent_forget(bin, page);
    if (bin->word >= page->free && bin->word < page->free + TT_SLOT_WORDS) bin->word = &bin->mask;
}

/* A page of which no slot is live and that is not the bin's current one. */
static void page_emptied(struct tt_bin *bin, struct tt_page *page) {
    forget_freed(bin, page);
    if (page->listed != UNLISTED) unlink_page(bin, page);
    page->until = NEVER;
    page->former = page->probe = 0;
    struct tt_run *run = run_of(page);
    if (run == NULL) {
        bin->pages -= page->span;
        tt_pages_give(page);
        return;
    }
    link_page(bin, page, EMPTY);
    run->live--;
    if (bin->empty_pages <= empty_kept(bin)) return;
    if (run->live == 0 && run->started == run_spans(run, page) && give_run(bin, page)) return;
    discard_empty(bin);
}

/* Counts what was freed on a page of the bin's first, until there is room on it. */
static void count_deaths(struct tt_bin *bin, struct tt_page *page, unsigned free) {
    if (free + 1 > page->probe && bin->deaths < DEATHS_KNOWN) bin->deaths = (uint16_t)(bin->deaths + free + 1 - page->probe);
    page->probe = (uint16_t)(free + 1);
    if (free >= first_trigger(page) || bin->deaths >= DEATHS_KNOWN) page->probe = 0;
}

void tt_page_place(struct tt_bin *bin, struct tt_page *page) {
    enum list list = UNLISTED;
    /* A notice of remote frees that were all taken in before it came. */
    if (page->listed == EMPTY) return;
    unsigned free = tt_page_free(page), next = page->slots;
    if (free >= page->slots) {
        page_emptied(bin, page);
        return;
    }
    if (page->probe != 0) count_deaths(bin, page, free);
    unsigned first = page->probe != 0 ? page->probe : first_trigger(page), half = half_trigger(page);
    if (free >= half && bin->site != NULL) {
        list = ROOM_HALF;
    } else if (free >= first) {
        list = ROOM;
        if (bin->site != NULL && half < next) next = half;
    } else if (first < next) {
        next = first;
    }
    page->until = (uint16_t)(next - free);
    if (page->listed == (uint8_t)list) return;
    if (page->listed != UNLISTED && list != UNLISTED && !is_aged(bin)) {
        /* It keeps its place: what is nearly empty is not filled before what is nearly full. */
        bin->dead -= dead_about(page);
        page->listed = (uint8_t)list;
        bin->dead += dead_about(page);
        return;
    }
    if (page->listed != UNLISTED) unlink_page(bin, page);
    if (list != UNLISTED) link_page(bin, page, list);
}

void tt_page_triggered(struct tt_page *page) {
    if (page == page->bin->page)
        page->until = NEVER;
    else
        tt_page_place(page->bin, page);
}

/* Gives the bin's current page back if it holds no object. */
static void leave_page(struct tt_bin *bin) {
    struct tt_page *page = bin->page;
    if (page == NULL || bin->frees == TT_FREES_CLAIMED || tt_page_free(page) != page->slots) return;
    bin->page = NULL;
    bin->word = &bin->mask;
    page_emptied(bin, page);
}

/* Gives the frames of empty pages back, which belong to runs that hold objects elsewhere. */
static void leave_empty(struct tt_bin *bin) {
    if (bin->empty == NULL || bin->empty->clean || tn_space_page_size() > TT_PAGE_BYTES || !tt_compact_keep_off()) return;
    for (struct tt_page *page = bin->empty; page != NULL && !page->clean; page = page->next)
        page->clean = tn_space_discard(tt_page_base(page), page->span * TT_PAGE_BYTES);
    tt_compact_carry_on();
}

/* Bins of sites that are done with their objects give their current pages back, and the frames of empty ones: those of
 * the next so many slots of the heap's table. */
static void leave_site_bins(struct tt_thread *thread, unsigned slots) {
    for (unsigned i = 0; i < slots && thread->has_sites; i++)
        for (struct tt_bin *bin = thread->site_bins[thread->leave_next++ % TT_SITE_BIN_SLOTS]; bin != NULL; bin = bin->next_in_slot) {
            leave_page(bin);
            leave_empty(bin);
        }
}

/* So do all of the heap's bins. */
static void leave_bins(struct tt_thread *thread) {
    if (thread->has_recent) tt_heap_forget_recent(thread);
    for (unsigned c = 0; c < thread->common_count; c++) leave_page(&thread->common[c]);
    leave_site_bins(thread, TT_SITE_BIN_SLOTS);
}

void tt_heap_leave(struct tt_thread *thread) {
    tt_heap_collect(thread);
    leave_bins(thread);
}

/* Before the process comes to use more memory than it ever did. */
static void leave_pages(struct tt_thread *thread, size_t pages) {
    /* A span is mostly found among pages that are free and have frames. */
    size_t enough = (FREE_PAGES_ENOUGH + pages) * TT_PAGE_BYTES;
    bool fresh = pages >= RUN_PAGES_LEAST || atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) < enough;
    if (tt_pages_within_most(fresh ? TT_PAGE_BYTES : 0)) return;
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    if (used < thread->leave_at) {
        leave_site_bins(thread, LEFT_SLOTS);
        return;
    }
    leave_bins(thread);
    tt_threads_leave_idle();
    tt_samples_leave();
    used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    thread->leave_at = used + used / LEFT_PART + LEFT_PAGES_LEAST * TT_PAGE_BYTES;
}

/* The bits of a page's word that stand for slots. */
static uint64_t valid_bits(const struct tt_page *page, unsigned w) {
    if (page->slots >= (w + 1) * 64) return ~(uint64_t)0;
    return page->slots > w * 64 ? ((uint64_t)1 << (page->slots - w * 64)) - 1 : 0;
}

static size_t bin_bytes(const struct tt_bin *bin) { return (size_t)bin->pages * TT_PAGE_BYTES; }

/* Notes how many slots a refill found. */
static void note_found(struct tt_thread *thread, unsigned found, unsigned slots) {
    if (2 * found > (slots < 64 ? slots : 64))
        thread->thin -= (thread->thin + THICK_PART - 1) / THICK_PART;
    else if (thread->thin < THIN_MOST)
        thread->thin++;
    thread->replaces = thread->thin > (thread->replaces ? THIN_MOST / 4 : THIN_MOST / 2);
}

/* Claims these free slots, and no others of their word. */
static void claim(struct tt_bin *bin, unsigned w, uint64_t bits) {
    struct tt_page *page = bin->page;
    tt_bits_set(&page->free[w], page->free[w] & ~bits);
    bin->taken += tt_count_bits(bits);
    bin->base = tt_page_base(page) + w * 64 * bin->size;
    bin->mask = bits;
    bin->word = &bin->mask;
    bin->claimed = page;
    bin->claimed_slot = (uint16_t)(w * 64);
    bin->frees = TT_FREES_CLAIMED;
    note_found(bin->thread, tt_count_bits(bits), page->slots);
}

/* Judges the bin's growth, if it is time. */
static void judge_growth(struct tt_bin *bin) {
    if ((bin->taken - bin->epoch_taken) * bin->size < EPOCH_TIMES * bin_bytes(bin)) return;
    bin->steady = bin->epoch_pages != 0 && bin->pages <= bin->epoch_pages + bin->epoch_pages / STEADY_PART;
    bin->epoch_taken = bin->taken;
    bin->epoch_pages = bin->pages;
}

/* Whether what is freed is to be handed out at once: where a thread's bins keep finding few slots in many places, as in
 * a program that replaces objects at random; one bin is as the next, so that the processor foresees it. Not beside what
 * may have leaked, and not in a site's bin that grows: its pages are to hold objects of one age. */
static bool hands_out_recent(struct tt_bin *bin) {
    if (!bin->thread->replaces || __atomic_load_n(&bin->cold, __ATOMIC_RELAXED) || tt_bin_is_cold(bin)) return false;
    if (bin->site != NULL) judge_growth(bin);
    if (bin->site != NULL && !bin->steady) return false;
    if (bin->recent == NULL && !tt_recent_make(bin)) return false;
    bin->deaths = DEATHS_KNOWN; /* which are not counted from now on */
    return true;
}

void tt_bin_note_replaces(struct tt_bin *bin) {
    if (bin->frees == TT_FREES_PLAIN && bin->page != NULL && bin->word != &bin->mask && !is_aged(bin) && hands_out_recent(bin)) bin->frees = TT_FREES_RECENT;
}

/* Hands out from the first word of a page of the bin's that has free slots. What is freed there meanwhile is handed out
 * next. */
static bool find_word(struct tt_bin *bin, struct tt_page *page) {
    if (bin->claimed != page) bin->claimed = NULL;
    for (unsigned w = 0; w * 64 < page->slots; w++) {
        if (page->free[w] == 0) continue;
        unsigned found = tt_count_bits(page->free[w]);
        bin->taken += found;
        bin->base = tt_page_base(page) + w * 64 * bin->size;
        bin->word = &page->free[w];
        note_found(bin->thread, found, page->slots);
        bin->frees = hands_out_recent(bin) ? TT_FREES_RECENT : TT_FREES_PLAIN;
        return true;
    }
    return false;
}

/* The next step of filling a fresh page: what was freed behind it stays. */
static bool claim_fresh(struct tt_bin *bin) {
    struct tt_page *page = bin->page;
    uint64_t before = ((uint64_t)1 << page->first_slot) - 1;
    while (bin->step < TT_BUMP_STEPS) {
        unsigned step = bin->step++, w = step % TT_SLOT_WORDS;
        if (step * 64 >= page->slots && step != 0) {
            /* The words that a page has are behind; what is left is what lies before its first slot, if anything
             * does. */
            bin->step = TT_BUMP_STEPS;
            if (before == 0) return false;
            w = 0;
        }
        uint64_t bits = page->free[w];
        if (w == 0) bits &= step == 0 ? ~before : before;
        if (bits == 0) continue;
        claim(bin, w, bits);
        return true;
    }
    return false;
}

/* Makes a page without objects, all of whose slots are free, the current one. That of a site with runs is filled from
 * slot `from` on, which is below 64, and all of it once, so that it holds what is of one age. */
static void start_page(struct tt_bin *bin, struct tt_page *page, unsigned from, uint64_t milliseconds) {
    page->first_slot = (uint8_t)from;
    page->until = NEVER;
    page->born = (uint32_t)(milliseconds / 1000);
    page->clean = 0;
    bin->page = page;
    bin->step = bin->site != NULL && has_runs(bin) ? 0 : TT_BUMP_STEPS;
    if (bin->step == 0)
        (void)claim_fresh(bin);
    else
        (void)find_word(bin, bin->page);
}

static uint32_t reciprocal_of(size_t size) { return (uint32_t)((((uint64_t)1 << 32) + size - 1) / size); }

/* Describes a page that the bin has just got, but for what all pages of a run have. */
static void adopt_page(struct tt_bin *bin, struct tt_page *page, unsigned span, unsigned slots) {
    page->bin = bin;
    page->slots = (uint16_t)slots;
    page->span = (uint16_t)span;
    page->listed = UNLISTED;
    page->next = page->previous = NULL;
    page->former = page->probe = 0;
    if (bin->site != NULL && bin->probes < PROBES) {
        bin->probes++;
        page->probe = 1;
    }
    bin->pages += span;
#if defined(TT_HARDENED)
    tt_harden_page(tt_page_base(page), bin->size, slots);
#endif
    struct tt_segment *segment = tt_page_segment(page);
    size_t at = tt_page_index(segment, page);
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) tt_bits_set(&page->free[w], valid_bits(page, w));
    if (atomic_load_explicit(&segment->freed_remotely, memory_order_relaxed))
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++)
            atomic_store_explicit(&segment->remotes[at].freed[w], 0, memory_order_relaxed);
    for (size_t i = 0; i < span; i++)
        atomic_store_explicit(&segment->heaps[at + i], tt_heap_word(bin->thread, i, bin->size_class), memory_order_release);
}

/* Found at the bin's first page: most bins of a heap never have one. */
static unsigned span_of(struct tt_bin *bin) {
    if (bin->span == 0) bin->span = (uint8_t)span_pages(bin->size);
    return bin->span;
}

/* Pages of the next span of a bin without runs: half as many as it has, up to those that hold a word's slots, so that a
 * small bin's next slot is mostly in the word that it is at. Longer spans seldom come to be empty. */
static unsigned next_span(struct tt_bin *bin) {
    unsigned least = span_of(bin);
    size_t most = 64 * bin->size / TT_PAGE_BYTES;
    if (most > GROWN_SPAN_MOST) most = GROWN_SPAN_MOST;
    unsigned span = bin->pages / 2 < most ? bin->pages / 2 : (unsigned)most;
    return span < least ? least : span - span % least;
}

static bool new_page(struct tt_bin *bin, uint64_t milliseconds) {
    unsigned span = next_span(bin);
    leave_pages(bin->thread, span);
    bool zero;
    struct tt_page *page = tt_pages_take(span, 1, TT_PAGE_SLOTS, &zero);
    if (page == NULL) return false;
    page->kind = TT_PAGE_SLOTS;
    page->size = (uint32_t)bin->size;
    uint32_t reciprocal = reciprocal_of(bin->size);
    for (size_t i = 0; i < span; i++) page[i].reciprocal = reciprocal;
    adopt_page(bin, page, span, (unsigned)(span * TT_PAGE_BYTES / bin->size));
    start_page(bin, page, 0, milliseconds);
    return true;
}

/* The frames that a run's pages happen to have serve others better where the run will fill slowly: in a bin that has
 * handed out many times what it holds. */
static bool discard_run(const struct tt_bin *bin, struct tt_page *first, size_t pages) {
    size_t held = (size_t)bin->pages * TT_PAGE_BYTES;
    if (tn_space_page_size() > TT_PAGE_BYTES || (bin->handed - bin->handed_small) * bin->size < SLOW_TIMES * held) return false;
    return tn_space_discard(tt_page_base(first), pages * TT_PAGE_BYTES);
}

/* Reserves the next run of a bin that is not small: what may become a mapping of its own, and the larger the bin the
 * longer, up to an eighth of what it has. So a site that keeps growing takes few mappings of the kernel's when its runs
 * are told apart. */
static bool new_run(struct tt_bin *bin) {
    leave_pages(bin->thread, RUN_PAGES_LEAST);
    unsigned span = span_of(bin), most = bin->pages / RUN_SHARE;
    if (most > RUN_PAGES_MOST) most = RUN_PAGES_MOST;
    unsigned spans = bin->run_pages > 1 ? 2 * bin->run_pages : (RUN_PAGES_LEAST + span - 1) / span;
    while (spans > 1 && spans * span > most && spans * span / 2 >= RUN_PAGES_LEAST) spans /= 2;
    bool zero;
    unsigned pages = spans * span;
    unsigned aligned = pages >= RUN_PAGES_LEAST && (pages & (pages - 1)) == 0 ? RUN_PAGES_LEAST : 1;
    struct tt_page *first;
    while ((first = tt_pages_take(pages, aligned, TT_PAGE_SLOTS, &zero)) == NULL) {
        if (spans == 1) return false;
        spans /= 2;
        pages = spans * span;
        aligned = 1;
    }
    if (spans > 1 && !zero) zero = discard_run(bin, first, pages);
    struct tt_segment *segment = tt_page_segment(first);
    size_t at = tt_page_index(segment, first);
    segment->runs[at] =
        (struct tt_run){.bin = bin, .pages = (uint16_t)pages, .span = (uint8_t)span, .born = tn_clock_seconds()};
    uint32_t reciprocal = reciprocal_of(bin->size);
    for (size_t i = 0; i < pages; i++) {
        struct tt_page *page = first + i;
        page->back = (uint16_t)(i % span);
        page->kind = TT_PAGE_SLOTS;
        page->run = (uint32_t)at + 1;
        page->clean = zero;
        page->slots = 0; /* nothing in it can be freed yet */
        page->size = (uint32_t)bin->size;
        page->reciprocal = reciprocal;
        page->listed = UNLISTED;
    }
    bin->run_next = first;
    bin->run_left = spans;
    bin->run_pages = spans;
    bin->run_span = (uint8_t)span;
    bin->run_slots = (uint16_t)(span * TT_PAGE_BYTES / bin->size);
    return true;
}

/* A run that was filled, on which hardly an object died, in a bin of which hardly any did: it looks like part of a
 * leak. */
static bool looks_leaked(const struct tt_bin *bin, uint32_t objects, uint32_t slots) {
    if (bin->deaths >= DEATHS_KNOWN || objects < slots - slots / DIED_PART) return false;
    return bin->taken * bin->size <= bin_bytes(bin) + bin_bytes(bin) / DIED_PART;
}

/* What lives on the run that was filled last, while its pages' descriptions are at hand: what leaks is never counted
 * again. Not of a run that was given back since. */
static void count_run(struct tt_bin *bin) {
    if (bin->run_next == NULL) return;
    struct tt_page *last = bin->run_next - bin->run_span;
    struct tt_segment *segment = tt_page_segment(last);
    size_t at = last->run - 1u;
    struct tt_run *run = &segment->runs[at];
    uint32_t objects = 0, slots = 0;
    for (size_t i = at; i < at + run->pages; i += run->span) {
        struct tt_page *page = &segment->pages[i];
        if (page->bin != bin || page->former != 0) return;
        objects += page->slots - tt_page_free(page);
        slots += page->slots;
    }
    run->objects = objects + 1;
    if (looks_leaked(bin, objects, slots)) tt_cold_run_filled(segment, at);
}

static bool next_run_page(struct tt_bin *bin, uint64_t milliseconds) {
    if (bin->run_left == 0 && bin->run_pages > 1) count_run(bin);
    if (bin->run_left == 0 && !new_run(bin)) return false;
    unsigned span = bin->run_span;
    struct tt_page *page = bin->run_next;
    adopt_page(bin, page, span, bin->run_slots);
    bin->run_next += span;
    bin->run_left--;
    struct tt_run *run = run_of(page);
    run->started++;
    run->live++;
    /* Each unit begins at another slot, so that objects that stay at regular distances come to lie in different
     * slots of different units, and can share frames. */
    start_page(bin, page, bin->pages / TT_UNIT_PAGES * 7 % (page->slots < 64 ? page->slots : 64), milliseconds);
    return true;
}

static bool exceeds_share(const struct tt_bin *bin) {
    return bin->dead * bin->size > bin_bytes(bin) * (size_t)tt_option(TT_OPTION_DEAD_SHARE) / 100;
}

/* Whether the site's bin should fill dead slots rather than fresh pages: pages that are too few to be told apart from
 * the kernel's side have no age. */
static bool over_dead_budget(const struct tt_bin *bin) {
    return !is_aged(bin) || bin->steady || exceeds_share(bin);
}

/* Sends the current page, whose slots are used up, to where it belongs. */
static void retire_page(struct tt_bin *bin) {
    struct tt_page *page = bin->page;
    bin->page = NULL;
    bin->word = &bin->mask;
    tt_page_place(bin, page);
}

static bool is_full(const struct tt_page *page) {
    for (unsigned w = 0; w * 64 < page->slots; w++)
        if (page->free[w] != 0) return false;
    return true;
}

/* As retire_page, of a page without free slots, which it mostly is. */
static void retire_full_page(struct tt_bin *bin) {
    uint16_t first = first_trigger(bin->page);
    bin->page->until = first < bin->page->slots ? first : bin->page->slots;
    bin->page = NULL;
    bin->word = &bin->mask;
}

static bool is_cold(struct tt_page *page) {
    const struct tt_run *run = run_of(page);
    return run != NULL && tt_run_is_cold(run);
}

/* The first page with room that is not cold. What is cold leaves the list, until another object on it is freed. */
static struct tt_page *first_room(struct tt_bin *bin) {
    for (unsigned i = 0; i < COLD_PASSED && bin->room != NULL; i++) {
        if (!is_cold(bin->room)) return bin->room;
        unlink_page(bin, bin->room);
    }
    return NULL;
}

/* False if what was free on the page has been handed out since it was found to have room. */
static bool fill_page(struct tt_bin *bin, struct tt_page *page) {
    page->until = NEVER;
    bin->page = page;
    bin->step = TT_BUMP_STEPS;
    if (find_word(bin, bin->page)) return true;
    retire_full_page(bin);
    return false;
}

static bool reuse_room(struct tt_bin *bin) {
    struct tt_page *page;
    do {
        page = bin->room;
        if (page == NULL) return false;
        if (tn_unlikely(is_cold(page)) && (page = first_room(bin)) == NULL) return false;
        bin->room = page->next;
        if (bin->room != NULL) bin->room->previous = NULL;
        bin->dead -= dead_about(page);
        page->listed = UNLISTED;
    } while (!fill_page(bin, page));
    return true;
}

/* A page of the bin with room that is not cold, half dead if one of the first few is; NULL if there is none. */
static struct tt_page *page_to_leave(struct tt_bin *bin) {
    struct tt_page *first = first_room(bin), *page = first;
    for (unsigned i = 0; i < PAGES_TRIED && page != NULL; i++, page = page->next)
        if (page->listed == ROOM_HALF && !is_cold(page)) return page;
    return first;
}

/* Makes a page of another bin, of the same class and thread, one of this. */
static void move_page(struct tt_bin *bin, struct tt_page *page, uint16_t former) {
    forget_freed(page->bin, page);
    page->former = former;
    page->former_objects = (uint16_t)(page->slots - tt_page_free(page));
    page->bin->pages -= page->span;
    page->bin = bin;
    bin->pages += page->span;
}

/* Takes over a page of another site's bin, which is aged and has more that is dead than its share. */
static bool take_over(struct tt_bin *bin) {
    if (bin->deaths < DEATHS_KNOWN) return false;
    struct tt_bin *from = bin->thread->class_sites[bin->size_class];
    struct tt_page *page = NULL;
    for (unsigned i = 0; i < BINS_TRIED && from != NULL && page == NULL; i++, from = from->next_of_class)
        if (from != bin && has_runs(from) && exceeds_share(from)) page = page_to_leave(from);
    if (page == NULL) return false;
    from = page->bin;
    unlink_page(from, page);
    move_page(bin, page, (uint16_t)from->site->number);
    return fill_page(bin, page);
}

static __attribute__((noinline)) bool refill_common(struct tt_bin *bin) {
    if (bin->page != NULL) {
        if (find_word(bin, bin->page)) return true;
        if (tt_page_has_notice(bin->page)) tt_page_collect(bin->page);
        if (find_word(bin, bin->page)) return true;
        retire_page(bin);
    }
    tt_bin_collect_if_due(bin);
    return reuse_room(bin) || new_page(bin, tn_clock_coarse_milliseconds());
}

/* Whether the current page has no slot to give: the usual case of a bin that fills pages with room. */
static bool is_used_up(struct tt_page *page) {
    return page->probe == 0 && is_full(page) && !tt_page_has_notice(page);
}

/* Another slot of the site's current page; if it has none to give, the page is current no more. */
static __attribute__((noinline)) bool refill_current(struct tt_bin *bin) {
    struct tt_page *page = bin->page;
    if (!has_runs(bin) && find_word(bin, bin->page)) return true;
    if (tt_page_has_notice(page)) tt_page_collect(page);
    unsigned free = tt_page_free(page);
    if (free == page->slots) {
        start_page(bin, page, page->first_slot, tn_clock_coarse_milliseconds());
        return true;
    }
    if (free >= first_trigger(page) && over_dead_budget(bin) && find_word(bin, bin->page)) return true;
    retire_page(bin);
    return false;
}

static __attribute__((noinline)) bool refill_empty(struct tt_bin *bin, struct tt_page *page) {
    unlink_page(bin, page);
    run_of(page)->live++;
    start_page(bin, page, 0, tn_clock_coarse_milliseconds());
    return true;
}

static __attribute__((noinline)) bool refill_fresh(struct tt_bin *bin) {
    if (has_runs(bin) && take_over(bin)) return true;
    uint64_t now = tn_clock_coarse_milliseconds();
    tt_cold_tick(now);
    return has_runs(bin) || bin->run_left != 0 ? next_run_page(bin, now) : new_page(bin, now);
}

static bool refill_site(struct tt_bin *bin) {
    if (bin->page != NULL) {
        if (bin->step < TT_BUMP_STEPS && claim_fresh(bin)) return true;
        if (is_used_up(bin->page))
            retire_full_page(bin);
        else if (refill_current(bin))
            return true;
    }
    tt_bin_collect_if_due(bin);
    if (++bin->thread->refills % REFILLS_BETWEEN_TICKS == 0) tt_cold_tick(tn_clock_coarse_milliseconds());
    if (!is_aged(bin) && reuse_room(bin)) return true;
    if (bin->empty != NULL) return refill_empty(bin, bin->empty);
    judge_growth(bin);
    return (over_dead_budget(bin) && reuse_room(bin)) || refill_fresh(bin);
}

bool tt_bin_refill(struct tt_bin *bin) {
    return bin->site == NULL ? refill_common(bin) : refill_site(bin);
}
