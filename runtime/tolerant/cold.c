/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/cold.h"

#include <stdatomic.h>

#include "prim/file.h"
#include "prim/limit.h"
#include "prim/mappings.h"
#include "prim/sandbox.h"
#include "prim/signal.h"
#include "prim/space.h"
#include "prim/thread.h"
#include "prim/unwind.h"
#include "tolerant/aging.h"
#include "tolerant/blank.h"
#include "tolerant/compact.h"
#include "tolerant/dormant.h"
#include "tolerant/large.h"
#include "tolerant/option.h"
#include "tolerant/page.h"
#include "tolerant/report.h"
#include "tolerant/survey.h"
#include "tolerant/thread.h"
#include "tolerant/watch.h"

#define SECOND UINT64_C(1000000000)
#define MILLISECOND UINT64_C(1000000)
#define TEXT_BYTES ((size_t)64 * 1024)
/* A run that is not told from its neighbours (the active list); that is (the inactive one); that the kernel was told is
 * cold already; that it was asked to write to swap. */
enum run_state { RUN_ACTIVE, RUN_WATCHED, RUN_OFFERED, RUN_WRITTEN };
/* As many looks as fit into the time after which a page is cold. */
#define LOOKS_UNTIL_COLD 4
/* A process that is mostly idle may be looked at as if it took this part of a processor's time. */
#define IDLE_PART 32
/* The coarse clock, which costs less than the exact one, is behind by less. */
#define COARSE_MILLISECONDS 16
/* Memory is scarce once less than this part of a container's limit is left, or once the process waited for so many
 * pages since that was last asked: whenever it has grown by a part of the limit, or of what it has, and by so much. */
#define SCARCE_PART 2
#define SCARCE_FAULTS 64
#define SCARCE_STEP_PART 16
#define SCARCE_STEP_LEAST ((size_t)1 * 1024 * 1024)
/* Runs of fewer pages are not worth a mapping. */
#define WATCHED_PAGES_LEAST 32

struct tt_cold_figures tt_cold_now;

/* The looks after which a run is cold, as of the last look: asked for whenever a page with room is filled. */
static unsigned cold_age = UINT8_MAX;

static atomic_flag looking = ATOMIC_FLAG_INIT;
static _Atomic uint64_t next_look;
static char *text;
static size_t mappings_most;
/* What lies between two looks: time, and allocations. */
static uint64_t look_interval, allocation_interval;
static _Atomic uint64_t last_allocations;

static uint64_t cold_nanoseconds(void) { return (uint64_t)tt_option(TT_OPTION_COLD_SECONDS) * SECOND; }
static uint64_t allocations_between_looks(void) { return (uint64_t)tt_option(TT_OPTION_COLD_ALLOCATIONS) / LOOKS_UNTIL_COLD; }

/* Whether the control group that the process is in has less than an eighth of its memory left. */
static bool pressed;

static uint64_t looks_for(uint64_t whole, uint64_t interval) {
    return interval == 0 ? 1 : (whole + interval - 1) / interval;
}

/* The looks that a run has to stay unreferenced for. */
static unsigned looks_until_cold(void) {
    uint64_t looks = looks_for(cold_nanoseconds(), look_interval);
    uint64_t more = looks_for((uint64_t)tt_option(TT_OPTION_COLD_ALLOCATIONS), allocation_interval);
    if (more > looks) looks = more;
    if (pressed) looks = (looks + 1) / 2;
    return looks < 1 ? 1 : looks > 200 ? 200 : (unsigned)looks;
}

TN_RACY bool tt_run_is_cold(const struct tt_run *run) {
    return run->pages != 0 && run->state != RUN_ACTIVE && run->age >= __atomic_load_n(&cold_age, __ATOMIC_RELAXED);
}

TN_RACY void tt_run_used(struct tt_run *run) {
    if (run->pages == 0 || run->state == RUN_ACTIVE) return;
    run->age = 0;
    run->objects = 0;
    run->examined = 0;
    run->state = RUN_WATCHED;
}

TN_RACY bool tt_run_is_watched(const struct tt_run *run) { return run->pages != 0 && run->state != RUN_ACTIVE; }

TN_RACY static size_t run_bytes(const struct tt_run *run) { return run->pages * TT_PAGE_BYTES; }

