/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs with an allocator of their own ask malloc for blocks now and then, each time for whoever happens to need
 * one: the sites of the blocks are a sample of those that use them. They are joined to one, by the place in the
 * program's allocator that they share.
 */
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define BLOCK_LEAST (UINT64_C(1) << 20)

static bool has_blocks(const struct site *site) {
    return site->large_objects != 0 && site->large_bytes / site->large_objects >= BLOCK_LEAST &&
           site->large_bytes * 2 >= site->bytes;
}

/* The frames up to the first whose function is not known to allocate for others. */
static size_t frames_shared(const struct site *site) {
    size_t frames = 0;
    while (frames < site->frame_count && frame_is_wrapper(&site->frames[frames])) frames++;
    return frames + 1;
}

static bool same_allocator(const struct site *a, const struct site *b) {
    size_t frames = frames_shared(a);
    /* One that nobody called is a place, and no allocator. */
    if (frames >= a->frame_count || frames >= b->frame_count || frames != frames_shared(b)) return false;
    for (size_t i = 0; i < frames; i++)
        if (a->frames[i].address != b->frames[i].address) return false;
    return true;
}

static uint64_t bytes_at(const struct site *site, uint64_t allocations) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < site->history_count && site->history[i].allocations <= allocations; i++)
        bytes = site->history[i].bytes;
    return bytes;
}

/* The longest history's times; a block that came before it knew is counted from its own first point on. */
static void join_histories(struct site *joined) {
    const struct site *longest = &joined->parts[0];
    for (size_t p = 1; p < joined->part_count; p++)
        if (joined->parts[p].history_count > longest->history_count) longest = &joined->parts[p];
    joined->history_count = longest->history_count;
    for (size_t i = 0; i < longest->history_count; i++) {
        joined->history[i] = longest->history[i];
        joined->history[i].bytes = 0;
        for (size_t p = 0; p < joined->part_count; p++)
            joined->history[i].bytes += bytes_at(&joined->parts[p], longest->history[i].allocations);
    }
}

static size_t shared_frames(const struct site *a, const struct site *b) {
    size_t shared = 0;
    for (size_t i = 0; i < a->frame_count; i++)
        for (size_t k = 0; k < b->frame_count; k++) shared += a->frames[i].address == b->frames[k].address;
    return shared;
}

/* What came after the first quarter of the run. */
static uint64_t growth_of(const struct site *site, uint64_t whole) {
    uint64_t early = bytes_at(site, whole / 4);
    return site->bytes > early ? site->bytes - early : 0;
}

/* The part whose stack has most in common with those that grew. */
static const struct site *typical(const struct site *joined, uint64_t whole) {
    const struct site *found = &joined->parts[0];
    double most = -1;
    for (size_t p = 0; p < joined->part_count; p++) {
        const struct site *part = &joined->parts[p];
        double weight = 0;
        for (size_t k = 0; k < joined->part_count; k++)
            weight += (double)growth_of(&joined->parts[k], whole) * (double)shared_frames(part, &joined->parts[k]);
        weight *= (double)growth_of(part, whole);
        if (weight <= most) continue;
        most = weight;
        found = part;
    }
    return found;
}

/* The allocator's frames: those that are shared, and all of its library, if it is in one. */
static size_t frames_of_allocator(const struct site *site) {
    size_t frames = frames_shared(site), end = frames;
    while (end < site->frame_count && frame_same_module(&site->frames[frames - 1], &site->frames[end])) end++;
    return end == site->frame_count || frame_is_of_language(&site->frames[end]) ? frames : end;
}

static void add_part(struct site *joined, const struct site *part) {
    joined->parts[joined->part_count] = *part;
    joined->parts[joined->part_count++].allocator_frames = frames_of_allocator(part);
    joined->objects += part->objects;
    joined->large_objects += part->large_objects;
    joined->bytes += part->bytes;
    joined->large_bytes += part->large_bytes;
    joined->cold += part->cold;
    joined->allocated += part->allocated;
    if (part->oldest > joined->oldest) joined->oldest = part->oldest;
}

/* The sites from `first` on that are of its allocator become its parts; without parts it stays what it is. */
static void join(struct report *report, size_t first, uint64_t whole) {
    struct site joined = {.parts = calloc(report->site_count - first, sizeof joined)};
    if (joined.parts == NULL) return;
    struct site model = report->sites[first];
    size_t kept = first + 1;
    add_part(&joined, &model);
    for (size_t i = first + 1; i < report->site_count; i++) {
        if (has_blocks(&report->sites[i]) && same_allocator(&model, &report->sites[i]))
            add_part(&joined, &report->sites[i]);
        else
            report->sites[kept++] = report->sites[i];
    }
    if (joined.part_count == 1) {
        free(joined.parts);
        return;
    }
    report->site_count = kept;
    join_histories(&joined);
    const struct site *shown = typical(&joined, whole);
    memcpy(joined.frames, shown->frames, sizeof joined.frames);
    joined.frame_count = shown->frame_count;
    joined.number = shown->number;
    joined.allocator_frames = frames_of_allocator(shown);
    report->sites[first] = joined;
}

void report_join_blocks(struct report *report) {
    uint64_t whole = report_last_look(report);
    for (size_t i = 0; i < report->site_count; i++)
        if (has_blocks(&report->sites[i])) join(report, i, whole);
}
