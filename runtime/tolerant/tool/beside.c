/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a report shows with a site, as it may tell who keeps its memory.
 */
#include <string.h>

#include "report.h"

/* Fewer objects of another site may be as many by chance. */
#define OBJECTS_LEAST 64
#define TIMES_MOST 3

/* Between two points of the history, in proportion: each site has points of its own. */
static double bytes_at(const struct site *site, uint64_t allocations) {
    double before = 0, bytes_before = 0;
    for (size_t i = 0; i < site->history_count; i++) {
        double then = (double)site->history[i].allocations, bytes = (double)site->history[i].bytes;
        if (site->history[i].allocations >= allocations && then > before)
            return bytes_before + (bytes - bytes_before) * ((double)allocations - before) / (then - before);
        before = then;
        bytes_before = bytes;
    }
    return (double)site->bytes;
}

static bool about_same(double a, double b) { return a < b * 1.05 && b < a * 1.05; }

/* How many objects more the site had at the later time, as far as they are of one size. */
static double grown(const struct site *site, uint64_t earlier, uint64_t later) {
    return (bytes_at(site, later) - bytes_at(site, earlier)) * (double)site->objects / (double)site->bytes;
}

/* Where the program's own part of the stack begins, main or a thread's function; NULL if the stack does not reach so
 * far. */
static const struct frame *root_of(const struct site *site) {
    for (size_t i = site->frame_count; i-- > 1;)
        if (!frame_is_of_language(&site->frames[i - 1]) && frame_is_of_language(&site->frames[i])) return &site->frames[i - 1];
    return NULL;
}

/* What threads do that have nothing to do with each other is alike by chance. */
static bool of_other_threads(const struct site *a, const struct site *b) {
    const struct frame *x = root_of(a), *y = root_of(b);
    return x != NULL && y != NULL && x->function != NULL && y->function != NULL && strcmp(x->function, y->function) != 0;
}

/* One grew as the other, or a few times as much, in the third quarter of its history and in the last: what was
 * allocated before a site was told apart is not among its objects. */
bool site_in_step(const struct site *site, const struct site *other) {
    if (site == other || other->objects < OBJECTS_LEAST || site->history_count < 4 || other->history_count < 4) return false;
    if (of_other_threads(site, other)) return false;
    uint64_t middle = site->history[site->history_count / 2].allocations;
    uint64_t quarter = site->history[site->history_count * 3 / 4].allocations;
    double own = grown(site, middle, UINT64_MAX), others = grown(other, middle, UINT64_MAX), times = 1;
    if (own <= 0 || others <= 0) return false;
    double most = own > others ? own : others, least = own > others ? others : own;
    while (times <= TIMES_MOST && !about_same(least * times, most)) times++;
    if (times > TIMES_MOST) return false;
    return about_same(grown(site, middle, quarter) / own, grown(other, middle, quarter) / others);
}

static bool same_place(const struct site *a, const struct site *b) {
    const struct frame *x = site_place(a), *y = site_place(b);
    if (x == NULL || y == NULL) return x == y;
    if (x->function == NULL || y->function == NULL) return x->address == y->address;
    return strcmp(x->function, y->function) == 0;
}

static size_t add(const struct site *site, struct beside *found, size_t count, size_t most) {
    for (size_t i = 0; i < count; i++) {
        if (!same_place(found[i].site, site)) continue;
        found[i].bytes += site->bytes;
        return count;
    }
    if (count < most) found[count++] = (struct beside){site, site->bytes};
    return count;
}

/* Their bytes are those of a few: what is told is that they are there. */
size_t site_singles(const struct site *site, struct beside *found, size_t most) {
    size_t count = 0;
    for (size_t k = 0; k < site->single_count; k++)
        if (!same_place(site, &site->singles[k])) count = add(&site->singles[k], found, count, most);
    return count;
}

size_t site_parts(const struct site *site, struct beside *found, size_t most) {
    size_t count = 0;
    for (size_t p = 0; p < site->part_count; p++) count = add(&site->parts[p], found, count, most);
    return count;
}

/* Of the same structures as the leak. */
static bool is_part(const struct report *report, const struct site *leak, const struct site *other) {
    return other->part_of != 0 && &report->sites[other->part_of - 1] == leak;
}

size_t site_members(const struct report *report, const struct site *site, struct beside *found, size_t most) {
    size_t count = 0;
    for (size_t i = 0; i < report->site_count && count < most; i++)
        if (is_part(report, site, &report->sites[i])) found[count++] = (struct beside){&report->sites[i], report->sites[i].bytes};
    return count;
}

size_t site_steps(const struct report *report, const struct site *site, struct beside *found, size_t most) {
    size_t count = 0;
    for (size_t i = 0; site->leak && i < report->site_count; i++)
        if (!is_part(report, site, &report->sites[i]) && site_in_step(site, &report->sites[i])) count = add(&report->sites[i], found, count, most);
    return count;
}