/* Whether the run is full: none of its pages is still being filled. */
TN_RACY static bool run_is_complete(struct tt_segment *segment, size_t at) {
    struct tt_run *run = &segment->runs[at];
    struct tt_page *first = &segment->pages[at];
    struct tt_bin *bin = __atomic_load_n(&run->bin, __ATOMIC_RELAXED);
    if (run->pages < WATCHED_PAGES_LEAST || bin == NULL) return false;
    if (run->started * run->span < run->pages) return false;
    struct tt_page *current = __atomic_load_n(&bin->page, __ATOMIC_RELAXED);
    return current == NULL || current < first || current >= first + run->pages;
}

TN_RACY static void each_run(void (*visit)(struct tt_segment *segment, size_t at, void *context), void *context) {
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; (i = tt_page_next_run(s, i)) < TT_SEGMENT_PAGES;) {
            size_t pages = s->runs[i].pages;
            visit(s, i, context);
            i += pages != 0 ? pages : 1;
        }
}

/* Whether what lies before the run is on the active list, too. */
TN_RACY static bool follows_active(struct tt_segment *segment, size_t at) {
    uint32_t before = at == 0 ? 0 : __atomic_load_n(&segment->pages[at - 1].run, __ATOMIC_RELAXED);
    return before != 0 && segment->runs[before - 1].pages >= WATCHED_PAGES_LEAST &&
           segment->runs[before - 1].state == RUN_ACTIVE;
}

/* The run was used. Pages of it that share frames may have got their own, and may be merged anew. */
TN_RACY static void take_use(struct tt_segment *segment, size_t at) {
    struct tt_run *run = &segment->runs[at];
    if (run->state == RUN_ACTIVE) return;
    bool leaves = tt_aging_take_use(tt_run_is_cold(run));
    run->age = 0;
    run->state = leaves ? RUN_ACTIVE : RUN_WATCHED;
    run->examined = 0;
    run->objects = 0;
    if (leaves && follows_active(segment, at))
        tt_pages_join(segment, segment->base + at * TT_PAGE_BYTES, run_bytes(run));
    for (size_t i = at; i < at + run->pages; i++)
        if (segment->sharing[i] > 1) segment->sharing[i] = 1;
}

/* What the kernel says of one mapping, for all runs that begin in it. A mapping with other pages in it says more
 * references than a run had, never fewer. */
TN_RACY static void take_mapping(const struct tn_mapping *mapping, void *context) {
    (void)context;
    tt_cold_now.mappings++;
    tt_watch_take_mapping(mapping);
    tt_blank_take_mapping(mapping);
    if (mapping->end >> TT_ADDRESS_BITS != 0) return;
    for (uintptr_t a = mapping->start; a < mapping->end; a = (a | (TT_SEGMENT_BYTES - 1)) + 1) {
        struct tt_segment *segment = tt_segment_holding((const unsigned char *)a);
        if (segment == NULL) continue;
        if (a == mapping->start) {
            tt_cold_now.own_mappings++;
            tt_cold_now.resident_bytes += mapping->resident;
            tt_cold_now.swapped_bytes += mapping->swapped;
        }
        uintptr_t base = (uintptr_t)segment->base;
        size_t from = (a - base) >> TT_PAGE_SHIFT;
        size_t to = mapping->end - base >= TT_SEGMENT_BYTES ? TT_SEGMENT_PAGES : (mapping->end - base) >> TT_PAGE_SHIFT;
        bool used = mapping->referenced != 0 || mapping->special;
        /* One that begins within a run, as where pages of it share frames. */
        uint32_t around = segment->runs[from].pages != 0 ? 0 : __atomic_load_n(&segment->pages[from].run, __ATOMIC_RELAXED);
        if (used && around != 0) take_use(segment, around - 1);
        for (size_t i = from; (i = tt_page_next_run(segment, i)) < to; i++) {
            struct tt_run *run = &segment->runs[i];
            if (run->state == RUN_ACTIVE) continue;
            if (used)
                take_use(segment, i);
            else if (run->age < UINT8_MAX)
                run->age++;
        }
    }
}

