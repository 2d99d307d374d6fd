/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/alike.h"

#include <stdbool.h>
#include <string.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "tolerant/change.h"
#include "tolerant/compact.h"
#include "tolerant/large.h"
#include "tolerant/page.h"
#include "tolerant/quiet.h"

/* Pages that are held at a time, as writers wait for them. */
#define BATCH_PAGES ((size_t)256)
#define BATCH_UNITS ((size_t)64)
#define FEW_PAGES 8
#define MEMBERS_LEAST 4
#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

static uint64_t number_of(const unsigned char *bytes, size_t size) {
    uint64_t number = size, word;
    for (size_t i = 0; i < size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        number = (number ^ number >> 29 ^ word) * FACTOR;
    }
    return number;
}

void tt_alike_note(struct tt_alike *alike, uint32_t object, size_t at, const void *bytes) {
    if (alike->page_count == TT_ALIKE_PAGES_MOST) return;
    alike->pages[alike->page_count++] =
        (struct tt_alike_page){.number = number_of(bytes, alike->page_bytes), .object = object, .at = (uint32_t)at};
}

static unsigned char *first_page(const struct tt_alike *alike, const struct tt_alike_object *object) {
    return object->start + (-(uintptr_t)object->start & (alike->page_bytes - 1));
}

static const struct tt_alike_object *object_of(const struct tt_alike *alike, const struct tt_alike_unit *unit) {
    return &alike->objects[alike->pages[unit->first].object];
}

static unsigned char *start_of(const struct tt_alike *alike, const struct tt_alike_unit *unit) {
    return first_page(alike, object_of(alike, unit)) + alike->pages[unit->first].at * alike->page_bytes;
}

/* Puts a unit among those with its number. */
static void add_unit(struct tt_alike *alike, struct tt_alike_unit unit) {
    size_t mask = alike->head_count - 1, i = (size_t)(unit.number >> 24) & mask;
    uint32_t index = (uint32_t)alike->unit_count++;
    while (alike->heads[i] != 0) {
        struct tt_alike_unit *head = &alike->units[alike->heads[i] - 1];
        if (head->number == unit.number && head->pages == unit.pages) {
            unit.next = head->next;
            head->next = index + 1;
            head->members++;
            alike->units[index] = unit;
            return;
        }
        i = (i + 1) & mask;
    }
    unit.members = 1;
    alike->units[index] = unit;
    alike->heads[i] = index + 1;
}

/* The number of pages from there on that lie side by side and share nothing yet, at most so many. */
static size_t row_from(const struct tt_alike *alike, size_t first, size_t most) {
    const struct tt_alike_page *page = &alike->pages[first];
    size_t count = 0;
    while (count < most && first + count < alike->page_count && page[count].object == page->object &&
           page[count].at == page->at + count && page[count].shared == 0)
        count++;
    return count;
}

/* Units of rows, or of single pages. Rows begin at the same places in all objects; the last of an object may be
 * short. */
static void find_units(struct tt_alike *alike, size_t pages) {
    memset(alike->heads, 0, alike->head_count * sizeof alike->heads[0]);
    alike->unit_count = 0;
    alike->head_count = 64;
    while (alike->head_count < 2 * alike->page_count) alike->head_count *= 2;
    for (size_t i = 0; i < alike->page_count;) {
        size_t most = pages - alike->pages[i].at % pages, count = row_from(alike, i, most);
        if (count == 0 || (pages > 1 && (count < 2 || count < most / 2))) {
            i += count == 0 ? 1 : count;
            continue;
        }
        struct tt_alike_unit unit = {.number = count, .first = (uint32_t)i, .pages = (uint32_t)count};
        for (size_t k = i; k < i + count; k++) unit.number = (unit.number ^ unit.number >> 31 ^ alike->pages[k].number) * FACTOR;
        add_unit(alike, unit);
        i += count;
    }
}

/* Units with the same number that are being made views of the same frames. */
struct sharing {
    struct tt_alike *alike;
    struct tt_quiet quiet;
    int frames;
    unsigned char *view;
    bool filled; /* the frames have the bytes that all members must have */
    size_t shown;
    size_t count;
    struct tt_alike_unit *batch[BATCH_UNITS];
    bool held[BATCH_UNITS];
};

static size_t bytes_of(const struct sharing *sharing, const struct tt_alike_unit *unit) {
    return unit->pages * sharing->alike->page_bytes;
}

/* Keeps the batch's members whose objects live, and has their writers wait. */
static void hold_batch(struct sharing *sharing) {
    size_t kept = 0;
    for (size_t i = 0; i < sharing->count; i++) {
        struct tt_alike_unit *unit = sharing->batch[i];
        const struct tt_alike_object *object = object_of(sharing->alike, unit);
        if (!tt_large_begin_views(object->start, object->size, object->birth)) continue;
        sharing->held[kept] = tt_quiet_hold(&sharing->quiet, start_of(sharing->alike, unit), bytes_of(sharing, unit));
        sharing->batch[kept++] = unit;
    }
    sharing->count = kept;
}

