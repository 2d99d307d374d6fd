/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/compact.h"

#include <stdatomic.h>
#include <string.h>

#include "prim/frames.h"
#include "prim/hold.h"
#include "prim/lock.h"
#include "prim/space.h"
#include "tolerant/allocate.h"
#include "tolerant/cold.h"

#define UNIT_WORDS_MOST (TT_UNIT_PAGES * TT_SLOT_WORDS)
#define UNITS_MOST ((size_t)65536)
#define GROUPS_MOST ((size_t)32768)
#define GROUP_WORDS_MOST ((size_t)4096 * UNIT_WORDS_MOST) /* of all groups together */
/* Groups that a unit is tried with: the latest. */
#define GROUPS_TRIED 512
/* A unit that shares with fewer others may be grouped anew. */
#define GROUP_ENOUGH 16
/* Fewer units are not worth a pass. */
#define UNITS_LEAST 4
#define GROUP_MEMBERS_MOST 250

struct unit {
    struct tt_segment *segment;
    uint32_t at;   /* its first page */
    uint32_t next; /* in the group, plus 1 */
    uint32_t group;
};

struct group {
    uint64_t *live;
    uint32_t size; /* of a slot */
    uint32_t members;
    uint32_t first; /* unit plus 1 */
};

/* A pass over units of so many pages. */
struct pass {
    size_t pages, bytes, words;
    size_t count, group_count;
    size_t budget; /* mappings */
    int hold;      /* of a process with threads; -1: of one thread */
    struct unit units[UNITS_MOST];
    struct group groups[GROUPS_MOST];
    uint64_t live[GROUP_WORDS_MOST];
};

/* Held while units are chosen and merged: no run is given back meanwhile. */
static tn_lock lock = TN_LOCK_INITIALIZER;
static _Atomic uint64_t shared_bytes;

uint64_t tt_compact_shared_bytes(void) { return atomic_load_explicit(&shared_bytes, memory_order_relaxed); }

TN_RACY static uint64_t live_word(struct tt_segment *segment, struct tt_page *page, unsigned w) {
    if (page->slots <= w * 64) return 0;
    uint64_t valid = page->slots >= (w + 1) * 64 ? ~(uint64_t)0 : ((uint64_t)1 << (page->slots - w * 64)) - 1;
    return valid & ~page->free[w] & ~tt_page_freed_remotely(segment, page, w);
}

/* Which slots of the unit live; false if it is no candidate: more than half of a page lives. */
TN_RACY static bool live_slots(const struct pass *pass, struct tt_segment *segment, size_t at, uint64_t *live) {
    for (size_t i = 0; i < pass->pages; i++) {
        struct tt_page *page = &segment->pages[at + i];
        unsigned count = 0;
        if (page->kind != TT_PAGE_SLOTS || page->span != 1 || page->slots == 0) return false;
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
            live[i * TT_SLOT_WORDS + w] = live_word(segment, page, w);
            count += tt_count_bits(live[i * TT_SLOT_WORDS + w]);
        }
        if (count * 2 > page->slots) return false;
    }
    return true;
}

TN_RACY static void collect_run(struct tt_segment *segment, size_t at, struct pass *pass) {
    struct tt_run *run = &segment->runs[at];
    if (run->pages % TT_UNIT_PAGES != 0 || at % TT_UNIT_PAGES != 0 || !tt_run_is_cold(run)) return;
    uint64_t live[UNIT_WORDS_MOST];
    unsigned enough = pass->pages == 1 ? 2 : GROUP_ENOUGH;
    for (size_t i = at; i < at + run->pages && pass->count < UNITS_MOST; i += pass->pages) {
        if (segment->sharing[i] >= enough || !live_slots(pass, segment, i, live)) continue;
        pass->units[pass->count++] = (struct unit){.segment = segment, .at = (uint32_t)i};
    }
}

static bool disjoint(const struct pass *pass, const uint64_t *a, const uint64_t *b) {
    for (size_t i = 0; i < pass->words; i++)
        if ((a[i] & b[i]) != 0) return false;
    return true;
}