/* Moves an active run to the inactive list, by setting it apart. */
TN_RACY static bool set_apart(struct tt_segment *segment, size_t at, size_t *spent) {
    struct tt_run *run = &segment->runs[at];
    if (tt_cold_now.mappings + *spent + 2 > mappings_most) return false;
    if (!tt_pages_set_apart(segment, segment->base + at * TT_PAGE_BYTES, run_bytes(run))) return false;
    *spent += 2;
    run->state = RUN_WATCHED;
    run->age = 0;
    tt_aging_now.inactive++;
    return true;
}

/* The run that was set apart last: the active list begins behind it. */
static const struct tt_run *hand;

struct filling {
    size_t spent; /* mappings */
    bool behind;  /* the hand */
};

TN_RACY static void fill_inactive(struct tt_segment *segment, size_t at, void *context) {
    struct filling *filling = context;
    struct tt_run *run = &segment->runs[at];
    bool behind = filling->behind;
    filling->behind = filling->behind || run == hand;
    if (!behind || run->state != RUN_ACTIVE || tt_aging_now.inactive >= tt_aging_now.target) return;
    if (run_is_complete(segment, at) && set_apart(segment, at, &filling->spent)) hand = run;
}

TN_RACY static void add_cold(struct tt_bin *bin, uint32_t pages) {
    if (bin == NULL) return;
    __atomic_store_n(&bin->cold_pages, bin->cold_pages + pages, __ATOMIC_RELAXED);
    if (tt_bin_is_cold(bin)) __atomic_store_n(&bin->cold, true, __ATOMIC_RELAXED);
}

/* Counts the lists; a run that has just become cold is offered to the kernel. */
TN_RACY static void take_age(struct tt_segment *segment, size_t at, void *context) {
    struct tt_run *run = &segment->runs[at];
    (void)context;
    if (run->state == RUN_ACTIVE) {
        tt_aging_now.active += run_is_complete(segment, at);
        return;
    }
    tt_cold_now.run_bytes += run_bytes(run);
    if (!tt_run_is_cold(run)) {
        tt_aging_now.inactive++;
        return;
    }
    tt_aging_now.cold++;
    tt_cold_now.cold_bytes += run_bytes(run);
    add_cold(__atomic_load_n(&run->bin, __ATOMIC_RELAXED), run->pages);
    if (run->state >= RUN_OFFERED) return;
    run->state = RUN_OFFERED;
    tt_cold_now.offered_bytes += run_bytes(run);
    (void)tn_space_cold(segment->base + at * TT_PAGE_BYTES, run_bytes(run));
}

TN_RACY static void forget_cold(struct tt_segment *segment, size_t at, void *context) {
    struct tt_bin *bin = __atomic_load_n(&segment->runs[at].bin, __ATOMIC_RELAXED);
    (void)context;
    if (bin == NULL) return;
    __atomic_store_n(&bin->cold_pages, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&bin->cold, false, __ATOMIC_RELAXED);
}

static void take_ages(void) {
    tt_aging_now.active = tt_aging_now.inactive = tt_aging_now.cold = 0;
    tt_cold_now.run_bytes = tt_cold_now.cold_bytes = 0;
    each_run(forget_cold, NULL);
    each_run(take_age, NULL);
}

/* The number of mappings that it took. */
static size_t age_runs(void) {
    take_ages();
    struct filling filling = {.behind = hand == NULL};
    if (tt_aging_now.active > 0) each_run(fill_inactive, &filling);
    filling.behind = true; /* and from the first one on */
    if (tt_aging_now.active > 0) each_run(fill_inactive, &filling);
    take_ages();
    return filling.spent;
}

/* After compaction: what shares frames or gave them back need not be written. */
TN_RACY static void page_run_out(struct tt_segment *segment, size_t at, void *context) {
    struct tt_run *run = &segment->runs[at];
    (void)context;
    if (run->state != RUN_OFFERED || !tt_run_is_cold(run)) return;
    run->state = RUN_WRITTEN;
    (void)tn_space_page_out(segment->base + at * TT_PAGE_BYTES, run_bytes(run));
}

TN_RACY static void forget_run(struct tt_segment *segment, size_t at, void *context) {
    struct tt_run *run = &segment->runs[at];
    (void)context;
    if (run->state == RUN_WATCHED) (void)tn_space_cold(segment->base + at * TT_PAGE_BYTES, run_bytes(run));
}

