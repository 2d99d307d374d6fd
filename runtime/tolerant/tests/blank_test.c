/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Large objects that are cold: pages of zeros give their frames back, and nothing that a program does with such memory is
 * lost by it. To be run under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"
#include "writers.h"

enum { COUNT = 240, PAGE = 4096 };
static unsigned char *kept[COUNT];

static int small; /* all of one size, of which most pages are written to */
static size_t size_of(unsigned i) { return small ? (size_t)48 * 1024 : i % 40 == 39 ? (size_t)3 << 19 : (size_t)(48 + i % 7 * 40) * 1024; }

/* All of it has frames, and is zero but for one byte. */
__attribute__((noinline)) static unsigned char *keep(unsigned i) {
    unsigned char *object = malloc(size_of(i));
    memset(object, 7, size_of(i));
    memset(object, 0, size_of(i));
    object[size_of(i) / 2] = (unsigned char)(i + 1);
    return object;
}

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < 16; i++) look();
}

static unsigned broken_objects(void) {
    unsigned broken = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        size_t wrong = 0;
        for (size_t k = 0; k < size_of(i); k++) wrong += kept[i][k] != (k == size_of(i) / 2 ? (unsigned char)(i + 1) : 0);
        broken += wrong != 0;
    }
    return broken;
}

static void cold_large_objects_of_zeros_give_their_frames_back(void) {
    size_t all = 0;
    uint64_t before = statistics().released_bytes;
    for (unsigned i = 0; i < COUNT; i++) {
        kept[i] = keep(i);
        all += size_of(i);
    }
    let_it_become_cold();
    uint64_t released = statistics().released_bytes - before;
    printf("released %zu of %zu KiB\n", (size_t)released >> 10, all >> 10);
    CHECK(released > all / 2);
    CHECK(broken_objects() == 0);
    for (unsigned i = 0; i < COUNT; i++) free(kept[i]);
}

/* Each object has one writer, which marks it in several places, and has the kernel do so. */
enum { ROUNDS = 12 };
static unsigned marks[COUNT];

static size_t mark_of(unsigned i, unsigned n) { return size_of(i) / MARKS * (n % MARKS) / PAGE * PAGE + 64; }

static void mark(unsigned i, int numbers) {
    unsigned n = marks[i]++;
    memset(kept[i] + mark_of(i, n), (int)(n % 100 + 1), 32);
    if (n % 4 == 0 && pread(numbers, kept[i] + mark_of(i, n) + 32, 32, 0) != 32) atomic_fetch_add(&failed_calls, 1);
}

static void mark_some(unsigned writer, unsigned *state, int zeros) {
    for (unsigned n = 0; n < 300; n++) {
        mark(next_random(state) % (COUNT / WRITERS) * WRITERS + writer, zeros);
        /* Others of the same site come and go. */
        if (n % 8 == 0) free(keep(n));
    }
}

static void threads_and_system_calls_may_write_to_them_meanwhile(void) {
    uint64_t released = 0;
    unsigned lost = 0;
    small = 1;
    start_writers(mark_some, 60000);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            if (round > 0) free(kept[i]);
            kept[i] = keep(i);
            marks[i] = 0;
        }
        uint64_t before = statistics().released_bytes;
        for (unsigned i = 0; i < 9; i++) {
            look_beside_writers(i >= 4 && round > 0);
            lost += lost_marks(kept, marks, COUNT, mark_of);
        }
        released += statistics().released_bytes - before;
    }
    end_writers();
    printf("released %zu KiB beside threads\n", (size_t)released >> 10);
    CHECK(lost == 0 && atomic_load(&failed_calls) == 0);
    if (may_hold()) CHECK(released > (size_t)COUNT * 48 * 1024 / 2);
    for (unsigned i = 0; i < COUNT; i++) free(kept[i]);
    small = 0;
}

/* A page that may not be read, one that shows a file, and an object that was aligned to a page. */
static void what_is_no_plain_memory_stays_what_it_is(void) {
    unsigned char *aligned[COUNT], *in[COUNT];
    int file = file_of('x', PAGE);
    for (unsigned i = 0; i < COUNT; i++) {
        kept[i] = keep(i);
        in[i] = (unsigned char *)(((uintptr_t)kept[i] + 2 * PAGE) & ~(uintptr_t)(PAGE - 1));
        if (i % 3 == 0) CHECK(mprotect(in[i], PAGE, PROT_NONE) == 0);
        if (i % 3 == 1) {
            CHECK(mmap(in[i], PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == in[i]);
            memset(in[i], 0, PAGE);
        }
        aligned[i] = aligned_alloc(PAGE, (size_t)64 * 1024);
        memset(aligned[i], 0, (size_t)64 * 1024);
    }
    let_it_become_cold();
    unsigned absent = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned char resident[16];
        CHECK(mincore(aligned[i], (size_t)64 * 1024, resident) == 0);
        for (unsigned k = 0; k < 16; k++) absent += (resident[k] & 1) == 0;
        if (i % 3 == 0) CHECK(mprotect(in[i], PAGE, PROT_READ | PROT_WRITE) == 0);
    }
    CHECK(broken_objects() == 0);
    if (absent != 0) printf("%u pages of aligned objects have no frames\n", absent);
    CHECK(absent == 0);
    for (unsigned i = 0; i < COUNT; i++) {
        free(kept[i]);
        free(aligned[i]);
    }
    close(file);
}

const struct test tests[] = {
    {"cold large objects of zeros give their frames back", cold_large_objects_of_zeros_give_their_frames_back},
    {"threads and system calls may write to them meanwhile", threads_and_system_calls_may_write_to_them_meanwhile},
    {"what is no plain memory stays what it is", what_is_no_plain_memory_stays_what_it_is},
    {NULL, NULL},
};