/* Several members may be of one object: objects are let go once nothing is shown any more. */
static void let_go(struct sharing *sharing) {
    for (size_t i = 0; i < sharing->count; i++) {
        const struct tt_alike_unit *unit = sharing->batch[i];
        if (sharing->held[i]) tt_quiet_release(&sharing->quiet, start_of(sharing->alike, unit), bytes_of(sharing, unit));
    }
    for (size_t i = 0; i < sharing->count; i++) {
        const struct tt_alike_object *object = object_of(sharing->alike, sharing->batch[i]);
        tt_large_end_views(object->start, object->size);
    }
}

/* Whether the member has the bytes that the frames have; the first one's become theirs. */
static bool has_bytes(struct sharing *sharing, const struct tt_alike_unit *unit) {
    size_t size = bytes_of(sharing, unit);
    unsigned char *to = sharing->filled ? sharing->alike->bytes : sharing->view;
    if (!tn_frames_read(start_of(sharing->alike, unit), to, size)) return false;
    if (sharing->filled) return memcmp(to, sharing->view, size) == 0;
    sharing->filled = true;
    return true;
}

static bool show(struct sharing *sharing, const struct tt_alike_unit *unit) {
    struct tt_alike *alike = sharing->alike;
    unsigned char *start = start_of(alike, unit);
    size_t size = bytes_of(sharing, unit), pages = size / TT_PAGE_BYTES;
    if (alike->budget < 2 || !tn_frames_show(sharing->frames, start, size)) return false;
    struct tt_segment *segment = tt_segment_holding(start);
    size_t at = (size_t)(start - segment->base) / TT_PAGE_BYTES;
    memset(&segment->sharing[at], 1, pages);
    memset(&segment->part[at], TN_SPACE_PLAIN, pages);
    for (size_t i = 0; i < unit->pages; i++) alike->pages[unit->first + i].shared = 1;
    if (sharing->shown++ != 0) tt_compact_add_shared(size);
    alike->budget -= 2;
    return true;
}

/* Of units that are held: those with the same bytes are shown the frames, if there are two. */
static void show_batch(struct sharing *sharing) {
    bool same[BATCH_UNITS];
    size_t count = 0;
    for (size_t i = 0; i < sharing->count; i++) count += same[i] = sharing->held[i] && has_bytes(sharing, sharing->batch[i]);
    if (count + sharing->shown < 2) return;
    for (size_t i = 0; i < sharing->count; i++)
        if (same[i] && !show(sharing, sharing->batch[i])) break;
}

static void share_batch(struct sharing *sharing) {
    if (!tt_quiet_begin(&sharing->quiet)) return;
    tt_large_lock();
    if (tt_compact_begin_views()) {
        hold_batch(sharing);
        if (sharing->count != 0 && tt_quiet_settle(&sharing->quiet)) show_batch(sharing);
        let_go(sharing);
        tt_compact_carry_on();
    }
    tt_large_let_go();
    tt_quiet_end(&sharing->quiet);
    sharing->count = 0;
}

static void share_group(struct tt_alike *alike, struct tt_alike_unit *head) {
    struct sharing sharing = {.alike = alike};
    size_t most = BATCH_PAGES / head->pages < BATCH_UNITS ? BATCH_PAGES / head->pages : BATCH_UNITS;
    sharing.frames = tn_frames_open(head->pages * alike->page_bytes, &sharing.view);
    if (sharing.frames < 0) return;
    for (struct tt_alike_unit *unit = head; unit != NULL; unit = unit->next == 0 ? NULL : &alike->units[unit->next - 1]) {
        sharing.batch[sharing.count++] = unit;
        if (sharing.count < most) continue;
        share_batch(&sharing);
        if (alike->budget < 2 || tt_quiet_is_spent()) break;
    }
    if (sharing.count != 0) share_batch(&sharing);
    tn_frames_close(sharing.frames, sharing.view, head->pages * alike->page_bytes);
}

static void share_units(struct tt_alike *alike, size_t pages, uint32_t members_least) {
    find_units(alike, pages);
    for (size_t i = 0; i < alike->unit_count && alike->budget >= 4 && !tt_quiet_is_spent(); i++)
        if (alike->units[i].members >= members_least) share_group(alike, &alike->units[i]);
}

/* Rows, their halves and so on: a page that differs leaves the rest of its row four more mappings, not fifteen. What
 * saves a few frames for two mappings is left if only few share it, and single pages leave half of the mappings to what
 * comes later. */
void tt_alike_share(struct tt_alike *alike) {
    if (!tt_change_is_seen() || alike->page_bytes * TT_ALIKE_ROW > TT_ALIKE_BYTES || alike->page_count < 2) return;
    for (size_t pages = TT_ALIKE_ROW; pages > 1; pages /= 2) share_units(alike, pages, pages < FEW_PAGES ? MEMBERS_LEAST : 2);
    alike->budget /= 2;
    share_units(alike, 1, MEMBERS_LEAST);
}
