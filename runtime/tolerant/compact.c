/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/compact.h"

#include <stdatomic.h>
#include <string.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/cold.h"
#include "tolerant/contents.h"
#include "tolerant/group.h"
#include "tolerant/quiet.h"

/* A row that shares with fewer others may be grouped anew. */
#define ROW_ENOUGH 16
/* Fewer units are not worth a pass. */
#define UNITS_LEAST 4
/* Cold pages that are read at one look. */
#define EXAMINED_MOST ((size_t)262144)
/* Mappings that are left to others, whatever the option says. */
#define MAPPINGS_SPARE 64
/* The share of the cold pages that has to be new, and the looks after which less will do. */
#define FRESH_PART 8
#define LOOKS_WAITED 8
#define BATCH_GROUPS_MOST 16
#define BATCH_UNITS 64
#define COLD_RUNS_MOST ((size_t)65536)
#define RUN_PAGES_MOST ((size_t)1024)

/* Held while units are chosen and merged: no run is given back meanwhile. Who looks may have a small stack, and uses
 * little of it: what is large is static, for who has the lock.
 *
 * Handlers wait for it, too, whatever lock the thread that they interrupted may have: so no other is waited for while
 * this one is held. It is the address of a variable of the thread that has it: taking it and noting who did are one
 * step, and a handler always knows whether it would wait for itself. */
static _Atomic uintptr_t holder;
static TN_THREAD_LOCAL char own_address;

static bool is_holder(void) { return atomic_load_explicit(&holder, memory_order_relaxed) == (uintptr_t)&own_address; }

static bool try_lock(void) {
    uintptr_t nobody = 0;
    return atomic_compare_exchange_strong_explicit(&holder, &nobody, (uintptr_t)&own_address, memory_order_acquire, memory_order_relaxed);
}

static void lock(void) {
    while (!try_lock()) tn_clock_pause();
}

static void unlock(void) { atomic_store_explicit(&holder, 0, memory_order_release); }

static _Atomic uint64_t shared_bytes;
/* The last time something was left. */
static bool unfinished;

void tt_compact_add_shared(uint64_t bytes) { atomic_fetch_add_explicit(&shared_bytes, bytes, memory_order_relaxed); }
uint64_t tt_compact_shared_bytes(void) { return atomic_load_explicit(&shared_bytes, memory_order_relaxed); }

/* All that a compaction needs: address space, of which the part is used that its size asks for. */
struct work {
    size_t runs;
    int map;
    struct cold_run {
        struct tt_segment *segment;
        uint32_t at;
    } cold[COLD_RUNS_MOST];
    struct tt_pass pass;
};

static size_t enough_members(const struct tt_pass *pass) { return pass->pages == TT_UNIT_PAGES ? ROW_ENOUGH : 2; }

/* The unit's number of pages with frames of their own or shared ones, and what lives there; 0 if it is no candidate. */
TN_RACY static size_t frames_of(const struct tt_pass *pass, struct tt_segment *segment, size_t at,
                                const unsigned char *flags, uint64_t *live) {
    size_t frames = 0, grains = 0, enough = enough_members(pass);
    if (!tt_group_live(pass, segment, at, live)) return 0;
    for (size_t i = 0; i < pass->pages; i++) {
        unsigned count = tt_live_count(live + i * TT_GRAIN_WORDS);
        size_t sharing = segment->sharing[at + i];
        bool present = (flags[i] & TN_FRAME_PRESENT) != 0 || sharing != 0;
        if ((flags[i] & TN_FRAME_SWAPPED) != 0 || sharing >= enough) return 0;
        grains += count;
        frames += count != 0 && present;
    }
    if (!pass->equal && grains * 2 > pass->pages * TT_PAGE_GRAINS) return 0;
    /* A row's mapping has to save more than a few frames. */
    return frames * 4 >= pass->pages ? frames : 0;
}

/* A number of the unit's pages' contents, all of which have to be known; 0 if they are not. */
static uint64_t unit_content(const struct tt_pass *pass, const struct tt_segment *segment, size_t at) {
    uint64_t number = 0;
    for (size_t i = at; i < at + pass->pages; i++) {
        if (segment->content[i] == 0 || segment->sharing[i] != 0) return 0;
        number = (number ^ number >> 31 ^ segment->content[i]) * UINT64_C(0x9E3779B97F4A7C15);
    }
    return number;
}

