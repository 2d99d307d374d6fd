/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What virtual compaction saves, in true physical pages: each frame of the kernel's page map is counted once. To be run
 * under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1 and TENURE_TOLERANT_DEAD_SHARE=1000 (no page is used
 * again before it is empty, as in papers/004…, §3.2), by root: others are not told the frames.
 * TENURE_TEST_OBJECTS is the number of objects of the best case.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { PAGE = 4096, SIZE = 64, PER_PAGE = PAGE / SIZE, BATCHES = 4 };

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < 16; i++) look();
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* How many different numbers there are other than 0; sorts them. */
static size_t distinct(uint64_t *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, by_value);
    size_t different = 0;
    for (size_t i = 0; i < count; i++) different += numbers[i] != 0 && (i == 0 || numbers[i] != numbers[i - 1]);
    return different;
}

struct footprint {
    size_t pages, frames;
};

/* The pages that the objects lie on, and the frames behind them; SIZE_MAX frames if the kernel does not tell. Those that
 * are `used` are read first: a view of a frame is entered then. Pages without a frame count as none. */
static struct footprint footprint_of(char **objects, size_t size, size_t count, int used) {
    struct footprint footprint = {0, SIZE_MAX};
    size_t most = count * (size / PAGE + 2), pages = 0;
    uint64_t *numbers = mmap(NULL, most * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int map = open("/proc/self/pagemap", O_RDONLY);
    for (size_t i = 0; i < count; i++)
        for (uintptr_t p = (uintptr_t)objects[i] / PAGE; p <= ((uintptr_t)objects[i] + size - 1) / PAGE; p++) {
            uintptr_t within = p * PAGE < (uintptr_t)objects[i] ? (uintptr_t)objects[i] : p * PAGE;
            if (used) (void)!*(volatile char *)within;
            numbers[pages++] = p;
        }
    footprint.pages = distinct(numbers, pages);
    size_t told = 0, known = 0;
    for (size_t i = 0, n = 0; i < pages; i++) {
        uint64_t entry = 0, page = numbers[i];
        if (i > 0 && page == n) {
            numbers[i] = 0;
            continue;
        }
        n = page;
        if (pread(map, &entry, sizeof entry, (off_t)(page * sizeof entry)) != sizeof entry) break;
        told += entry >> 63 & 1;
        numbers[i] = entry >> 63 == 0 ? 0 : entry & (((uint64_t)1 << 55) - 1);
        known += numbers[i] != 0;
    }
    if (known == told) footprint.frames = distinct(numbers, pages);
    if (map >= 0) close(map);
    munmap(numbers, most * sizeof *numbers);
    return footprint;
}

static __attribute__((noinline)) char *make(size_t size, unsigned value) {
    char *object = malloc(size);
    memset(object, 0, size);
    memcpy(object, &value, sizeof value);
    return object;
}

static int holds(const char *object, size_t size, unsigned value) {
    if (memcmp(object, &value, sizeof value) != 0) return 0;
    for (size_t i = sizeof value; i < size; i++)
        if (object[i] != 0) return 0;
    return 1;
}

static char **table(size_t count) {
    return mmap(NULL, count * sizeof(char *), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* The paper's best case: one live object is left on each page. */
static void leave_one_on_each_page(char **kept, size_t pages) {
    size_t count = pages * PER_PAGE;
    char **all = table(count);
    for (size_t i = 0; i < count; i++) all[i] = make(SIZE, (unsigned)i);
    for (size_t i = 0; i < count; i++)
        if (i % PER_PAGE == 17)
            kept[i / PER_PAGE] = all[i];
        else
            free(all[i]);
    munmap(all, count * sizeof *all);
}

static void pages_of_one_object_come_to_share_frames(void) {
    const char *text = getenv("TENURE_TEST_OBJECTS");
    size_t batch = (text == NULL ? 65536 : strtoull(text, NULL, 10)) / BATCHES, objects = batch * BATCHES;
    char **kept = table(objects);
    for (size_t n = 0; n < objects; n += batch) {
        leave_one_on_each_page(kept + n, batch);
        let_it_become_cold();
    }
    let_it_become_cold();
    struct footprint now = footprint_of(kept, SIZE, objects, 1);
    size_t broken = 0;
    for (size_t i = 0; i < objects; i++) broken += !holds(kept[i], SIZE, (unsigned)(i % batch) * PER_PAGE + 17);
    printf("%zu objects on %zu pages in %zu frames\n", objects, now.pages, now.frames);
    CHECK(broken == 0);
    /* The first pages form no run, and the last runs (of up to 512 pages) are not merged before they are full; how many
     * those are depends on when the pages were looked at. Of a million pages they are little. */
    size_t share = text == NULL ? 16 : 50;
    CHECK(now.pages > objects * 9 / 10 && (now.frames == SIZE_MAX || now.frames <= now.pages / share));
    for (size_t i = 0; i < objects; i++) free(kept[i]);
    munmap(kept, objects * sizeof *kept);
}

enum { MIXED = 400000 };
static char *mixed[MIXED];

static __attribute__((noinline)) char *make_session(unsigned value) { return make(48, value); }
static __attribute__((noinline)) char *make_header(unsigned value) { return make(112, value); }
static __attribute__((noinline)) char *make_entry(unsigned value) { return make(256, value); }
static char *(*const makers[])(unsigned value) = {make_session, make_header, make_entry, make_session};
static const size_t sizes[] = {48, 112, 256, 48};

/* Several sites; what was made together ends at random, one in eight stays. */
static void a_mixed_heap_gives_a_fifth_of_its_frames_back(void) {
    unsigned state = 1;
    for (unsigned i = 0; i < MIXED; i++) mixed[i] = makers[i % 4](i);
    size_t kept = 0;
    static unsigned values[MIXED];
    for (unsigned i = 0; i < MIXED; i++) {
        if (next_random(&state) % 8 != 0) {
            free(mixed[i]);
        } else {
            values[kept] = i;
            mixed[kept++] = mixed[i];
        }
    }
    struct footprint before = footprint_of(mixed, 1, kept, 1);
    let_it_become_cold();
    struct footprint after = footprint_of(mixed, 1, kept, 1);
    printf("mixed: %zu objects on %zu pages, %zu frames, then %zu\n", kept, before.pages, before.frames, after.frames);
    size_t broken = 0;
    for (size_t i = 0; i < kept; i++) broken += !holds(mixed[i], sizes[values[i] % 4], values[i]);
    CHECK(broken == 0);
    CHECK(before.frames == SIZE_MAX || after.frames <= before.frames * 4 / 5);
    for (size_t i = 0; i < kept; i++) free(mixed[i]);
}

/* One in eight of many larger objects stays: frames behind all that was made, and the same after. */
static void check_size(size_t size) {
    size_t count = ((size_t)24 << 20) / size, kept = 0;
    char **all = table(count), **stay = table(count);
    unsigned state = 3, *values = (unsigned *)(void *)table(count);
    for (size_t i = 0; i < count; i++) all[i] = make(size, (unsigned)i);
    for (size_t i = 0; i < count; i++) {
        if (next_random(&state) % 8 != 0) {
            free(all[i]);
        } else {
            values[kept] = (unsigned)i;
            stay[kept++] = all[i];
        }
    }
    struct footprint before = footprint_of(all, size, count, 0);
    let_it_become_cold();
    struct footprint alive = footprint_of(stay, size, kept, 1), after = footprint_of(all, size, count, 0);
    printf("%zu bytes: %zu pages, %zu frames, then %zu; %zu pages with live objects in %zu frames\n", size, before.pages,
           before.frames, after.frames, alive.pages, alive.frames);
    size_t broken = 0;
    for (size_t i = 0; i < kept; i++) broken += !holds(stay[i], size, values[i]);
    CHECK(broken == 0);
    CHECK(before.frames == SIZE_MAX || after.frames <= before.frames / 2);
    for (size_t i = 0; i < kept; i++) free(stay[i]);
    munmap(all, count * sizeof *all);
    munmap(stay, count * sizeof *stay);
    munmap(values, count * sizeof(char *));
}

static void pages_of_larger_objects_share_frames_too(void) {
    static const size_t larger[] = {640, 1000, 1500, 2000, 3000, 6000, 12000, 30000};
    for (size_t i = 0; i < sizeof larger / sizeof larger[0]; i++) check_size(larger[i]);
}

enum { CLASSES = 24, CLASS_BYTES = 640 * 1024 };

/* Few pages of each of many size classes: most partners are of another class. */
static void pages_of_different_sizes_share_frames(void) {
    size_t most = CLASSES * CLASS_BYTES / 64, count = 0, kept = 0, made = 0;
    char **all = table(most), **stay = table(most);
    unsigned state = 7, *values = (unsigned *)(void *)table(most);
    size_t *size_of = (size_t *)(void *)table(most);
    struct footprint before = {0, 0}, after = {0, 0};
    for (size_t c = 0; c < CLASSES; c++) {
        size_t size = 64 + 40 * c;
        char **mine = all + made;
        count = CLASS_BYTES / size;
        made += count;
        for (size_t i = 0; i < count; i++) mine[i] = make(size, (unsigned)i);
        for (size_t i = 0; i < count; i++) {
            if (next_random(&state) % 16 != 0) {
                free(mine[i]);
            } else {
                values[kept] = (unsigned)i;
                size_of[kept] = size;
                stay[kept++] = mine[i];
            }
        }
    }
    before = footprint_of(all, 16, made, 0);
    let_it_become_cold();
    for (size_t i = 0; i < kept; i++) (void)!*(volatile char *)stay[i];
    after = footprint_of(all, 16, made, 0);
    printf("%d sizes: %zu pages, %zu frames, then %zu\n", CLASSES, before.pages, before.frames, after.frames);
    size_t broken = 0;
    for (size_t i = 0; i < kept; i++) broken += !holds(stay[i], size_of[i], values[i]);
    CHECK(broken == 0);
    CHECK(before.frames == SIZE_MAX || after.frames <= before.frames / 2);
    for (size_t i = 0; i < kept; i++) free(stay[i]);
    munmap(all, most * sizeof *all);
    munmap(stay, most * sizeof *stay);
    munmap(values, most * sizeof(char *));
    munmap(size_of, most * sizeof(char *));
}

/* What is written gets frames of its own, and shares again once it is cold. */
static void pages_that_are_used_again_are_split_off_and_merged_anew(void) {
    enum { PAGES = 8192 };
    char **kept = table(PAGES);
    leave_one_on_each_page(kept, PAGES);
    struct footprint frames[4];
    for (unsigned round = 0; round < 2; round++) {
        let_it_become_cold();
        frames[2 * round] = footprint_of(kept, SIZE, PAGES, 1);
        for (unsigned i = 0; i < PAGES; i++) *(volatile char *)(kept[i] + SIZE - 1) = 0;
        frames[2 * round + 1] = footprint_of(kept, SIZE, PAGES, 1);
    }
    printf("cold, used, cold, used: %zu, %zu, %zu, %zu frames\n", frames[0].frames, frames[1].frames, frames[2].frames,
           frames[3].frames);
    size_t broken = 0;
    for (unsigned i = 0; i < PAGES; i++) broken += !holds(kept[i], SIZE, i * PER_PAGE + 17);
    CHECK(broken == 0);
    for (unsigned k = 0; k < 4 && frames[k].frames != SIZE_MAX; k++)
        CHECK(k % 2 == 0 ? frames[k].frames < PAGES / 6 : frames[k].frames > PAGES * 9 / 10);
    for (unsigned i = 0; i < PAGES; i++) free(kept[i]);
    munmap(kept, PAGES * sizeof *kept);
}

static __attribute__((noinline)) char *make_filled(size_t size, int byte) { return memset(malloc(size), byte, size); }

enum { FILLED = 8192, FILLED_SIZE = 512 };

/* All objects live and hold the same bytes. */
static size_t frames_of_filled(int byte, struct footprint *before) {
    char **all = table(FILLED);
    for (size_t i = 0; i < FILLED; i++) all[i] = make_filled(FILLED_SIZE, byte);
    *before = footprint_of(all, FILLED_SIZE, FILLED, 0);
    let_it_become_cold();
    struct footprint after = footprint_of(all, FILLED_SIZE, FILLED, 1);
    printf("filled with %d: %zu pages, %zu frames, then %zu\n", byte, before->pages, before->frames, after.frames);
    size_t broken = 0;
    for (size_t i = 0; i < FILLED; i++)
        for (size_t k = 0; k < FILLED_SIZE; k++) broken += all[i][k] != byte;
    for (size_t i = 0; i < FILLED; i += 9) all[i][i % FILLED_SIZE] = 99;
    for (size_t i = 0; i < FILLED; i++)
        for (size_t k = 0; k < FILLED_SIZE; k++)
            broken += all[i][k] != (i % 9 == 0 && k == i % FILLED_SIZE ? 99 : byte);
    CHECK(broken == 0);
    for (size_t i = 0; i < FILLED; i++) free(all[i]);
    munmap(all, FILLED * sizeof *all);
    return after.frames;
}

static void cold_pages_of_zeros_need_no_frames(void) {
    struct footprint before;
    size_t frames = frames_of_filled(0, &before);
    CHECK(frames == SIZE_MAX || frames <= before.frames / 3);
}

static void cold_pages_that_are_equal_share_frames(void) {
    struct footprint before;
    size_t frames = frames_of_filled(7, &before);
    CHECK(frames == SIZE_MAX || frames <= before.frames / 3);
}

const struct test tests[] = {
    {"pages of one object come to share frames", pages_of_one_object_come_to_share_frames},
    {"a mixed heap gives a fifth of its frames back", a_mixed_heap_gives_a_fifth_of_its_frames_back},
    {"pages of larger objects share frames too", pages_of_larger_objects_share_frames_too},
    {"pages of different sizes share frames", pages_of_different_sizes_share_frames},
    {"pages that are used again are split off and merged anew", pages_that_are_used_again_are_split_off_and_merged_anew},
    {"cold pages of zeros need no frames", cold_pages_of_zeros_need_no_frames},
    {"cold pages that are equal share frames", cold_pages_that_are_equal_share_frames},
    {NULL, NULL},
};
