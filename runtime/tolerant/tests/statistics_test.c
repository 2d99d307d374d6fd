/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the malloc tells about itself, under its own names and the C library's, and that memory goes back to the system. To
 * be run under the preloaded malloc, or linked with it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "subject.h"
#include "tenure/tolerant.h"

#define MIB ((uint64_t)1024 * 1024)
enum { COUNT = 40000, SIZE = 400 };
static void *kept[COUNT];

static struct tn_tolerant_statistics read_by(const char *name) {
    struct tn_tolerant_statistics now = {0};
    void (*get)(struct tn_tolerant_statistics *, size_t);
    *(void **)&get = dlsym(RTLD_DEFAULT, name);
    CHECK(get != NULL);
    if (get != NULL) get(&now, sizeof now);
    return now;
}
static void structures_of_other_ages_are_filled(void) {
    void (*get)(struct tn_tolerant_statistics *, size_t);
    *(void **)&get = dlsym(RTLD_DEFAULT, "tn_tolerant_statistics");
    struct {
        struct tn_tolerant_statistics now;
        uint64_t more;
    } newer = {.more = 1}, older;
    memset(&older, 7, sizeof older);
    void *volatile object = malloc(SIZE);
    get(&newer.now, sizeof newer);
    CHECK(newer.now.mapped_bytes > 0 && newer.more == 0);
    get(&older.now, 2 * sizeof(uint64_t));
    CHECK(older.now.live_objects > 0 && older.now.live_bytes > 0);
    CHECK(older.now.large_bytes == UINT64_C(0x0707070707070707));
    free(object);
}

static struct tn_tolerant_statistics of_process(void) { return read_by("tn_tolerant_statistics"); }
static struct tn_tolerant_statistics of_thread(void) { return read_by("tn_tolerant_thread_statistics"); }

static void keep(void) {
    for (unsigned i = 0; i < COUNT; i++) kept[i] = memset(malloc(SIZE), 1, SIZE);
}
static void free_kept(void) {
    for (unsigned i = 0; i < COUNT; i++) free(kept[i]);
}

static int is_between(uint64_t value, uint64_t least, uint64_t most) { return value >= least && value <= most; }

static uint64_t resident(void) {
    uint64_t whole = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu %lu", &whole, &pages) != 2) pages = 0;
    if (file != NULL) fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void a_process_counts_what_lives(void) {
    struct tn_tolerant_statistics before = of_process();
    keep();
    struct tn_tolerant_statistics now = of_process();
    CHECK(is_between(now.live_objects - before.live_objects, COUNT, COUNT + 100));
    CHECK(is_between(now.live_bytes - before.live_bytes, (uint64_t)COUNT * SIZE, (uint64_t)COUNT * SIZE * 9 / 8));
    CHECK(now.sites >= 1 && now.contexts >= 1 && now.metadata_bytes > 0);
    free_kept();
    CHECK(is_between(of_process().live_objects, before.live_objects, before.live_objects + 100));
}

/* Resident is what the kernel says of our pages now: it grows as they are touched, and not as they are taken. */
static void resident_bytes_are_the_kernels(void) {
    struct tn_tolerant_statistics before = of_process();
    uint64_t whole = resident();
    keep();
    unsigned char *large = malloc(64 * MIB);
    CHECK(large != NULL);
    struct tn_tolerant_statistics untouched = of_process();
    CHECK(untouched.mapped_bytes >= before.mapped_bytes + 64 * MIB && untouched.large_bytes >= before.large_bytes + 64 * MIB);
    uint64_t grown = untouched.resident_bytes - before.resident_bytes, told = resident() - whole;
    CHECK(is_between(grown + MIB, told - told / 8, told + told / 8 + 2 * MIB));
    memset(large, 1, 64 * MIB);
    CHECK(is_between(of_process().resident_bytes - untouched.resident_bytes, 63 * MIB, 66 * MIB));
    free(large);
    free_kept();
    (void)malloc_trim(0);
    CHECK(of_process().resident_bytes < untouched.resident_bytes);
}

static void *work(void *mine) {
    void *objects[1000];
    struct tn_tolerant_statistics before = of_thread();
    for (unsigned i = 0; i < 1000; i++) objects[i] = malloc(100);
    struct tn_tolerant_statistics now = of_thread();
    CHECK(is_between(now.live_objects - before.live_objects, 900, 1100) && now.live_bytes - before.live_bytes >= 90000);
    *(uint64_t *)mine = now.live_objects;
    for (unsigned i = 0; i < 1000; i++) free(objects[i]);
    CHECK(of_thread().live_objects <= before.live_objects + 100);
    return NULL;
}

static void a_thread_counts_its_own(void) {
    keep();
    pthread_t thread;
    uint64_t others = 0;
    CHECK(pthread_create(&thread, NULL, work, &others) == 0);
    pthread_join(thread, NULL);
    CHECK(others < COUNT / 2 && of_thread().live_objects >= COUNT / 8 * 7); /* but for samples */
    free_kept();
}

static void the_c_librarys_figures_agree(void) {
    struct mallinfo2 before = mallinfo2();
    keep();
    void *large = malloc(8 * MIB);
    struct mallinfo2 now = mallinfo2();
    CHECK(is_between(now.uordblks - before.uordblks, (uint64_t)COUNT * SIZE, (uint64_t)COUNT * SIZE * 9 / 8));
    CHECK(now.hblks == before.hblks + 1 && is_between(now.hblkhd - before.hblkhd, 8 * MIB, 9 * MIB));
    CHECK(now.arena >= now.uordblks && now.fordblks <= now.arena);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct mallinfo narrow = mallinfo();
#pragma GCC diagnostic pop
    CHECK(is_between((uint64_t)narrow.uordblks, now.uordblks - MIB, now.uordblks + MIB));
    free(large);
    free_kept();
}

static void malloc_info_writes_one_element(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    CHECK(to != NULL && malloc_info(0, to) == 0 && fclose(to) == 0);
    CHECK(strncmp(text, "<malloc version=", 16) == 0 && strstr(text, "</malloc>\n") == text + size - 10);
    CHECK(strstr(text, "<total type=\"live\" count=") != NULL && strstr(text, "<system type=\"current\" size=") != NULL);
    free(text);
    CHECK(malloc_info(1, stderr) != 0);
}

static void mallopt_takes_what_programs_set(void) {
    CHECK(mallopt(M_MMAP_THRESHOLD, 65536) == 1 && mallopt(M_TRIM_THRESHOLD, 0) == 1 && mallopt(M_ARENA_MAX, 1) == 1);
    void *object = malloc(100000);
    CHECK(object != NULL);
    free(object);
}

static void trimming_gives_memory_back(void) {
    keep();
    uint64_t before = resident();
    free_kept();
    CHECK(malloc_trim(0) == 1);
    CHECK(resident() < before - (uint64_t)COUNT * SIZE * 3 / 4);
    CHECK(mallinfo2().keepcost < MIB);
}

const struct test tests[] = {
    {"structures of other ages are filled", structures_of_other_ages_are_filled},
    {"a process counts what lives", a_process_counts_what_lives},
    {"resident bytes are the kernel's", resident_bytes_are_the_kernels},
    {"a thread counts its own", a_thread_counts_its_own},
    {"the C library's figures agree", the_c_librarys_figures_agree},
    {"malloc_info writes one element", malloc_info_writes_one_element},
    {"mallopt takes what programs set", mallopt_takes_what_programs_set},
    {"trimming gives memory back", trimming_gives_memory_back},
    {NULL, NULL},
};
