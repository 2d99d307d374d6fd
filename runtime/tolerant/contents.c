/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/contents.h"

#include <string.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "tolerant/live.h"
#include "tolerant/quiet.h"

/* Pages of a run of which the kernel is asked together. */
#define STRETCH ((size_t)64)

static _Atomic uint64_t released_bytes;

uint64_t tt_contents_released_bytes(void) { return atomic_load_explicit(&released_bytes, memory_order_relaxed); }

static unsigned char *base_of(struct tt_segment *segment, size_t at) { return segment->base + at * TT_PAGE_BYTES; }

/* Pages are read by a system call, which fails on one that another thread protects meanwhile. */
static TN_SPARSE _Alignas(64) unsigned char copies[STRETCH * TT_PAGE_BYTES];

/* The content of the page, of which there is a copy: its number, TT_CONTENT_RELEASED if nothing but zeros lives there,
 * 0 if there are no slots. */
static uint64_t content_of(struct tt_segment *segment, size_t at, const unsigned char *copy) {
    uint64_t live[TT_GRAIN_WORDS];
    if (!tt_live_grains(segment, at, live)) return 0;
    struct tt_content content = tt_live_content(copy, live);
    return content.zero ? TT_CONTENT_RELEASED : content.number;
}

/* Whether the pages of one of the system's hold nothing. */
static bool holds_nothing(struct tt_segment *segment, size_t at, size_t pages) {
    if (!tn_frames_copy(base_of(segment, at), copies, pages * TT_PAGE_BYTES)) return false;
    for (size_t i = 0; i < pages; i++)
        if (content_of(segment, at + i, copies + i * TT_PAGE_BYTES) != TT_CONTENT_RELEASED) return false;
    return true;
}

/* Gives the frames back of the system's pages of a run that hold nothing, while nobody can write there. */
static void release_run(struct tt_segment *segment, size_t at, size_t pages, size_t system) {
    struct tt_quiet quiet;
    if (!tt_quiet_begin(&quiet)) return;
    unsigned char *base = base_of(segment, at);
    if (tt_quiet_hold(&quiet, base, pages * TT_PAGE_BYTES)) {
        size_t given = 0;
        bool settled = tt_quiet_settle(&quiet);
        for (size_t i = at; settled && i < at + pages; i += system) {
            if (segment->content[i] != TT_CONTENT_RELEASED || !holds_nothing(segment, i, system)) continue;
            if (!tn_space_discard(base_of(segment, i), system * TT_PAGE_BYTES)) break;
            given += system * TT_PAGE_BYTES;
        }
        tt_quiet_release(&quiet, base, pages * TT_PAGE_BYTES);
        atomic_fetch_add_explicit(&released_bytes, given, memory_order_relaxed);
    }
    tt_quiet_end(&quiet);
}

/* Pages in a row, which have frames of their own. Without anybody waiting: what is found here to hold nothing is looked
 * at again. True if there is some. */
static bool read_row(struct tt_segment *segment, size_t at, size_t pages, size_t system) {
    bool any = false;
    if (pages == 0 || !tn_frames_copy(base_of(segment, at), copies, pages * TT_PAGE_BYTES)) return false;
    for (size_t i = 0; i < pages; i++) {
        segment->content[at + i] = content_of(segment, at + i, copies + i * TT_PAGE_BYTES);
        any = any || (i % system == 0 && segment->content[at + i] == TT_CONTENT_RELEASED);
    }
    return any;
}

static bool read_stretch(struct tt_segment *segment, size_t at, size_t pages, size_t system, int map) {
    unsigned char flags[STRETCH];
    bool any = false;
    size_t row = at, end = at + pages;
    tn_frames_map_read(map, base_of(segment, at), pages / system, flags);
    for (size_t i = at; i < end; i += system) {
        bool own = flags[(i - at) / system] == TN_FRAME_PRESENT;
        for (size_t k = i; k < i + system; k++) own = own && segment->sharing[k] == 0;
        if (own) continue;
        any = read_row(segment, row, i - row, system) || any;
        row = i + system;
    }
    return read_row(segment, row, end - row, system) || any;
}

void tt_contents_examine(struct tt_segment *segment, size_t at, int map) {
    struct tt_run *run = &segment->runs[at];
    size_t system = tn_space_page_size() / TT_PAGE_BYTES, end = at + run->pages;
    if (system == 0 || system > STRETCH) return;
    memset(&segment->content[at], 0, run->pages * sizeof segment->content[0]);
    size_t first = (at + system - 1) / system * system;
    bool any = false;
    for (size_t i = first; i + system <= end; i += STRETCH) {
        size_t pages = end - i < STRETCH ? (end - i) / system * system : STRETCH;
        any = read_stretch(segment, i, pages, system, map) || any;
    }
    if (any) release_run(segment, first, (end - first) / system * system, system);
    run->examined = !any || !tt_quiet_is_spent();
    /* Reading counts as a reference; it was none of the program's. */
    (void)tn_space_cold(base_of(segment, at), run->pages * TT_PAGE_BYTES);
}
