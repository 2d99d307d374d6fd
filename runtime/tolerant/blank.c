/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/blank.h"

#include <stdatomic.h>
#include <string.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/alike.h"
#include "tolerant/large.h"
#include "tolerant/page.h"
#include "tolerant/quiet.h"
#include "tolerant/site.h"

/* What is looked at in one piece: as long may an allocation of another large object have to wait. */
#define PIECE_BYTES ((size_t)1024 * 1024)
#define PIECE_PAGES (PIECE_BYTES / TT_PAGE_BYTES)
/* Objects, and bytes, that are looked at in one look. */
#define OBJECTS_MOST ((size_t)8192)
#define BYTES_MOST ((size_t)256 * 1024 * 1024)
/* Mappings that are left to others. */
#define MAPPINGS_SPARE 64

static _Atomic uint64_t released_bytes;

uint64_t tt_blank_released_bytes(void) { return atomic_load_explicit(&released_bytes, memory_order_relaxed); }

/* What is no plain memory, by address. */
#define OTHERS_MOST 2048
static TN_SPARSE struct {
    uintptr_t start, end;
} others[OTHERS_MOST];
static size_t other_count;
static bool others_known;

void tt_blank_start_look(void) {
    other_count = 0;
    others_known = true;
}

void tt_blank_take_mapping(const struct tn_mapping *mapping) {
    /* Views of ours are known without the kernel, and may be many. */
    if ((!mapping->file || mapping->frames) && !mapping->special) return;
    if (other_count > 0 && others[other_count - 1].end == mapping->start) {
        others[other_count - 1].end = mapping->end;
    } else if (other_count < OTHERS_MOST) {
        others[other_count].start = mapping->start;
        others[other_count++].end = mapping->end;
    } else {
        others_known = false;
    }
}

/* Whether pages of the object are views of shared frames. */
TN_RACY static bool has_views(const unsigned char *object, size_t size) {
    const struct tt_segment *segment = tt_segment_holding(object);
    size_t at = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT, pages = size >> TT_PAGE_SHIFT;
    for (size_t i = 0; segment != NULL && i < pages && at + i < segment->pages_mapped; i++)
        if (segment->sharing[at + i] != 0) return true;
    return false;
}

static bool is_plain(const unsigned char *object, size_t size) {
    uintptr_t start = (uintptr_t)object;
    size_t low = 0, high = other_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (others[middle].end > start)
            high = middle;
        else
            low = middle + 1;
    }
    return low == other_count || others[low].start >= start + size;
}

/* Objects that were looked at already, of those that are due, in the order of the walk: a look may end before all
 * were. */
static size_t looked_at;

struct work {
    size_t count, bytes; /* bytes: that were read */
    size_t passed;       /* objects that are due, in the walk */
    bool whole;          /* those that there was room for are all */
    int map;
    struct tt_alike_object objects[OBJECTS_MOST];
    unsigned char flags[PIECE_PAGES];
    bool blank[PIECE_PAGES];
    _Alignas(64) unsigned char content[64 * 1024];
    struct tt_alike alike;
};

static void collect(const struct tt_large *object, void *context) {
    struct work *work = context;
    struct tt_site *site = tt_site_numbered(object->site & ~TT_LARGE_ALIGNED);
    if (site == NULL || (object->site & TT_LARGE_ALIGNED) != 0) return;
    if (object->birth > site->cold_until || object->birth <= site->examined_until) return;
    if (!is_plain(object->start, object->size) || has_views(object->start, object->size)) return;
    if (work->passed++ < looked_at) return;
    if (work->count < OBJECTS_MOST)
        work->objects[work->count++] = (struct tt_alike_object){object->start, object->size, object->birth};
    else
        work->whole = false;
}

static bool is_zero(struct work *work, const unsigned char *page, size_t system) {
    if (!tn_frames_read(page, work->content, system)) return false;
    uint64_t any = 0, word;
    for (size_t i = 0; i < system && any == 0; i += sizeof word) {
        memcpy(&word, work->content + i, sizeof word);
        any |= word;
    }
    return any == 0;
}