/* A server that gave root's rights up may not clear its own bits: then what is watched is deactivated, in use or not,
 * which clears them too. */
static void forget_references(void) {
    if (tn_mappings_forget_references()) return;
    each_run(forget_run, NULL);
    tt_watch_forget();
}

static size_t mappings_allowed(void) {
    size_t option = (size_t)tt_option(TT_OPTION_MAPPINGS);
    return option != 0 ? option : tn_mappings_most() / 2;
}

static _Atomic bool scarce;
static _Atomic size_t scarcity_due; /* bytes in use from which on it is asked again */
static uint64_t faults_before;

static void note_scarcity(bool limited, const struct tn_limit *limit) {
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    size_t step = (limited ? (size_t)limit->most : used) / SCARCE_STEP_PART;
    uint64_t faults = tn_limit_faults();
    bool now = (limited && limit->used > limit->most - limit->most / SCARCE_PART) || faults > faults_before + SCARCE_FAULTS;
    faults_before = faults;
    atomic_store_explicit(&scarce, now, memory_order_relaxed);
    atomic_store_explicit(&scarcity_due, used + (step > SCARCE_STEP_LEAST ? step : SCARCE_STEP_LEAST), memory_order_relaxed);
}

/* Near a container's limit, frames that nobody needs now go back, and pages count as cold sooner and are written to
 * swap at once. Far from it, free pages may still keep no more than a part of the limit. */
static void heed_limit(void) {
    struct tn_limit limit;
    bool known = tn_limit_read(&limit);
    note_scarcity(known, &limit);
    pressed = known && limit.used > limit.most - limit.most / 8;
    tt_pages_limit(known ? (size_t)(limit.most / 32) : SIZE_MAX);
    if (!pressed) return;
    (void)tt_pages_trim(true);
    (void)tt_large_trim(SIZE_MAX);
}

static void look_at_pages(void) {
    if (tt_option(TT_OPTION_COLD) == 0 || tn_sandbox_entered()) return;
    heed_limit();
    __atomic_store_n(&cold_age, looks_until_cold(), __ATOMIC_RELAXED);
    if (text == NULL) text = tt_metadata(TEXT_BYTES);
    if (text == NULL) return;
    if (mappings_most == 0) mappings_most = mappings_allowed();
    tt_cold_now.mappings_most = (uint32_t)mappings_most;
    tt_cold_now.mappings = 0;
    tt_cold_now.own_mappings = (uint32_t)atomic_load_explicit(&tt_large_mapped_count, memory_order_relaxed);
    tt_cold_now.resident_bytes = tt_cold_now.swapped_bytes = 0;
    tt_cold_now.run_bytes = tt_cold_now.cold_bytes = 0;
    tt_blank_start_look();
    tt_compact_start_look();
    if (!tn_mappings_each(text, TEXT_BYTES, take_mapping, NULL)) return;
    size_t spent = age_runs();
    size_t taken = tt_cold_now.mappings + spent;
    spent += tt_watch_renew(taken < mappings_most ? mappings_most - taken : 0, looks_until_cold());
    forget_references();
    if (tt_option(TT_OPTION_COMPACT) != 0) {
        spent += tt_compact_cold(mappings_most, tt_cold_now.mappings + spent);
        tt_blank_release(mappings_most, tt_cold_now.mappings + spent);
    }
    if (pressed || tt_option(TT_OPTION_COLD) == 2) each_run(page_run_out, NULL);
}

/* When the last look ended, on both clocks, and what processor time must pass until the next. */
static uint64_t last_look, last_processor, look_pause;

/* The next look comes a quarter of the cold time later, or as much later as it takes until looks are within their share
 * of the process's time. That, and the runs that are watched, follow from what the look took. */
