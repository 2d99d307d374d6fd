/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Who keeps a leak's objects, where another allocated them: a server's requests are read by one function, whatever they
 * ask for, and what a command makes of a request, and keeps, grows in step with its text. The innermost function that
 * most of what grows in step goes through is the one to look at.
 */
#include <string.h>

#include "report.h"

/* Callers of a structure's parts that are looked at for one that they share. */
#define MAKERS_MOST 4

#define GROUP_MOST 256
/* Two may be in step by chance. */
#define MEMBERS_LEAST 3

struct group {
    const struct site *sites[GROUP_MOST];
    size_t count;
};

static bool goes_through(const struct site *site, const char *function) {
    for (size_t i = 0; i < site->frame_count; i++)
        if (site->frames[i].function != NULL && strcmp(site->frames[i].function, function) == 0) return true;
    return false;
}

static size_t members_through(const struct group *group, const char *function) {
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) count += goes_through(group->sites[i], function);
    return count;
}

/* The innermost of the site's frames whose functions most members go through; NULL if there is none. */
static const struct frame *innermost_of_most(const struct group *group, const struct site *site) {
    for (size_t k = 0; k < site->frame_count; k++) {
        const struct frame *frame = &site->frames[k];
        if (frame->function == NULL || frame_is_wrapper(frame) || frame_is_of_language(frame)) continue;
        size_t count = members_through(group, frame->function);
        if (count * 2 > group->count && count >= MEMBERS_LEAST) return frame;
    }
    return NULL;
}

/* The one that it is for most members. */
static const struct frame *keeper_of(const struct group *group) {
    const struct frame *of_each[GROUP_MOST], *found = NULL;
    size_t most = 0;
    for (size_t i = 0; i < group->count; i++) of_each[i] = innermost_of_most(group, group->sites[i]);
    for (size_t i = 0; i < group->count; i++) {
        size_t votes = 0;
        for (size_t k = 0; of_each[i] != NULL && k < group->count; k++)
            votes += of_each[k] != NULL && strcmp(of_each[k]->function, of_each[i]->function) == 0;
        if (votes > most) found = of_each[i];
        if (votes > most) most = votes;
    }
    return found;
}

void report_find_keepers(struct report *report) {
    for (size_t i = 0; i < report->site_count && report->sites[i].leak; i++) {
        struct site *leak = &report->sites[i];
        struct group group = {.sites = {leak}, .count = 1};
        for (size_t k = 0; k < report->site_count && group.count < GROUP_MOST; k++)
            if (site_in_step(leak, &report->sites[k])) group.sites[group.count++] = &report->sites[k];
        const struct frame *keeper = keeper_of(&group);
        if (keeper != NULL && !goes_through(leak, keeper->function)) leak->keeper = keeper;
    }
}

static bool same_function(const struct frame *a, const struct frame *b) {
    return a->function != NULL && b->function != NULL && strcmp(a->function, b->function) == 0;
}

/* Whether one function makes both: the place of the one is among the next callers of the other's. */
static bool made_together(const struct site *a, const struct site *b) {
    for (size_t i = a->place; i < a->frame_count && i < a->place + MAKERS_MOST; i++)
        if (same_function(&a->frames[i], site_place(b))) return true;
    for (size_t i = b->place; i < b->frame_count && i < b->place + MAKERS_MOST; i++)
        if (same_function(&b->frames[i], site_place(a))) return true;
    return false;
}

/* Leaks of as many objects that one function makes are one leak: of a structure and of what it refers to. */
void report_find_structures(struct report *report) {
    for (size_t i = 1; i < report->site_count && report->sites[i].leak; i++)
        for (size_t k = 0; k < i && report->sites[i].part_of == 0; k++) {
            const struct site *whole = &report->sites[k];
            if (whole->part_of == 0 && whole->frame_count != 0 && report->sites[i].frame_count != 0 &&
                site_in_step(whole, &report->sites[i]) && made_together(whole, &report->sites[i]))
                report->sites[i].part_of = k + 1;
        }
}
