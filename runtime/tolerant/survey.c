/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/survey.h"

#include "tolerant/cold.h"
#include "tolerant/large.h"
#include "tolerant/site.h"
#include "tolerant/thread.h"
#include "tolerant/watch.h"

TN_RACY static unsigned live_slots(struct tt_page *page) {
    unsigned freed = tt_page_free(page);
    struct tt_segment *segment = tt_page_segment(page);
    if (page->kind == TT_PAGE_SLOTS)
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++) freed += tt_count_bits(tt_page_freed_remotely(segment, page, w));
    unsigned slots = page->slots;
    struct tt_bin *bin = __atomic_load_n(&page->bin, __ATOMIC_RELAXED);
    if (page->kind == TT_PAGE_SLOTS && bin != NULL && bin->claimed == page) {
        /* The claimed slots; its owner may move on meanwhile. */
        freed += tt_count_bits(__atomic_load_n(&bin->mask, __ATOMIC_RELAXED));
    }
    return freed >= slots ? 0 : slots - freed;
}

TN_RACY static void add_to_site(struct tt_site *site, uint64_t objects, uint64_t bytes, uint32_t born, bool cold) {
    if (site == NULL || objects == 0) return;
    if (site->objects == 0 || born < site->oldest) site->oldest = born;
    site->objects += objects;
    site->bytes += bytes;
    if (cold) site->cold_bytes += bytes;
}

TN_RACY static void add_large(struct tt_site *site, uint64_t bytes, uint32_t born) {
    if (site == NULL) return;
    site->large_objects++;
    site->large_bytes += bytes;
    add_to_site(site, 1, bytes, born, false);
}

struct count {
    struct tt_survey *survey;
    bool sites;                     /* into them too */
    const struct tt_thread *thread; /* NULL: all */
};

TN_RACY static void visit_page(struct tt_page *page, struct count *count) {
    struct tt_survey *survey = count->survey;
    if (count->thread != NULL && tt_page_owner(tt_page_segment(page), page) != count->thread) return;
    survey->pages += page->span;
    if (page->kind == TT_PAGE_LARGE) {
        if (page->large.base == 0) return; /* freed, but could not be made plain memory */
        uint64_t bytes = page->size * TT_PAGE_BYTES;
        survey->large_bytes += bytes;
        survey->large_objects++;
        survey->objects++;
        survey->bytes += bytes;
        if (count->sites) add_large(tt_site_numbered(page->large.site & ~TT_LARGE_ALIGNED), bytes, page->born);
        return;
    }
    unsigned live = live_slots(page);
    uint64_t bytes = (uint64_t)live * page->size;
    survey->objects += live;
    survey->bytes += bytes;
    survey->dead_bytes += (uint64_t)(page->slots - live) * page->size;
    struct tt_bin *bin = __atomic_load_n(&page->bin, __ATOMIC_RELAXED);
    if (page->kind != TT_PAGE_SLOTS || bin == NULL || bin->site == NULL) {
        survey->common_bytes += bytes;
        return;
    }
    survey->site_pages += page->span;
    if (!count->sites) return;
    struct tt_segment *segment = tt_page_segment(page);
    uint32_t run = __atomic_load_n(&page->run, __ATOMIC_RELAXED);
    bool cold = run != 0 && tt_run_is_cold(&segment->runs[run - 1]);
    unsigned former = page->former == 0 ? 0 : page->former_objects < live ? page->former_objects : live;
    if (former != 0) add_to_site(tt_site_numbered(page->former), former, (uint64_t)former * page->size, page->born, cold);
    add_to_site(bin->site, live - former, (uint64_t)(live - former) * page->size, page->born, cold);
}

static void visit_mapping(const struct tt_large *object, void *context) {
    struct count *count = context;
    struct tt_survey *survey = count->survey;
    survey->large_bytes += object->size;
    survey->large_objects++;
    survey->objects++;
    survey->bytes += object->size;
    if (count->sites) add_large(tt_site_numbered(object->site & ~TT_LARGE_ALIGNED), object->size, object->born);
}

TN_RACY static void count_allocated(void) {
    for (struct tt_thread *thread = tt_threads_first(); thread != NULL; thread = thread->next) {
        for (unsigned i = 0; i < TT_SITE_BIN_SLOTS; i++)
            for (struct tt_bin *bin = thread->site_bins[i]; bin != NULL; bin = bin->next_in_slot)
                bin->site->allocated += bin->handed;
        for (size_t i = 0; i < tt_front_places(thread); i++) {
            struct tt_bin *bin = __atomic_load_n(&thread->front[i].bin, __ATOMIC_RELAXED);
            if (bin != NULL && bin->site != NULL) bin->site->allocated += tt_front_served(thread, i);
        }
    }
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older)
        site->allocated += atomic_load_explicit(&site->large_allocated, memory_order_relaxed);
}

