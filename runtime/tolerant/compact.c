/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/compact.h"

#include <stdatomic.h>
#include <string.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "tolerant/allocate.h"
#include "tolerant/cold.h"

#define UNIT_PAGES TT_UNIT_PAGES
#define UNIT_BYTES (UNIT_PAGES * TT_PAGE_BYTES)
#define UNIT_WORDS (UNIT_PAGES * TT_SLOT_WORDS)
#define UNITS_MOST ((size_t)65536)
#define GROUPS_MOST ((size_t)4096)
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
    uint64_t live[UNIT_WORDS];
    uint32_t size; /* of a slot */
    uint32_t members;
    uint32_t first; /* unit plus 1 */
};

struct pass {
    size_t count, group_count;
    size_t budget; /* mappings */
    struct unit units[UNITS_MOST];
    struct group groups[GROUPS_MOST];
};

static _Atomic uint64_t shared_bytes;

uint64_t tt_compact_shared_bytes(void) { return atomic_load_explicit(&shared_bytes, memory_order_relaxed); }

TN_RACY static uint64_t live_word(struct tt_page *page, unsigned w) {
    if (page->slots <= w * 64) return 0;
    uint64_t valid = page->slots >= (w + 1) * 64 ? ~(uint64_t)0 : ((uint64_t)1 << (page->slots - w * 64)) - 1;
    return valid & ~page->free[w] & ~atomic_load_explicit(&page->remote[w], memory_order_acquire);
}

/* Which slots of the unit live; false if it is no candidate: more than half of a page lives. */
TN_RACY static bool live_slots(struct tt_segment *segment, size_t at, uint64_t live[UNIT_WORDS]) {
    for (size_t i = 0; i < UNIT_PAGES; i++) {
        struct tt_page *page = &segment->pages[at + i];
        unsigned count = 0;
        if (page->kind != TT_PAGE_SLOTS || page->span != 1 || page->slots == 0) return false;
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
            live[i * TT_SLOT_WORDS + w] = live_word(page, w);
            count += (unsigned)__builtin_popcountll(live[i * TT_SLOT_WORDS + w]);
        }
        if (count * 2 > page->slots) return false;
    }
    return true;
}

TN_RACY static void collect_run(struct tt_segment *segment, size_t at, struct pass *pass) {
    struct tt_run *run = &segment->runs[at];
    if (run->pages % UNIT_PAGES != 0 || at % UNIT_PAGES != 0 || !tt_run_is_cold(run)) return;
    uint64_t live[UNIT_WORDS];
    for (size_t i = at; i < at + run->pages && pass->count < UNITS_MOST; i += UNIT_PAGES) {
        if (segment->sharing[i / UNIT_PAGES] >= GROUP_ENOUGH || !live_slots(segment, i, live)) continue;
        pass->units[pass->count++] = (struct unit){.segment = segment, .at = (uint32_t)i};
    }
}

static bool disjoint(const uint64_t *a, const uint64_t *b) {
    for (size_t i = 0; i < UNIT_WORDS; i++)
        if ((a[i] & b[i]) != 0) return false;
    return true;
}

/* First fit among the latest groups of the slot size (the paper's search, bounded). */
static struct group *find_group(struct pass *pass, uint32_t size, const uint64_t live[UNIT_WORDS]) {
    size_t oldest = pass->group_count > GROUPS_TRIED ? pass->group_count - GROUPS_TRIED : 0;
    for (size_t g = oldest; g < pass->group_count; g++) {
        struct group *group = &pass->groups[g];
        if (group->size == size && group->members < GROUP_MEMBERS_MOST && disjoint(group->live, live)) return group;
    }
    if (pass->group_count == GROUPS_MOST) return NULL;
    struct group *group = &pass->groups[pass->group_count++];
    group->size = size;
    return group;
}

static void assign_groups(struct pass *pass) {
    uint64_t live[UNIT_WORDS];
    for (size_t u = 0; u < pass->count; u++) {
        struct unit *unit = &pass->units[u];
        if (!live_slots(unit->segment, unit->at, live)) continue;
        struct group *group = find_group(pass, unit->segment->pages[unit->at].size, live);
        if (group == NULL) return;
        for (size_t i = 0; i < UNIT_WORDS; i++) group->live[i] |= live[i];
        unit->next = group->first;
        group->first = (uint32_t)u + 1;
        group->members++;
    }
}

