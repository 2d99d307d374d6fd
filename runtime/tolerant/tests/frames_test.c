/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What virtual compaction saves, in true physical pages: each frame of the kernel's page map is counted once. To be run
 * under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1 and TENURE_TOLERANT_DEAD_SHARE=1000 (no page is used
 * again before it is empty, as in papers/004…, §3.2), by root: others are not told the frames.
 * TENURE_TEST_OBJECTS is the number of objects of the best case.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "subject.h"

enum { PAGE = 4096, SIZE = 64, PER_PAGE = PAGE / SIZE, BATCHES = 4 };

static void look(void) {
    int (*f)(void);
    *(void **)&f = dlsym(RTLD_DEFAULT, "tn_tolerant_look");
    if (f != NULL) (void)f();
}

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < 6; i++) look();
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

/* The pages that the objects lie on, and the frames behind them; SIZE_MAX frames if the kernel does not tell. */
static struct footprint footprint_of(char **objects, size_t count) {
    struct footprint footprint = {0, SIZE_MAX};
    uint64_t *numbers = mmap(NULL, count * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int map = open("/proc/self/pagemap", O_RDONLY);
    for (size_t i = 0; i < count; i++) numbers[i] = (uintptr_t)objects[i] / PAGE;
    footprint.pages = distinct(numbers, count);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t entry = 0;
        (void)!*(volatile char *)objects[i]; /* a view of a frame is entered when it is used */
        if (pread(map, &entry, sizeof entry, (off_t)((uintptr_t)objects[i] / PAGE * sizeof entry)) != sizeof entry) break;
        numbers[i] = entry & (((uint64_t)1 << 55) - 1);
        known += numbers[i] != 0;
    }
    if (known == count) footprint.frames = distinct(numbers, count);
    if (map >= 0) close(map);
    munmap(numbers, count * sizeof *numbers);
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
    struct footprint now = footprint_of(kept, objects);
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
    struct footprint before = footprint_of(mixed, kept);
    let_it_become_cold();
    struct footprint after = footprint_of(mixed, kept);
    printf("mixed: %zu objects on %zu pages, %zu frames, then %zu\n", kept, before.pages, before.frames, after.frames);
    size_t broken = 0;
    for (size_t i = 0; i < kept; i++) broken += !holds(mixed[i], sizes[values[i] % 4], values[i]);
    CHECK(broken == 0);
    CHECK(before.frames == SIZE_MAX || after.frames <= before.frames * 4 / 5);
    for (size_t i = 0; i < kept; i++) free(mixed[i]);
}

const struct test tests[] = {
    {"pages of one object come to share frames", pages_of_one_object_come_to_share_frames},
    {"a mixed heap gives a fifth of its frames back", a_mixed_heap_gives_a_fifth_of_its_frames_back},
    {NULL, NULL},
};