/* A run that is watched and was not used holds what it held when it was counted: who frees or allocates there touches
 * it. Its pages' descriptions, too, are left to be cold. */
TN_RACY static void visit_run(struct tt_segment *segment, size_t at, struct count *count) {
    struct tt_run *run = &segment->runs[at];
    struct tt_bin *bin = __atomic_load_n(&run->bin, __ATOMIC_RELAXED);
    bool watched = tt_run_is_watched(run) && bin != NULL && bin->site != NULL && count->thread == NULL;
    size_t pages = run->pages, end = at + pages;
    uint32_t counted = __atomic_load_n(&run->objects, __ATOMIC_RELAXED);
    if (watched && counted != 0) {
        uint64_t objects = counted - 1, slots = (uint64_t)run->started * (run->span * TT_PAGE_BYTES / bin->size);
        count->survey->pages += pages;
        count->survey->site_pages += pages;
        count->survey->objects += objects;
        count->survey->bytes += objects * bin->size;
        count->survey->dead_bytes += (slots > objects ? slots - objects : 0) * bin->size;
        if (count->sites) add_to_site(bin->site, objects, objects * bin->size, run->born, tt_run_is_cold(run));
        return;
    }
    uint64_t before = count->survey->objects;
    bool own = true;
    for (size_t i = at; i < end; i++) {
        struct tt_page *page = &segment->pages[i];
        if (page->kind != TT_PAGE_SLOTS || page->back != 0) continue;
        visit_page(page, count);
        own = own && page->former == 0 && __atomic_load_n(&page->bin, __ATOMIC_RELAXED) == bin;
    }
    if (watched && own) __atomic_store_n(&run->objects, (uint32_t)(count->survey->objects - before) + 1, __ATOMIC_RELAXED);
}

TN_RACY static void visit_pages(struct count *count) {
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; (i = tt_page_next_used(s, i)) < TT_SEGMENT_PAGES;) {
            size_t pages = s->runs[i].pages;
            if (pages != 0)
                visit_run(s, i, count);
            else if (s->pages[i].kind != TT_PAGE_FREE && s->pages[i].back == 0)
                visit_page(&s->pages[i], count);
            i += pages != 0 ? pages : 1;
        }
}

static void count_all(struct count count) {
    *count.survey = (struct tt_survey){0};
    visit_pages(&count);
    if (count.thread == NULL) tt_large_each_mapping(visit_mapping, &count);
    count.survey->mapped_bytes = atomic_load_explicit(&tt_pages_now.mapped, memory_order_relaxed) +
                                 atomic_load_explicit(&tt_pages_now.large, memory_order_relaxed);
}

void tt_survey_count(struct tt_survey *survey) { count_all((struct count){.survey = survey}); }

void tt_survey_thread(struct tt_survey *survey, const struct tt_thread *thread) {
    count_all((struct count){.survey = survey, .thread = thread});
}

void tt_survey_all(struct tt_survey *survey) {
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) {
        site->objects = site->bytes = site->cold_bytes = site->allocated = site->large_objects = site->large_bytes = 0;
        tt_witnesses_look(site);
    }
    count_all((struct count){.survey = survey, .sites = true});
    count_allocated();
    survey->large_cold_bytes = tt_watch_survey();
}

/* The last point is always of now. It stays, and another follows, once it is far enough from the one before: so far
 * that the whole of the time is covered, however many looks there were. When the history is full, every second point
 * goes. */
static void note(struct tt_site *site, uint64_t now, uint64_t allocations) {
    if (site->points > 0 && site->history[site->points - 1].allocations == allocations) return;
    if (site->points == TT_HISTORY) {
        for (unsigned i = 0; i < TT_HISTORY / 2; i++) site->history[i] = site->history[2 * i + 1];
        site->points = TT_HISTORY / 2;
    }
    uint32_t last = site->points - 1;
    bool close = site->points > 1 &&
                 site->history[last].allocations - site->history[last - 1].allocations < allocations / TT_HISTORY;
    if (!close) last = site->points++;
    site->history[last].at = now;
    site->history[last].allocations = allocations;
    site->history[last].bytes = site->bytes;
}

void tt_survey_note_history(uint64_t milliseconds) {
    uint64_t allocations = tt_threads_allocations();
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) note(site, milliseconds, allocations);
}
