/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The kernel's limit on mappings: how many the malloc makes, and that it works where the program has made all others. To
 * be run under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1 and TENURE_TOLERANT_MAPPINGS=1500.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { ALLOWED = 1500, OBJECTS = 200000, LARGE = 48, MOST_FILLED = 300000 };
#define LARGE_SIZE ((size_t)2 << 20)

static size_t count_mappings(void) {
    FILE *file = fopen("/proc/self/maps", "r");
    size_t lines = 0;
    for (int c; file != NULL && (c = getc(file)) != EOF;) lines += c == '\n';
    if (file != NULL) fclose(file);
    return lines;
}

static size_t resident(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    size_t whole, pages = 0;
    if (file != NULL && fscanf(file, "%zu %zu", &whole, &pages) != 2) pages = 0;
    if (file != NULL) fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static char *objects[OBJECTS];
static size_t sizes[OBJECTS];

static __attribute__((noinline)) char *make(size_t size, size_t value) {
    char *object = malloc(size);
    if (object != NULL) memset(object, (int)(value % 251), size);
    return object;
}

static size_t broken_objects(void) {
    size_t broken = 0;
    for (size_t i = 0; i < OBJECTS; i++)
        for (size_t k = 0; objects[i] != NULL && k < sizes[i]; k++)
            if ((unsigned char)objects[i][k] != i % 251) {
                broken++;
                break;
            }
    return broken;
}

/* Random objects stay, so that pages are merged one by one, for two mappings each. */
static void leave_some_on_each_page(unsigned seed) {
    unsigned state = seed;
    for (size_t i = 0; i < OBJECTS; i++) {
        if (objects[i] == NULL) objects[i] = make(sizes[i] = 48 + i % 3 * 48, i);
        if (objects[i] == NULL) sizes[i] = 0;
    }
    for (size_t i = 0; i < OBJECTS; i++)
        if (next_random(&state) % 8 != 0) {
            free(objects[i]);
            objects[i] = NULL;
        }
}

static void the_malloc_makes_no_more_mappings_than_it_may(void) {
    leave_some_on_each_page(1);
    for (unsigned i = 0; i < 8; i++) look();
    size_t now = count_mappings();
    struct tn_tolerant_statistics told = statistics();
    printf("%zu mappings, of which %u are the malloc's, of %u\n", now, told.own_mappings, told.mappings_most);
    CHECK(told.mappings_most == ALLOWED && now <= ALLOWED && now > ALLOWED / 4);
    CHECK(told.own_mappings > ALLOWED / 4 && told.own_mappings <= told.mappings);
    CHECK(broken_objects() == 0);
}

static char *filler;
static size_t filler_size;

static size_t mappings_of_system(void) {
    FILE *file = fopen("/proc/sys/vm/max_map_count", "r");
    size_t most = 0;
    if (file != NULL && fscanf(file, "%zu", &most) != 1) most = 0;
    if (file != NULL) fclose(file);
    return most;
}

/* Every second page gets another protection, until the kernel makes no more mappings. */
static int make_all_mappings(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), i = 1;
    filler_size = page * (mappings_of_system() + 2);
    filler = mmap(NULL, filler_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (filler == MAP_FAILED) return 0;
    while (i * page < filler_size && mprotect(filler + i * page, page, PROT_NONE) == 0) i += 2;
    return i * page < filler_size && errno == ENOMEM;
}

/* Objects of all sizes come and go, and are refused or whole. */
static int allocate_and_free(void) {
    int good = 1;
    unsigned state = 9;
    static char *mine[300];
    for (unsigned i = 0; i < 20000; i++) {
        size_t k = next_random(&state) % 300, size = 1 + next_random(&state) % (i % 50 == 0 ? 3000000 : 3000);
        if (mine[k] != NULL) good &= mine[k][0] == (char)k;
        if (i % 3 == 0) {
            errno = 0;
            char *larger = realloc(mine[k], size);
            if (larger == NULL) good &= errno == ENOMEM;
            if (larger != NULL) mine[k] = larger;
        } else {
            free(mine[k]);
            errno = 0;
            mine[k] = i % 3 == 1 ? malloc(size) : calloc(1, size);
            if (mine[k] == NULL) good &= errno == ENOMEM;
        }
        if (mine[k] != NULL) mine[k][0] = (char)k;
    }
    for (size_t k = 0; k < 300; k++) free(mine[k]);
    memset(mine, 0, sizeof mine);
    return good;
}

static void a_process_with_all_mappings_goes_on(void) {
    char *large[LARGE];
    if (mappings_of_system() > MOST_FILLED) {
        printf("skip: this system allows so many mappings that making them all takes long\n");
        return;
    }
    leave_some_on_each_page(5);
    for (size_t i = 0; i < LARGE; i++) large[i] = make(LARGE_SIZE, i);
    CHECK(make_all_mappings());
    size_t before = resident();
    /* Holes would make new mappings: address space stays, frames go. */
    for (size_t i = 1; i < LARGE; i += 2) free(large[i]);
    size_t after = resident();
    printf("%zu MiB, then %zu MiB\n", before >> 20, after >> 20);
    CHECK(before - after > (LARGE / 2 - 9) * LARGE_SIZE);
    CHECK(allocate_and_free());
    leave_some_on_each_page(2);
    for (unsigned i = 0; i < 8; i++) look();
    CHECK(broken_objects() == 0);
    pid_t child = fork();
    if (child == 0) {
        leave_some_on_each_page(3);
        look();
        _exit(allocate_and_free() && broken_objects() == 0 ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    for (size_t i = 0; i < LARGE; i += 2) {
        CHECK(large[i][0] == (char)i && large[i][LARGE_SIZE - 1] == (char)i);
        free(large[i]);
    }
    munmap(filler, filler_size);
    CHECK(allocate_and_free());
    leave_some_on_each_page(4);
    for (unsigned i = 0; i < 8; i++) look();
    CHECK(broken_objects() == 0);
    char *again = make(LARGE_SIZE * 8, 1);
    CHECK(again != NULL);
    free(again);
}

const struct test tests[] = {
    {"the malloc makes no more mappings than it may", the_malloc_makes_no_more_mappings_than_it_may},
    {"a process with all mappings goes on", a_process_with_all_mappings_goes_on},
    {NULL, NULL},
};
