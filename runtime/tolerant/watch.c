/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/watch.h"

#include <string.h>

#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/large.h"
#include "tolerant/page.h"
#include "tolerant/site.h"

#define WATCHED_MOST ((size_t)1024)
#define SITE_WATCHED_MOST 64u
/* A larger one could have huge pages, which setting it apart would forbid. */
#define PARTED_MOST ((size_t)1024 * 1024)

/* Of a larger one, what part is cold is told apart: a block that the program hands out by itself is hardly ever unused
 * as a whole. */
#define PARTLY_COLD_LEAST ((size_t)1024 * 1024)

struct watched {
    uintptr_t start;
    size_t size;
    uint64_t birth;
    uint64_t known; /* the last birth before this was watched: those until then have been through as many looks */
    uint32_t site;
    size_t resident, referenced; /* since the last look */
    /* What was referenced, over the last looks that make an object cold, or up to twice as many: no more than the sum
     * of both sums is in use. */
    size_t window, last_window;
    size_t cold_bytes;
    uint32_t looks;
    uint8_t age; /* looks since a reference was last seen, at most 255 */
    bool seen, used;
    bool cold; /* and the kernel was told */
};

/* By address. Only who looks, one thread at a time, reads or writes it. */
static struct watched *table;
static size_t count;
/* The last birth before the last look. A younger object is not watched yet: most large buffers are gone soon. */
static uint64_t last_look;

/* The first entry that ends behind the address. */
static size_t entry_after(uintptr_t address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle].start + table[middle].size > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void tt_watch_take_mapping(const struct tn_mapping *mapping) {
    bool used = mapping->referenced != 0 || mapping->special || (mapping->file && !mapping->frames);
    double whole = (double)(mapping->end - mapping->start);
    for (size_t i = entry_after(mapping->start); i < count && table[i].start < mapping->end; i++) {
        struct watched *entry = &table[i];
        entry->seen = true;
        entry->used = entry->used || used;
        /* The kernel joins neighbours into one mapping, of which each has its share. */
        uintptr_t end = entry->start + entry->size, from = entry->start > mapping->start ? entry->start : mapping->start;
        double share = (double)((end < mapping->end ? end : mapping->end) - from) / whole;
        size_t referenced = mapping->special ? mapping->resident : mapping->referenced;
        entry->resident += (size_t)(share * (double)(mapping->resident + mapping->swapped));
        entry->referenced += (size_t)(share * (double)referenced);
    }
}

/* Whether the object is of the site's sample: one in the smallest power of two that leaves few enough. */
static bool is_of_sample(const struct tt_site *site, uintptr_t start) {
    uint64_t hash = ((uint64_t)start >> TT_PAGE_SHIFT) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t one_in = 1;
    while (site->large_objects / one_in > SITE_WATCHED_MOST / 2) one_in *= 2;
    return (hash >> 32 & (one_in - 1)) == 0;
}

static void take_parts(struct watched *entry, unsigned looks_until_cold) {
    entry->window += entry->referenced;
    size_t used = entry->window + entry->last_window;
    bool told = ++entry->looks > looks_until_cold && entry->size >= PARTLY_COLD_LEAST;
    entry->cold_bytes = told && used < entry->resident ? entry->resident - used : 0;
    if (entry->looks % looks_until_cold == 0) {
        entry->last_window = entry->window;
        entry->window = 0;
    }
    entry->resident = entry->referenced = 0;
}

static void take_looks(struct watched *entry, unsigned looks_until_cold) {
    take_parts(entry, looks_until_cold);
    if (entry->used || !entry->seen)
        entry->age = 0;
    else if (entry->age < UINT8_MAX)
        entry->age++;
    entry->seen = entry->used = false;
    bool was_cold = entry->cold;
    entry->cold = entry->age >= looks_until_cold;
    if (entry->cold) entry->cold_bytes = entry->size;
    if (entry->cold && !was_cold) (void)tn_space_cold((void *)entry->start, entry->size);
}

static void keep_live(unsigned looks_until_cold) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct watched entry = table[i];
        struct tt_site *site = tt_site_numbered(entry.site);
        if (!tt_large_is_live((void *)entry.start, entry.size, entry.birth)) continue;
        if (site == NULL || !is_of_sample(site, entry.start)) continue;
        take_looks(&entry, looks_until_cold);
        site->watched++;
        site->watched_cold += entry.cold;
        if (entry.cold && entry.known > site->cold_until) site->cold_until = entry.known;
        table[kept++] = entry;
    }
    count = kept;
}

void tt_watch_forget(void) {
    for (size_t i = 0; i < count; i++)
        if (!table[i].cold) (void)tn_space_cold((void *)table[i].start, table[i].size);
}

struct renewal {
    size_t mappings, spent;
};

TN_RACY static void add(const struct tt_large *object, void *context) {
    struct renewal *renewal = context;
    uint32_t number = object->site & ~TT_LARGE_ALIGNED;
    struct tt_site *site = tt_site_numbered(number);
    uintptr_t start = (uintptr_t)object->start;
    size_t size = object->size;
    if (site == NULL || object->birth > last_look || count == WATCHED_MOST || site->watched == SITE_WATCHED_MOST) return;
    if (!is_of_sample(site, start)) return;
    size_t at = entry_after(start);
    if (at < count && table[at].start < start + size) return;
    if (size <= PARTED_MOST) {
        if (renewal->spent + 2 > renewal->mappings || !tt_large_set_apart(object->start, size)) return;
        renewal->spent += 2;
    }
    site->watched++;
    memmove(table + at + 1, table + at, (count - at) * sizeof *table);
    table[at] = (struct watched){.start = start, .size = size, .birth = object->birth, .known = last_look, .site = number};
    count++;
}

size_t tt_watch_renew(size_t mappings, unsigned looks_until_cold) {
    struct renewal renewal = {.mappings = mappings};
    if (table == NULL) table = tt_metadata(WATCHED_MOST * sizeof *table);
    if (table == NULL) return 0;
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) {
        site->watched = site->watched_cold = 0;
        site->cold_until = 0;
    }
    keep_live(looks_until_cold);
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older)
        if (site->watched_cold * 4 < site->watched * 3) site->cold_until = 0;
    tt_large_each(add, &renewal);
    last_look = tt_large_last_birth();
    return renewal.spent;
}

uint64_t tt_watch_survey(void) {
    uint64_t all = 0;
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older)
        site->watched_bytes = site->watched_cold_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        struct tt_site *site = tt_site_numbered(table[i].site);
        if (site == NULL) continue;
        site->watched_bytes += table[i].size;
        site->watched_cold_bytes += table[i].cold_bytes;
    }
    for (struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) {
        if (site->watched_cold_bytes == 0) continue;
        double share = (double)site->watched_cold_bytes / (double)site->watched_bytes;
        uint64_t cold = (uint64_t)(share * (double)site->large_bytes);
        site->cold_bytes += cold;
        all += cold;
    }
    return all;
}