/* First fit among the latest groups of the slot size (the paper's search, bounded). */
static struct group *find_group(struct pass *pass, uint32_t size, const uint64_t *live) {
    size_t oldest = pass->group_count > GROUPS_TRIED ? pass->group_count - GROUPS_TRIED : 0;
    for (size_t g = oldest; g < pass->group_count; g++) {
        struct group *group = &pass->groups[g];
        if (group->size == size && group->members < GROUP_MEMBERS_MOST && disjoint(pass, group->live, live)) return group;
    }
    if (pass->group_count == GROUPS_MOST || (pass->group_count + 1) * pass->words > GROUP_WORDS_MOST) return NULL;
    struct group *group = &pass->groups[pass->group_count];
    group->live = &pass->live[pass->group_count++ * pass->words];
    group->size = size;
    return group;
}

static void assign_groups(struct pass *pass) {
    uint64_t live[UNIT_WORDS_MOST];
    for (size_t u = 0; u < pass->count; u++) {
        struct unit *unit = &pass->units[u];
        if (!live_slots(pass, unit->segment, unit->at, live)) continue;
        struct group *group = find_group(pass, unit->segment->pages[unit->at].size, live);
        if (group == NULL) return;
        for (size_t i = 0; i < pass->words; i++) group->live[i] |= live[i];
        unit->next = group->first;
        group->first = (uint32_t)u + 1;
        group->members++;
    }
}

static unsigned char *unit_base(const struct unit *unit) { return unit->segment->base + unit->at * TT_PAGE_BYTES; }

static void copy_live(const struct pass *pass, const struct unit *unit, const uint64_t *live, unsigned char *view) {
    const unsigned char *base = unit_base(unit);
    for (size_t i = 0; i < pass->pages; i++) {
        size_t size = unit->segment->pages[unit->at + i].size;
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++)
            for (uint64_t bits = live[i * TT_SLOT_WORDS + w]; bits != 0; bits &= bits - 1) {
                size_t offset = i * TT_PAGE_BYTES + (w * 64 + (unsigned)__builtin_ctzll(bits)) * size;
                memcpy(view + offset, base + offset, size);
            }
    }
}

/* Takes out of the group whom `keeps` does not keep. */
static void filter_group(struct pass *pass, struct group *group,
                         bool (*keeps)(struct pass *pass, struct unit *unit, void *context), void *context) {
    for (uint32_t *link = &group->first; *link != 0;) {
        struct unit *unit = &pass->units[*link - 1];
        if (keeps(pass, unit, context)) {
            link = &unit->next;
        } else {
            *link = unit->next;
            group->members--;
        }
    }
}

static bool hold_unit(struct pass *pass, struct unit *unit, void *context) {
    (void)context;
    return tn_hold_range(pass->hold, unit_base(unit), pass->bytes);
}

static bool release_unit(struct pass *pass, struct unit *unit, void *context) {
    (void)context;
    tn_hold_release(pass->hold, unit_base(unit), pass->bytes);
    return true;
}

struct copying {
    struct group *group;
    unsigned char *view;
};

/* What lives is read again: until the unit was held, its slots were given out and freed. */
static bool copy_unit(struct pass *pass, struct unit *unit, void *context) {
    struct copying *copying = context;
    uint64_t live[UNIT_WORDS_MOST];
    if (!live_slots(pass, unit->segment, unit->at, live) || !disjoint(pass, copying->group->live, live)) {
        if (pass->hold >= 0) tn_hold_release(pass->hold, unit_base(unit), pass->bytes);
        return false;
    }
    for (size_t i = 0; i < pass->words; i++) copying->group->live[i] |= live[i];
    copy_live(pass, unit, live, copying->view);
    return true;
}

/* Shows the frames at every member's addresses. A member that cannot be shown stays what it was. The number of pages
 * that had frames of their own. */
static size_t show_group(struct pass *pass, const struct group *group, int frames) {
    size_t shown = 0;
    for (uint32_t u = group->first; u != 0 && pass->budget >= 2; u = pass->units[u - 1].next) {
        struct unit *unit = &pass->units[u - 1];
        if (!tn_frames_show(frames, unit_base(unit), pass->bytes)) break;
        uint8_t *sharing = &unit->segment->sharing[unit->at];
        bool again = *sharing != 0;
        bool beside = unit->at % TT_SEGMENT_PAGES != 0 && sharing[-1] != 0;
        pass->budget -= again ? 0 : beside ? 1 : 2;
        for (size_t i = 0; i < pass->pages; i++) shown += sharing[i] == 0;
        memset(sharing, (int)group->members, pass->pages);
    }
    return shown;
}

/* All members' objects into one unit of frames, then the frames to every member's addresses; false if there are no
 * frames. */