/* What the page map says of a run's pages; those of the system's that begin before it or end after it are swapped. */
static void read_flags(struct tt_segment *segment, size_t at, size_t pages, int map, unsigned char *flags) {
    size_t system = tn_space_page_size() / TT_PAGE_BYTES;
    size_t first = (at + system - 1) / system * system, end = (at + pages) / system * system;
    static TN_SPARSE unsigned char of_system[RUN_PAGES_MOST];
    memset(flags, TN_FRAME_SWAPPED, pages);
    if (first >= end) return;
    tn_frames_map_read(map, segment->base + first * TT_PAGE_BYTES, (end - first) / system, of_system);
    for (size_t i = first; i < end; i++) flags[i - at] = of_system[(i - first) / system];
}

TN_RACY static void collect_run(struct tt_pass *pass, const struct cold_run *cold, int map) {
    struct tt_segment *segment = cold->segment;
    struct tt_run *run = &segment->runs[cold->at];
    size_t system = tn_space_page_size() / TT_PAGE_BYTES, at = cold->at, end = at + run->pages;
    static TN_SPARSE uint64_t live[TT_UNIT_WORDS_MOST];
    static TN_SPARSE unsigned char flags[RUN_PAGES_MOST];
    if (run->pages > RUN_PAGES_MOST) return;
    bool read = false;
    for (size_t i = (at + system - 1) / system * system; i + pass->pages <= end; i += pass->pages) {
        uint64_t content = 0;
        if (segment->sharing[i] >= enough_members(pass)) continue;
        if (pass->equal && (run->examined == 0 || (content = unit_content(pass, segment, i)) == 0)) continue;
        if (pass->count == TT_UNITS_MOST) {
            pass->incomplete = true;
            return;
        }
        if (!read) read_flags(segment, at, run->pages, map, flags);
        read = true;
        size_t frames = frames_of(pass, segment, i, flags + (i - at), live);
        if (frames == 0) continue;
        pass->units[pass->count++] =
            (struct tt_unit){.segment = segment, .at = (uint32_t)i, .frames = (uint32_t)frames, .content = content};
    }
}

/* A group that is being merged: its frames are seen at `view`. */
struct merging {
    struct tt_pass *pass;
    struct tt_group *group;
    const struct tt_quiet *quiet;
    size_t *budget; /* mappings */
    int frames;
    unsigned char *view;
};

static unsigned char *unit_base(const struct tt_unit *unit) { return unit->segment->base + unit->at * TT_PAGE_BYTES; }

/* Takes out of the group whom `keeps` does not keep. */
static void filter_group(const struct merging *merging, bool (*keeps)(const struct merging *merging, struct tt_unit *unit)) {
    for (uint32_t *link = &merging->group->first; *link != 0;) {
        struct tt_unit *unit = &merging->pass->units[*link - 1];
        if (keeps(merging, unit)) {
            link = &unit->next;
        } else {
            *link = unit->next;
            merging->group->members--;
            merging->group->frames -= unit->frames;
        }
    }
}

static bool hold_unit(const struct merging *merging, struct tt_unit *unit) {
    return tt_quiet_hold(merging->quiet, unit_base(unit), merging->pass->bytes);
}

static bool release_unit(const struct merging *merging, struct tt_unit *unit) {
    tt_quiet_release(merging->quiet, unit_base(unit), merging->pass->bytes);
    return true;
}

/* What lives is read again: until the unit was held, its slots were given out and freed. */
static bool copy_unit(const struct merging *merging, struct tt_unit *unit) {
    static TN_SPARSE uint64_t live[TT_UNIT_WORDS_MOST];
    static TN_SPARSE unsigned char content[TT_UNIT_PAGES * TT_PAGE_BYTES];
    const struct tt_pass *pass = merging->pass;
    uint64_t *taken = merging->group->live;
    bool fits = tt_group_live(pass, unit->segment, unit->at, live) && tn_frames_copy(unit_base(unit), content, pass->bytes);
    for (size_t i = 0; fits && i < pass->pages; i++) {
        size_t w = i * TT_GRAIN_WORDS, offset = i * TT_PAGE_BYTES;
        fits = tt_live_fits(content + offset, live + w, merging->view + offset, taken + w);
    }
    if (!fits) {
        (void)release_unit(merging, unit);
        return false;
    }
    for (size_t i = 0; i < pass->pages; i++)
        tt_live_copy(content + i * TT_PAGE_BYTES, live + i * TT_GRAIN_WORDS, merging->view + i * TT_PAGE_BYTES);
    for (size_t i = 0; i < pass->words; i++) taken[i] |= live[i];
    return true;
}

/* Shows the frames at every member's addresses. A member that cannot be shown stays what it was. Of how many frames
 * that were the members' own. */
