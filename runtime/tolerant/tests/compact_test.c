/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual compaction under the preloaded malloc. To be run with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"
#include "writers.h"

enum { SIZE = 64, PAGES = 8192, PER_PAGE = 4096 / SIZE };
static unsigned *kept[PAGES];
static void *volatile sink;

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
    CHECK(statistics().shared_bytes > (size_t)PAGES * 4096 * 8 / 10);
    CHECK(before - after > (size_t)PAGES * 4096 * 8 / 10);
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

static int dies_of_a_write(char *page) {
    pid_t child = fork();
    if (child == 0) {
        *(volatile char *)page = 1;
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/* All alike, so that they would share frames. */
static void pages_that_the_program_protects_stay_protected(void) {
    enum { COUNT = 2048, BYTES = 4096, DISTANCE = 256 };
    static char *pages[COUNT];
    unsigned protected = 0;
    for (unsigned i = 0; i < COUNT; i++) pages[i] = memset(malloc(BYTES), 7, BYTES);
    for (unsigned i = 0; i < COUNT; i += DISTANCE)
        protected += mprotect(pages[i], BYTES, i % (2 * DISTANCE) == 0 ? PROT_NONE : PROT_READ) == 0;
    let_it_become_cold();
    for (unsigned i = 0; i < COUNT; i += DISTANCE) {
        CHECK(dies_of_a_write(pages[i]));
        mprotect(pages[i], BYTES, PROT_READ | PROT_WRITE);
    }
    CHECK(protected == COUNT / DISTANCE);
    for (unsigned i = 0; i < COUNT; i++) {
        CHECK(pages[i][0] == 7 && pages[i][BYTES - 1] == 7);
        free(pages[i]);
    }
}

/* Objects that threads write to while their pages are merged; each has one writer. */
enum { ROUNDS = 12, BATCH = 2048 };
static unsigned *_Atomic batch[BATCH];
static unsigned versions[BATCH];
/* 1: words of an object differ; 0: they are the same, all zero before the first write. */
static unsigned step = 1;

static void write_version(unsigned i, int zeros) {
    unsigned *object = atomic_load(&batch[i]);
    /* The kernel writes, too, and must not be told that the address is bad. */
    if (versions[i] % 4 == 0 && read(zeros, object, SIZE) != SIZE) atomic_fetch_add(&failed_calls, 1);
    versions[i]++;
    for (unsigned k = 0; k < SIZE / sizeof *object; k++) object[k] = versions[i] * 1000 + k * step;
}

static void write_versions(unsigned writer, unsigned *state, int zeros) {
    for (unsigned n = 0; n < 200; n++) write_version(next_random(state) % (BATCH / WRITERS) * WRITERS + writer, zeros);
}

static void new_batch(void) {
    static unsigned *all[BATCH * PER_PAGE];
    for (unsigned i = 0; i < BATCH; i++) free(atomic_load(&batch[i]));
    for (unsigned i = 0; i < BATCH * PER_PAGE; i++) all[i] = make(i);
    for (unsigned i = 0; i < BATCH * PER_PAGE; i++) {
        if (i % PER_PAGE == 17) {
            unsigned n = i / PER_PAGE;
            versions[n] = 0;
            for (unsigned k = 0; k < SIZE / sizeof(unsigned); k++) all[i][k] = k * step;
            atomic_store(&batch[n], all[i]);
        } else {
            free(all[i]);
        }
    }
}

static unsigned broken_objects(void) {
    unsigned broken = 0;
    for (unsigned i = 0; i < BATCH; i++)
        for (unsigned k = 0; k < SIZE / sizeof(unsigned); k++)
            if (batch[i][k] != versions[i] * 1000 + k * step) {
                broken++;
                break;
            }
    return broken;
}

static uint64_t saved_bytes(void) {
    struct tn_tolerant_statistics now = statistics();
    return now.shared_bytes + now.released_bytes;
}

/* The frames that were saved while threads wrote to the pages, in bytes. */
static uint64_t save_beside_writers(void) {
    start_writers(write_versions, 50000);
    uint64_t merged = 0;
    unsigned broken = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        new_batch();
        uint64_t before = saved_bytes();
        for (unsigned i = 0; i < 7; i++) {
            /* At the fifth look they have been cold for as long as it takes. The first round shows that. */
            look_beside_writers(i >= 4 && round > 0);
        }
        if (saved_bytes() > before) merged += saved_bytes() - before;
        broken += broken_objects();
    }
    end_writers();
    CHECK(broken == 0 && broken_objects() == 0);
    CHECK(atomic_load(&failed_calls) == 0);
    CHECK(all_whole());
    return merged;
}

static void pages_share_frames_while_threads_write_to_them(void) {
    uint64_t merged = save_beside_writers();
    printf("shared %zu KiB beside threads\n", (size_t)merged >> 10);
    if (may_hold()) CHECK(merged > (size_t)BATCH * 4096 / 2);
}

static void pages_of_zeros_give_their_frames_back_while_threads_write_to_them(void) {
    uint64_t before = statistics().released_bytes;
    step = 0;
    (void)save_beside_writers();
    uint64_t released = statistics().released_bytes - before;
    printf("released %zu KiB beside threads\n", (size_t)released >> 10);
    if (may_hold()) CHECK(released > (size_t)BATCH * 4096 / 2);
}


static void *complain(void *ignored) {
    char words[512];
    memset(words, '!', sizeof words);
    while (atomic_load(&writing) >= 0) (void)!write(STDERR_FILENO, words, sizeof words);
    return ignored;
}

/* A thread goes on writing to the standard error that the process has closed: no file of the malloc's may take its place. */
static void frames_have_no_standard_files_number(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        unsigned broken = 0;
        pthread_t thread;
        for (int file = 0; file < 3; file++) close(file);
        atomic_store(&writing, 0);
        step = 1;
        if (pthread_create(&thread, NULL, complain, NULL) != 0) _exit(0);
        for (unsigned round = 0; round < 8; round++) {
            new_batch();
            for (unsigned i = 0; i < 7; i++) look();
            broken += broken_objects();
        }
        _exit(broken == 0 ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Pages that the program has for itself, and has given back: they are zero, as fresh memory. */
static void what_the_program_gives_back_is_zero(void) {
    enum { OWN = 2048 };
    static unsigned char *own[OWN];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (unsigned i = 0; i < OWN; i++) {
        own[i] = valloc(page);
        memset(own[i], (int)(i % 251) + 1, page);
    }
    for (unsigned i = 0; i < OWN; i++)
        if (i % 4 != 0) free(own[i]);
    let_it_become_cold();
    unsigned left = 0;
    for (unsigned i = 0; i < OWN; i += 4) {
        CHECK(madvise(own[i], page, MADV_DONTNEED) == 0);
        for (size_t k = 0; k < page; k++) left += own[i][k] != 0;
        free(own[i]);
    }
    CHECK(left == 0);
}

const struct test tests[] = {
    {"pages with one live object share frames", pages_with_one_live_object_share_frames},
    {"a child's writes to shared frames stay in the child", a_childs_writes_to_shared_frames_stay_in_the_child},
    {"pages that the program protects stay protected", pages_that_the_program_protects_stay_protected},
    {"what is written splits off and what is freed is used again",
     what_is_written_splits_off_and_what_is_freed_is_used_again},
    {"pages share frames while threads write to them", pages_share_frames_while_threads_write_to_them},
    {"pages of zeros give their frames back while threads write to them",
     pages_of_zeros_give_their_frames_back_while_threads_write_to_them},
    {"frames have no standard file's number", frames_have_no_standard_files_number},
    {"what the program gives back is zero", what_the_program_gives_back_is_zero},
    {NULL, NULL},
};