static bool merge(struct pass *pass, struct group *group) {
    unsigned char *view;
    int frames = tn_frames_open(pass->bytes, &view);
    if (frames < 0) return false;
    size_t shown = 0;
    bool may = true;
    if (pass->hold >= 0) {
        filter_group(pass, group, hold_unit, NULL);
        may = tn_hold_settle() && tn_frames_quiet();
    }
    if (may) {
        memset(group->live, 0, pass->words * sizeof *group->live);
        filter_group(pass, group, copy_unit, &(struct copying){group, view});
        if (group->members >= 2) shown = show_group(pass, group, frames);
    }
    if (pass->hold >= 0) filter_group(pass, group, release_unit, NULL);
    tn_frames_close(frames, view, pass->bytes);
    if (shown > pass->pages)
        atomic_fetch_add_explicit(&shared_bytes, (shown - pass->pages) * TT_PAGE_BYTES, memory_order_relaxed);
    return true;
}

static void merge_groups(struct pass *pass) {
    for (size_t g = 0; g < pass->group_count && pass->budget >= 2; g++) {
        struct group *group = &pass->groups[g];
        if (group->members < 2) continue;
        if (!merge(pass, group)) return;
    }
}

/* Nothing but this thread writes to the units while they are merged. */
static void merge_safely(struct pass *pass) {
    tn_frames_signals_off();
    /* Only now: a handler may have started a thread. */
    pass->hold = -1;
    bool alone = tn_frames_alone();
    if (!alone && tn_frames_quiet()) pass->hold = tn_hold_open();
    if (alone || pass->hold >= 0) {
        assign_groups(pass);
        merge_groups(pass);
    }
    if (pass->hold >= 0) tn_hold_close(pass->hold);
    tn_frames_signals_on();
}

TN_RACY static size_t compact_units(struct pass *pass, size_t pages, size_t budget) {
    pass->pages = pages;
    pass->bytes = pages * TT_PAGE_BYTES;
    pass->words = pages * TT_SLOT_WORDS;
    pass->budget = budget;
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; i < TT_SEGMENT_PAGES; i += s->runs[i].pages != 0 ? s->runs[i].pages : 1)
            if (s->runs[i].pages != 0) collect_run(s, i, pass);
    if (pass->count >= UNITS_LEAST) merge_safely(pass);
    return budget - pass->budget;
}

TN_RACY void tt_compact_cold(size_t mappings_most, size_t mappings_now) {
    if (mappings_now + 64 >= mappings_most || tn_space_page_size() != TT_PAGE_BYTES) return;
    size_t bytes = (sizeof(struct pass) + TT_PAGE_BYTES - 1) & ~(TT_PAGE_BYTES - 1);
    size_t budget = mappings_most - mappings_now - 64;
    static const uint8_t unit_pages[] = {TT_UNIT_PAGES, 1};
    tn_lock_acquire(&lock);
    for (unsigned i = 0; i < sizeof unit_pages; i++) {
        struct pass *pass = tn_space_map(bytes, TT_PAGE_BYTES);
        if (pass == NULL) break;
        /* Single pages leave half of the mappings for rows to come. */
        budget -= compact_units(pass, unit_pages[i], unit_pages[i] == 1 ? budget / 2 : budget);
        tn_space_unmap(pass, bytes);
    }
    tn_lock_release(&lock);
}

bool tt_compact_keep_off(void) { return tn_lock_try(&lock); }
void tt_compact_carry_on(void) { tn_lock_release(&lock); }

void tt_compact_before_fork(void) { tn_lock_acquire(&lock); }
void tt_compact_after_fork(bool child) {
    if (child)
        tn_lock_renew(&lock);
    else
        tn_lock_release(&lock);
}

bool tt_compact_restore(struct tt_segment *segment, size_t at, size_t pages) {
    size_t sharing = 0;
    for (size_t i = at; i < at + pages; i++) sharing += segment->sharing[i] != 0;
    if (sharing == 0) return true;
    if (!tn_frames_forget(segment->base + at * TT_PAGE_BYTES, pages * TT_PAGE_BYTES)) return false;
    memset(&segment->sharing[at], 0, pages);
    uint64_t now = tt_compact_shared_bytes(), less = sharing * TT_PAGE_BYTES;
    atomic_fetch_sub_explicit(&shared_bytes, now < less ? now : less, memory_order_relaxed);
    return true;
}