static size_t show_group(const struct merging *merging, int frames) {
    struct tt_pass *pass = merging->pass;
    size_t freed = 0;
    for (uint32_t u = merging->group->first; u != 0 && *merging->budget >= 2; u = pass->units[u - 1].next) {
        struct tt_unit *unit = &pass->units[u - 1];
        if (!tn_frames_show(frames, unit_base(unit), pass->bytes)) break;
        uint8_t *sharing = &unit->segment->sharing[unit->at];
        bool again = *sharing != 0;
        bool beside = unit->at % TT_SEGMENT_PAGES != 0 && sharing[-1] != 0;
        *merging->budget -= again ? 0 : beside ? 1 : 2;
        if (!again) freed += unit->frames;
        memset(sharing, (int)merging->group->members, pass->pages);
        memset(&unit->segment->part[unit->at], TN_SPACE_PLAIN, pass->pages);
    }
    return freed;
}

/* What the group saves: frames, of which there have to be as many as half of its members, who take two mappings
 * each. */
static bool is_worth_it(const struct tt_group *group, size_t union_frames) {
    return group->members >= 2 && group->frames > union_frames && (group->frames - union_frames) * 2 >= group->members;
}

/* Of a held group: all members' objects into one unit of frames, then the frames to every member's addresses. */
static void share_frames(struct merging *merging) {
    struct tt_pass *pass = merging->pass;
    struct tt_group *group = merging->group;
    size_t freed = 0, needed = 0;
    memset(group->live, 0, pass->words * sizeof *group->live);
    filter_group(merging, copy_unit);
    needed = tt_group_pages(pass, group->live);
    if (is_worth_it(group, needed)) freed = show_group(merging, merging->frames);
    if (freed > needed)
        atomic_fetch_add_explicit(&shared_bytes, (freed - needed) * TT_PAGE_BYTES, memory_order_relaxed);
}

/* Groups that are held at the same time, so that what settles one settles all: few units, as writers wait for them. */
struct batch {
    size_t count, units;
    struct merging groups[BATCH_GROUPS_MOST];
};

static void merge_batch(struct batch *batch, const struct tt_quiet *quiet) {
    for (size_t i = 0; i < batch->count; i++) filter_group(&batch->groups[i], hold_unit);
    bool settled = batch->count != 0 && tt_quiet_settle(quiet);
    for (size_t i = 0; i < batch->count; i++) {
        struct merging *merging = &batch->groups[i];
        if (settled) share_frames(merging);
        filter_group(merging, release_unit);
        tn_frames_close(merging->frames, merging->view, merging->pass->bytes);
    }
    batch->count = batch->units = 0;
}

static void merge_groups(struct tt_pass *pass, const struct tt_quiet *quiet, size_t *budget) {
    static TN_SPARSE struct batch batch;
    batch.count = batch.units = 0;
    for (size_t g = 0; g < pass->group_count && *budget >= 2; g++) {
        struct tt_group *group = &pass->groups[g];
        size_t needed = pass->equal ? group->frames / (group->members + (group->members == 0)) : tt_group_pages(pass, group->live);
        if (!is_worth_it(group, needed)) continue;
        struct merging *merging = &batch.groups[batch.count];
        *merging = (struct merging){.pass = pass, .group = group, .quiet = quiet, .budget = budget};
        merging->frames = tn_frames_open(pass->bytes, &merging->view);
        if (merging->frames < 0) break;
        batch.count++;
        batch.units += group->members;
        if (batch.count < BATCH_GROUPS_MOST && batch.units < BATCH_UNITS) continue;
        merge_batch(&batch, quiet);
        if (tt_quiet_is_spent()) return;
    }
    merge_batch(&batch, quiet);
}

/* Units of so many pages come to share frames; takes the mappings that it spends off the budget. */
static void compact_units(struct work *work, size_t pages, bool equal, size_t *budget) {
    struct tt_pass *pass = &work->pass;
    if (*budget < 4) {
        unfinished = true;
        return;
    }
    tt_group_start(pass, pages, equal);
    for (size_t i = 0; i < work->runs; i++) collect_run(pass, &work->cold[i], work->map);
    struct tt_quiet quiet;
    if (pass->count < UNITS_LEAST || !tt_quiet_begin(&quiet)) return;
    tt_group_units(pass);
    merge_groups(pass, &quiet, budget);
    tt_quiet_end(&quiet);
}

/* Looks at what lies on the runs that became cold since the last time. */
static void examine(struct work *work) {
    size_t pages = 0;
    for (size_t i = 0; i < work->runs; i++) {
        struct tt_run *run = &work->cold[i].segment->runs[work->cold[i].at];
        if (run->examined != 0) continue;
        if (pages >= EXAMINED_MOST) {
            unfinished = true;
            return;
        }
        tt_contents_examine(work->cold[i].segment, work->cold[i].at, work->map);
        pages += run->pages;
    }
}

