/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/group.h"

#include <string.h>

/* Groups that a unit is tried with: the latest. */
#define GROUPS_TRIED 512
/* Groups with fewer members are tried with each other. */
#define GROUP_SMALL 16

bool tt_group_live(const struct tt_pass *pass, struct tt_segment *segment, size_t at, uint64_t *live) {
    for (size_t i = 0; i < pass->pages; i++)
        if (!tt_live_grains(segment, at + i, live + i * TT_GRAIN_WORDS)) return false;
    return true;
}

size_t tt_group_pages(const struct tt_pass *pass, const uint64_t *live) {
    size_t pages = 0;
    for (size_t i = 0; i < pass->pages; i++) {
        uint64_t any = 0;
        for (size_t w = 0; w < TT_GRAIN_WORDS; w++) any |= live[i * TT_GRAIN_WORDS + w];
        pages += any != 0;
    }
    return pages;
}

static bool disjoint(const struct tt_pass *pass, const uint64_t *a, const uint64_t *b) {
    for (size_t i = 0; i < pass->words; i++)
        if ((a[i] & b[i]) != 0) return false;
    return true;
}

/* NULL if there is no room for more. */
static struct tt_group *new_group(struct tt_pass *pass, uint32_t size) {
    if (pass->group_count == TT_GROUPS_MOST || (pass->group_count + 1) * pass->words > TT_GROUP_WORDS_MOST) {
        pass->incomplete = true;
        return NULL;
    }
    struct tt_group *group = &pass->groups[pass->group_count];
    group->live = &pass->live[pass->group_count++ * pass->words];
    group->size = size;
    return group;
}

static void add(struct tt_pass *pass, struct tt_group *group, size_t unit) {
    struct tt_unit *added = &pass->units[unit];
    added->next = group->first;
    added->group = (uint32_t)(group - pass->groups) + 1;
    group->first = (uint32_t)unit + 1;
    group->members++;
    group->frames += added->frames;
}

/* First fit among the latest groups of the slot size (the paper's search, bounded): in the same places objects of one
 * size are in each other's way least. */
static struct tt_group *find_disjoint(struct tt_pass *pass, uint32_t size, const uint64_t *live) {
    size_t oldest = pass->group_count > GROUPS_TRIED ? pass->group_count - GROUPS_TRIED : 0;
    for (size_t g = oldest; g < pass->group_count; g++) {
        struct tt_group *group = &pass->groups[g];
        if (group->size != size || group->members >= TT_GROUP_MEMBERS_MOST) continue;
        if (disjoint(pass, group->live, live)) return group;
    }
    return new_group(pass, size);
}

static void group_disjoint(struct tt_pass *pass) {
    static TN_SPARSE uint64_t live[TT_UNIT_WORDS_MOST];
    for (size_t u = 0; u < pass->count; u++) {
        struct tt_unit *unit = &pass->units[u];
        if (!tt_group_live(pass, unit->segment, unit->at, live)) continue;
        struct tt_group *group = find_disjoint(pass, unit->segment->pages[unit->at].size, live);
        if (group == NULL) return;
        for (size_t i = 0; i < pass->words; i++) group->live[i] |= live[i];
        add(pass, group, u);
    }
}

static void move_members(struct tt_pass *pass, struct tt_group *from, struct tt_group *to) {
    for (uint32_t u = from->first, next; u != 0; u = next) {
        next = pass->units[u - 1].next;
        add(pass, to, u - 1);
    }
    for (size_t i = 0; i < pass->words; i++) to->live[i] |= from->live[i];
    from->first = from->members = from->frames = 0;
}

/* What found few of its own size is put together with others, whatever their sizes. */
static void join_small_groups(struct tt_pass *pass) {
    for (size_t g = 1; g < pass->group_count; g++) {
        struct tt_group *group = &pass->groups[g];
        if (group->members >= GROUP_SMALL) continue;
        for (size_t h = g > GROUPS_TRIED ? g - GROUPS_TRIED : 0; h < g; h++) {
            struct tt_group *other = &pass->groups[h];
            if (other->members == 0 || other->members + group->members > TT_GROUP_MEMBERS_MOST) continue;
            if (!disjoint(pass, other->live, group->live)) continue;
            move_members(pass, group, other);
            break;
        }
    }
}

/* Units whose contents have the same number; their bytes are compared when they are merged. */
static void group_equal(struct tt_pass *pass) {
    size_t size = 64;
    while (size < 2 * pass->count) size *= 2;
    size_t mask = size - 1;
    pass->seen_count = size;
    for (size_t u = 0; u < pass->count; u++) {
        struct tt_unit *unit = &pass->units[u];
        size_t i = (size_t)(unit->content >> 20) & mask;
        while (pass->seen[i] != 0 && pass->units[pass->seen[i] - 1].content != unit->content) i = (i + 1) & mask;
        struct tt_unit *like = pass->seen[i] == 0 ? NULL : &pass->units[pass->seen[i] - 1];
        if (like == NULL || (like->group != 0 && pass->groups[like->group - 1].members >= TT_GROUP_MEMBERS_MOST)) {
            pass->seen[i] = (uint32_t)u + 1;
            continue;
        }
        if (like->group == 0) {
            struct tt_group *group = new_group(pass, unit->segment->pages[unit->at].size);
            if (group == NULL) return;
            add(pass, group, pass->seen[i] - 1);
        }
        add(pass, &pass->groups[like->group - 1], u);
    }
}

void tt_group_units(struct tt_pass *pass) {
    if (pass->equal) {
        group_equal(pass);
        return;
    }
    group_disjoint(pass);
    /* Rows that share with one or two others would be lost to better groups of single pages. */
    if (pass->pages < TT_UNIT_PAGES) join_small_groups(pass);
}

void tt_group_start(struct tt_pass *pass, size_t pages, bool equal) {
    memset(pass->groups, 0, pass->group_count * sizeof pass->groups[0]);
    memset(pass->live, 0, pass->group_count * pass->words * sizeof pass->live[0]);
    memset(pass->seen, 0, pass->seen_count * sizeof pass->seen[0]);
    pass->count = pass->group_count = pass->seen_count = 0;
    pass->pages = pages;
    pass->bytes = pages * TT_PAGE_BYTES;
    pass->words = pages * TT_GRAIN_WORDS;
    pass->equal = equal;
}