static void plan_next(uint64_t cost, uint64_t now) {
    uint64_t share = (uint64_t)tt_option(TT_OPTION_COLD_OVERHEAD), processor = tn_clock_process_nanoseconds();
    uint64_t interval = cold_nanoseconds() / LOOKS_UNTIL_COLD, gap = last_look == 0 ? 0 : now - last_look;
    tt_aging_now.target = tt_aging_adapt(tt_aging_now, cost, processor - last_processor + gap / IDLE_PART, share);
    look_interval = gap > interval ? gap : interval;
    look_pause = tt_aging_pause(cost, share);
    last_look = now;
    last_processor = processor;
    uint64_t allocations = tt_threads_allocations();
    allocation_interval = allocations - atomic_load_explicit(&last_allocations, memory_order_relaxed);
    if (allocation_interval < allocations_between_looks()) allocation_interval = allocations_between_looks();
    atomic_store_explicit(&last_allocations, allocations, memory_order_relaxed);
    tt_cold_now.nanoseconds += cost;
    if (cost > tt_cold_now.longest) tt_cold_now.longest = cost;
    tt_cold_now.looks++;
    atomic_store_explicit(&next_look, now + interval, memory_order_relaxed);
}

/* Whether the process has had the processor time that the last look has to be paid with. If not, that is asked again
 * once it can have. */
static bool is_paid(uint64_t now) {
    if (last_look == 0) return true;
    uint64_t had = tn_clock_process_nanoseconds() - last_processor + (now - last_look) / IDLE_PART;
    if (had >= look_pause) return true;
    atomic_store_explicit(&next_look, now + (look_pause - had), memory_order_relaxed);
    return false;
}

/* Who asks: the time, the program, or a signal. */
enum asker { ASKED_BY_TIME, ASKED_BY_PROGRAM, ASKED_BY_SIGNAL };

static uint64_t surveyed_bytes, surveyed_allocations;

/* Many programs free all that they had before they end: then what the report is to show is what was there before. So a
 * survey that finds less, after few allocations, is left to the next look. */
static bool gives_back(void) {
    uint64_t allocations = tt_threads_allocations();
    if (tt_option_report() == NULL || allocations - surveyed_allocations >= allocations / 16) return false;
    struct tt_survey survey;
    tt_survey_count(&survey);
    return survey.bytes < surveyed_bytes / 16 * 15;
}

static void survey_now(uint64_t now) {
    struct tt_survey survey;
    tt_survey_all(&survey);
    surveyed_bytes = survey.bytes;
    surveyed_allocations = tt_threads_allocations();
    tt_survey_note_history(now / MILLISECOND);
    tt_report_note_time(&survey, now / MILLISECOND);
}

static bool look_locked(enum asker asker) {
    if (asker == ASKED_BY_TIME && !is_paid(tn_clock_nanoseconds())) return false;
    uint64_t start = tn_clock_nanoseconds(), work = tn_clock_thread_nanoseconds();
    if (asker != ASKED_BY_SIGNAL) {
        tt_threads_leave_idle();
        tt_dormant_release();
        look_at_pages();
    }
    if (asker != ASKED_BY_TIME || !gives_back()) survey_now(start);
    if (asker != ASKED_BY_SIGNAL) plan_next(tn_clock_thread_nanoseconds() - work, tn_clock_nanoseconds());
    return true;
}

/* The process that looks at its pages: not a child that shares them, as that of a vfork, beside the parent's threads.
 * 0 until the start, which constructors of the program may come before. */
static _Atomic uint64_t process;

static bool is_of_this_process(void) {
    uint64_t known = 0, own = tn_file_process();
    return atomic_compare_exchange_strong_explicit(&process, &known, own, memory_order_relaxed, memory_order_relaxed) || known == own;
}

/* One thread at a time, with its signals off: a handler may fork, which waits for the end of a look. */
static bool begin_look(struct tn_signals *before) {
    if (!is_of_this_process()) return false;
    tn_signals_off(before);
    if (!atomic_flag_test_and_set_explicit(&looking, memory_order_acquire)) return true;
    tn_signals_back(before);
    return false;
}

static void end_look(const struct tn_signals *before) {
    atomic_flag_clear_explicit(&looking, memory_order_release);
    tn_signals_back(before);
}

static bool look_unless_busy(enum asker asker) {
    struct tn_signals before;
    if (asker == ASKED_BY_TIME && tn_sandbox_entered()) {
        atomic_store_explicit(&next_look, tn_clock_nanoseconds() + SECOND, memory_order_relaxed);
        return false;
    }
    if (!begin_look(&before)) return false;
    bool looked = look_locked(asker);
    end_look(&before);
    return looked;
}