/* First what saves most for a mapping. Single pages leave half of the mappings for rows to come. The mappings that it
 * took. */
static size_t compact_with(struct work *work, size_t budget) {
    size_t had = budget, left;
    size_t system = tn_space_page_size() / TT_PAGE_BYTES;
    compact_units(work, TT_UNIT_PAGES, true, &budget);
    compact_units(work, TT_UNIT_PAGES, false, &budget);
    left = budget - budget / 2;
    budget /= 2;
    compact_units(work, system, true, &budget);
    compact_units(work, system, false, &budget);
    unfinished = unfinished || work->pass.incomplete;
    return had - left - budget;
}

/* Finds the cold runs; without work it only counts. */
struct cold_pages {
    size_t all, fresh; /* fresh: cold since the last time */
};
TN_RACY static struct cold_pages find_cold_runs(struct work *work) {
    struct cold_pages pages = {0};
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; (i = tt_page_next_run(s, i)) < TT_SEGMENT_PAGES; i++) {
            if (!tt_run_is_cold(&s->runs[i])) continue;
            pages.all += s->runs[i].pages;
            if (s->runs[i].examined == 0) pages.fresh += s->runs[i].pages;
            if (work != NULL && work->runs < COLD_RUNS_MOST) work->cold[work->runs++] = (struct cold_run){s, (uint32_t)i};
        }
    return pages;
}

/* What could not be merged before can be only if something else has become cold: an eighth of the whole, so that a page
 * is looked at a few times in all, or less after some looks. */
static bool is_due(void) {
    static unsigned waited;
    struct cold_pages cold = find_cold_runs(NULL);
    if (!unfinished && cold.fresh * FRESH_PART < cold.all && ++waited < LOOKS_WAITED) return false;
    waited = 0;
    return unfinished || cold.fresh > 0;
}

size_t tt_compact_cold(size_t mappings_most, size_t mappings_now) {
    size_t spent = 0;
    size_t page = tn_space_page_size(), bytes = (sizeof(struct work) + page - 1) & ~(page - 1);
    if (page < TT_PAGE_BYTES || page / TT_PAGE_BYTES >= TT_UNIT_PAGES) return 0;
    lock();
    struct work *work = is_due() ? tn_space_map(bytes, page) : NULL;
    if (work != NULL) {
        unfinished = false;
        tt_quiet_start_look();
        work->map = tn_frames_map_open();
        (void)find_cold_runs(work);
        examine(work);
        if (mappings_now + MAPPINGS_SPARE < mappings_most)
            spent = compact_with(work, mappings_most - mappings_now - MAPPINGS_SPARE);
        unfinished = unfinished || tt_quiet_is_spent();
        tn_frames_map_close(work->map);
        (void)tn_space_unmap(work, bytes);
    }
    unlock();
    return spent;
}

bool tt_compact_keep_off(void) { return try_lock(); }
void tt_compact_carry_on(void) { unlock(); }

/* Calls that change what the program has mapped, of our memory. */
static uint64_t changes, changes_before;

bool tt_compact_wait(void) {
    bool waits = !is_holder();
    if (waits) lock();
    changes++;
    return waits;
}

void tt_compact_start_look(void) {
    lock();
    changes_before = changes;
    unlock();
}

bool tt_compact_begin_views(void) {
    lock();
    bool unchanged = changes == changes_before;
    if (!unchanged) unlock();
    return unchanged;
}

void tt_compact_before_fork(void) { lock(); }
void tt_compact_after_fork(void) { unlock(); }

bool tt_compact_restore(struct tt_segment *segment, size_t at, size_t pages) {
    size_t sharing = 0;
    for (size_t i = at; i < at + pages; i++) sharing += segment->sharing[i] != 0;
    if (sharing == 0) return true;
    /* Units begin and end with pages of the system's. */
    size_t system = tn_space_page_size() / TT_PAGE_BYTES;
    size_t first = (at + system - 1) / system * system, end = (at + pages) / system * system;
    if (!tn_frames_forget(segment->base + first * TT_PAGE_BYTES, (end - first) * TT_PAGE_BYTES)) return false;
    memset(&segment->sharing[at], 0, pages);
    memset(&segment->protection[at], 0, pages);
    memset(&segment->part[first], TN_SPACE_PLAIN, end - first);
    uint64_t now = tt_compact_shared_bytes(), less = sharing * TT_PAGE_BYTES;
    atomic_fetch_sub_explicit(&shared_bytes, now < less ? now : less, memory_order_relaxed);
    return true;
}