/* True if there are pages of the piece that hold only zeros. Of the others is noted what they hold. */
static bool find_blank(struct work *work, const struct tt_alike_object *object, const unsigned char *start, size_t pages, size_t system) {
    bool any = false, may_share = tt_segment_holding(object->start) != NULL;
    size_t first = (size_t)(start - object->start) / system;
    tn_frames_map_read(work->map, start, pages, work->flags);
    for (size_t i = 0; i < pages; i++) {
        bool present = work->flags[i] == TN_FRAME_PRESENT;
        work->blank[i] = present && is_zero(work, start + i * system, system);
        work->bytes += present ? system : 0;
        any = any || work->blank[i];
        if (present && !work->blank[i] && may_share)
            tt_alike_note(&work->alike, (uint32_t)(object - work->objects), first + i, work->content);
    }
    return any;
}

static void release_blank(struct work *work, unsigned char *start, size_t pages, size_t system) {
    struct tt_quiet quiet;
    if (!tt_quiet_begin(&quiet)) return;
    if (tt_quiet_hold(&quiet, start, pages * system)) {
        size_t given = 0;
        bool settled = tt_quiet_settle(&quiet);
        for (size_t i = 0; settled && i < pages; i++)
            if (work->blank[i] && is_zero(work, start + i * system, system) && tn_space_discard(start + i * system, system))
                given += system;
        tt_quiet_release(&quiet, start, pages * system);
        atomic_fetch_add_explicit(&released_bytes, given, memory_order_relaxed);
    }
    tt_quiet_end(&quiet);
}

static void examine(struct work *work, const struct tt_alike_object *object) {
    size_t system = tn_space_page_size(), aside = (size_t)(-(uintptr_t)object->start & (system - 1));
    for (size_t at = aside; at + system <= object->size; at += PIECE_BYTES) {
        size_t bytes = object->size - at < PIECE_BYTES ? object->size - at : PIECE_BYTES;
        unsigned char *start = object->start + at;
        if (!tt_large_keep(object->start, object->size, object->birth)) return;
        if (find_blank(work, object, start, bytes / system, system)) release_blank(work, start, bytes / system, system);
        /* Reading counts as a reference; it was none of the program's. */
        (void)tn_space_cold(start, bytes / system * system);
        tt_large_let_go();
    }
}

/* Whether there are sites with cold objects that were not looked at. */
static bool is_due(void) {
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older)
        if (site->cold_until > site->examined_until) return true;
    return false;
}

static void note_examined(struct tt_site *site) {
    site->examined_until = site->cold_until;
    site->examined_objects = site->large_objects;
}

/* What was alone may have become one of many: once a site has twice as many objects, all are looked at again. */
static void start_again(void) {
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) {
        if (site->examined_objects == 0 || site->large_objects < 2 * site->examined_objects) continue;
        site->examined_until = 0;
        site->examined_objects = 0;
        looked_at = 0;
    }
}

/* True if all that are due were looked at. */
static bool examine_all(struct work *work) {
    work->whole = true;
    tt_large_each(collect, work);
    for (size_t i = 0; i < work->count; i++, looked_at++) {
        if (work->bytes >= BYTES_MOST || tt_quiet_is_spent()) return false;
        examine(work, &work->objects[i]);
    }
    return work->whole;
}

void tt_blank_release(size_t mappings_most, size_t mappings_now) {
    size_t page = tn_space_page_size(), bytes = (sizeof(struct work) + page - 1) & ~(page - 1);
    start_again();
    struct work *work = page <= sizeof work->content && others_known && is_due() ? tn_space_map(bytes, page) : NULL;
    if (work == NULL) return;
    work->map = tn_frames_map_open();
    work->alike.objects = work->objects;
    work->alike.page_bytes = page;
    if (mappings_now + MAPPINGS_SPARE < mappings_most) work->alike.budget = mappings_most - mappings_now - MAPPINGS_SPARE;
    tt_quiet_start_look();
    if (work->map >= 0 && examine_all(work)) {
        looked_at = 0;
        for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older)
            if (site->cold_until > site->examined_until) note_examined(site);
    }
    tt_alike_share(&work->alike);
    tn_frames_map_close(work->map);
    (void)tn_space_unmap(work, bytes);
}
