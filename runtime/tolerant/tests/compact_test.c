/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual compaction under the preloaded malloc. To be run with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"
#include "tenure/tolerant.h"

enum { SIZE = 64, PAGES = 8192, PER_PAGE = 4096 / SIZE };
static unsigned *kept[PAGES];
static void *volatile sink;

static struct tn_tolerant_statistics statistics(void) {
    void (*get)(struct tn_tolerant_statistics *);
    *(void **)&get = dlsym(RTLD_DEFAULT, "tn_tolerant_statistics");
    struct tn_tolerant_statistics now = {0};
    if (get != NULL) get(&now);
    return now;
}

static void look(void) {
    int (*f)(void);
    *(void **)&f = dlsym(RTLD_DEFAULT, "tn_tolerant_look");
    if (f != NULL) (void)f();
}

/* Bytes in frames, each counted once. */
static size_t true_resident(void) {
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    size_t kib = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Pss: %zu", &kib) == 1) break;
    if (file != NULL) fclose(file);
    return kib * 1024;
}

static __attribute__((noinline)) unsigned *make(unsigned value) {
    unsigned *object = malloc(SIZE);
    for (unsigned i = 0; i < SIZE / sizeof *object; i++) object[i] = value + i;
    return object;
}

static int whole(const unsigned *object, unsigned value) {
    for (unsigned i = 0; i < SIZE / sizeof *object; i++)
        if (object[i] != value + i) return 0;
    return 1;
}

static int all_whole(void) {
    for (unsigned i = 0; i < PAGES; i++)
        if (!whole(kept[i], i * 100)) return 0;
    return 1;
}

/* The paper's best case: one live object is left on each page. */
static void leave_one_on_each_page(void) {
    static unsigned *all[PAGES * PER_PAGE];
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) all[i] = make(i);
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) {
        if (i % PER_PAGE == 17) {
            kept[i / PER_PAGE] = all[i];
            for (unsigned k = 0; k < SIZE / sizeof(unsigned); k++) all[i][k] = i / PER_PAGE * 100 + k;
        } else {
            free(all[i]);
        }
    }
}

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < 10; i++) {
        usleep(250000);
        look();
    }
}

static void pages_with_one_live_object_share_frames(void) {
    leave_one_on_each_page();
    size_t before = true_resident();
    let_it_become_cold();
    size_t after = true_resident();
    printf("resident %zu KiB, then %zu KiB; shared %zu KiB\n", before >> 10, after >> 10,
           (size_t)statistics().shared_bytes >> 10);
    CHECK(statistics().shared_bytes > (size_t)PAGES * 4096 * 9 / 10);
    CHECK(before - after > (size_t)PAGES * 4096 * 9 / 10);
    CHECK(all_whole());
}

static void a_childs_writes_to_shared_frames_stay_in_the_child(void) {
    pid_t child = fork();
    if (child == 0) {
        int good = all_whole();
        for (unsigned i = 0; i < PAGES; i++) kept[i][0] = 1;
        for (unsigned i = 0; i < PAGES; i++) good = good && kept[i][0] == 1 && kept[i][1] == i * 100 + 1;
        for (unsigned i = 0; i < PAGES; i += 2) free(kept[i]);
        for (unsigned i = 0; i < 50000; i++) make(i);
        _exit(good ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(all_whole());
}

static void what_is_written_splits_off_and_what_is_freed_is_used_again(void) {
    for (unsigned i = 0; i < PAGES; i += 3)
        for (unsigned k = 0; k < SIZE / sizeof(unsigned); k++) kept[i][k] = i * 100 + k;
    CHECK(all_whole());
    for (unsigned i = 0; i < PAGES; i++) free(kept[i]);
    for (unsigned i = 0; i < PAGES; i++) kept[i] = make(i * 100);
    CHECK(all_whole());
    for (size_t size = 100000; size < 1000000; size += 100000) {
        unsigned char *zero = calloc(1, size);
        size_t i = 0;
        while (i < size && zero[i] == 0) i++;
        CHECK(i == size);
        sink = zero;
    }
}

static void *wait_long(void *ignored) {
    (void)ignored;
    while (pause() != 0) {}
    return NULL;
}

static void a_process_with_threads_is_left_as_it_is(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_long, NULL) == 0);
    leave_one_on_each_page();
    uint64_t before = statistics().shared_bytes;
    let_it_become_cold();
    CHECK(statistics().shared_bytes <= before);
    CHECK(all_whole());
}

const struct test tests[] = {
    {"pages with one live object share frames", pages_with_one_live_object_share_frames},
    {"a child's writes to shared frames stay in the child", a_childs_writes_to_shared_frames_stay_in_the_child},
    {"what is written splits off and what is freed is used again",
     what_is_written_splits_off_and_what_is_freed_is_used_again},
    {"a process with threads is left as it is", a_process_with_threads_is_left_as_it_is},
    {NULL, NULL},
};