/* Reading and writing files are points at which a thread may be cancelled; allocating is none. */
static bool look(enum asker asker) {
    int cancel = tn_thread_cancel_off();
    bool looked = look_unless_busy(asker);
    tn_thread_cancel_back(cancel);
    return looked;
}

/* Asks whether memory is scarce, unless another thread is at it. */
static void ask_scarcity(void) {
    int cancel = tn_thread_cancel_off();
    struct tn_signals before;
    struct tn_limit limit;
    if (begin_look(&before)) {
        bool limited = !tn_sandbox_entered() && tn_limit_read(&limit);
        note_scarcity(limited, &limit);
        end_look(&before);
    }
    tn_thread_cancel_back(cancel);
}

/* A page's first use leaves a reference, which the kernel takes for a sign that it is needed: what is just filled would
 * outlive what is used at times. Without it, what is used again is as safe as it was, and what leaks goes first, long
 * before a look could tell that it is cold. */
TN_RACY void tt_cold_run_filled(struct tt_segment *segment, size_t at) {
    if (tt_option(TT_OPTION_COLD) == 0 || tn_sandbox_expected()) return;
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    if (used >= atomic_load_explicit(&scarcity_due, memory_order_relaxed)) ask_scarcity();
    if (atomic_load_explicit(&scarce, memory_order_relaxed))
        (void)tn_space_cold(segment->base + at * TT_PAGE_BYTES, run_bytes(&segment->runs[at]));
}

bool tt_cold_look(void) { return look(ASKED_BY_PROGRAM); }
bool tt_cold_signalled(void) { return look(ASKED_BY_SIGNAL); }

/* Segments, and large objects that have mappings of their own. */
static void add_frames(const struct tn_mapping *mapping, void *context) {
    struct tt_frames *sum = context;
    unsigned char *start = (unsigned char *)mapping->start;
    bool ours = mapping->end >> TT_ADDRESS_BITS == 0 && tt_segment_holding(start) != NULL;
    if (!ours && tt_large_size(start) == 0) return;
    sum->resident += mapping->resident;
    sum->swapped += mapping->swapped;
}

bool tt_cold_measure(struct tt_frames *frames) {
    *frames = (struct tt_frames){0};
    struct tn_signals before;
    int cancel = tn_thread_cancel_off();
    bool told = false;
    if (!tn_sandbox_entered() && begin_look(&before)) {
        if (text == NULL) text = tt_metadata(TEXT_BYTES);
        told = text != NULL && tn_mappings_each(text, TEXT_BYTES, add_frames, frames);
        end_look(&before);
    }
    tn_thread_cancel_back(cancel);
    return told;
}

void tt_cold_start(void) {
    tn_sandbox_start();
    look_interval = cold_nanoseconds() / LOOKS_UNTIL_COLD;
    atomic_store_explicit(&process, tn_file_process(), memory_order_relaxed);
    atomic_store_explicit(&next_look, 0, memory_order_relaxed);
}

void tt_cold_tick(uint64_t coarse_milliseconds) {
    tt_large_age(coarse_milliseconds);
    uint64_t due = atomic_load_explicit(&next_look, memory_order_relaxed);
    if (due > COARSE_MILLISECONDS * MILLISECOND && coarse_milliseconds + COARSE_MILLISECONDS < due / MILLISECOND) return;
    uint64_t now = tn_clock_nanoseconds();
    if (now < due) return;
    if (due == 0) {
        /* The first of all: a program that ends soon is never looked at. */
        atomic_store_explicit(&next_look, now + cold_nanoseconds() / LOOKS_UNTIL_COLD + 1, memory_order_relaxed);
        return;
    }
    uint64_t before = atomic_load_explicit(&last_allocations, memory_order_relaxed);
    if (tt_threads_allocations() - before < allocations_between_looks()) return;
    if (look(ASKED_BY_TIME)) tt_report_if_due(now);
}

void tt_cold_before_fork(void) {
    while (atomic_flag_test_and_set_explicit(&looking, memory_order_acquire)) tn_clock_pause();
}

void tt_cold_after_fork(bool child) {
    if (child) atomic_store_explicit(&process, tn_file_process(), memory_order_relaxed);
    atomic_flag_clear_explicit(&looking, memory_order_release);
}