static void copy_live(const struct unit *unit, unsigned char *view) {
    uint64_t live[UNIT_WORDS];
    if (!live_slots(unit->segment, unit->at, live)) return;
    const unsigned char *base = unit->segment->base + unit->at * TT_PAGE_BYTES;
    for (size_t i = 0; i < UNIT_PAGES; i++) {
        size_t size = unit->segment->pages[unit->at + i].size;
        for (unsigned w = 0; w < TT_SLOT_WORDS; w++)
            for (uint64_t bits = live[i * TT_SLOT_WORDS + w]; bits != 0; bits &= bits - 1) {
                size_t offset = i * TT_PAGE_BYTES + (w * 64 + (unsigned)__builtin_ctzll(bits)) * size;
                memcpy(view + offset, base + offset, size);
            }
    }
}

/* All members' objects into one unit of frames, then the frames to every member's addresses. A member that cannot be
 * shown stays what it was. */
static bool merge(struct pass *pass, const struct group *group) {
    unsigned char *view;
    int frames = tn_frames_open(UNIT_BYTES, &view);
    if (frames < 0) return false;
    for (uint32_t u = group->first; u != 0; u = pass->units[u - 1].next) copy_live(&pass->units[u - 1], view);
    uint64_t shown = 0;
    for (uint32_t u = group->first; u != 0; u = pass->units[u - 1].next) {
        struct unit *unit = &pass->units[u - 1];
        if (pass->budget < 2) break;
        if (!tn_frames_show(frames, unit->segment->base + unit->at * TT_PAGE_BYTES, UNIT_BYTES)) break;
        bool again = unit->segment->sharing[unit->at / UNIT_PAGES] != 0;
        bool beside = unit->at % TT_SEGMENT_PAGES != 0 && unit->segment->sharing[unit->at / UNIT_PAGES - 1] != 0;
        pass->budget -= again ? 0 : beside ? 1 : 2;
        if (!again) shown++;
        unit->segment->sharing[unit->at / UNIT_PAGES] = (uint8_t)group->members;
    }
    tn_frames_close(frames, view, UNIT_BYTES);
    if (shown > 1) atomic_fetch_add_explicit(&shared_bytes, (shown - 1) * UNIT_BYTES, memory_order_relaxed);
    return shown != 0;
}

static void merge_groups(struct pass *pass) {
    for (size_t g = 0; g < pass->group_count && pass->budget >= 2; g++) {
        struct group *group = &pass->groups[g];
        if (group->members < 2) continue;
        if (!merge(pass, group)) return;
    }
}

TN_RACY void tt_compact_cold(size_t mappings_most, size_t mappings_now) {
    if (mappings_now + 64 >= mappings_most || tn_space_page_size() != TT_PAGE_BYTES) return;
    struct pass *pass = tn_space_map((sizeof *pass + TT_PAGE_BYTES - 1) & ~(TT_PAGE_BYTES - 1), TT_PAGE_BYTES);
    if (pass == NULL) return;
    pass->budget = mappings_most - mappings_now - 64;
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; i < TT_SEGMENT_PAGES; i += s->runs[i].pages != 0 ? s->runs[i].pages : 1)
            if (s->runs[i].pages != 0) collect_run(s, i, pass);
    if (pass->count >= UNITS_LEAST && tn_frames_alone()) {
        tn_frames_signals_off();
        /* Once more, now that no handler can run in between: a handler may have started a thread. */
        if (tn_frames_alone()) {
            assign_groups(pass);
            merge_groups(pass);
        }
        tn_frames_signals_on();
    }
    tn_space_unmap(pass, (sizeof *pass + TT_PAGE_BYTES - 1) & ~(TT_PAGE_BYTES - 1));
}

bool tt_compact_restore(struct tt_segment *segment, size_t at, size_t pages) {
    bool sharing = false;
    for (size_t u = at / UNIT_PAGES; u < (at + pages) / UNIT_PAGES; u++) sharing |= segment->sharing[u] != 0;
    if (!sharing || at % UNIT_PAGES != 0) return true;
    if (!tn_frames_forget(segment->base + at * TT_PAGE_BYTES, pages * TT_PAGE_BYTES)) return false;
    for (size_t u = at / UNIT_PAGES; u < (at + pages) / UNIT_PAGES; u++) {
        if (segment->sharing[u] == 0) continue;
        segment->sharing[u] = 0;
        uint64_t now = tt_compact_shared_bytes();
        atomic_fetch_sub_explicit(&shared_bytes, now < UNIT_BYTES ? now : UNIT_BYTES, memory_order_relaxed);
    }
    return true;
}
