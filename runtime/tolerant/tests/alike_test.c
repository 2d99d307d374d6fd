/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Large objects that are cold: pages with the same bytes share frames, and nothing that a program does with such memory tells it
 * so. To be run under the preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"
#include "writers.h"

enum { COUNT = 240, PAGE = 4096 };
static unsigned char *kept[COUNT];

/* Two that share a frame are of the same size here; their last pages are in part the malloc's own. */
static size_t size_of(unsigned i) { return (size_t)(48 + i % 4 * 40) * 1024; }

/* Every page has its own bytes, the same in all objects, but for one byte. */
static unsigned char byte_of(unsigned i, size_t k) {
    return k == size_of(i) / 2 ? (unsigned char)(i + 1) : (unsigned char)(k / PAGE * 3 + k % 7 + 1);
}

__attribute__((noinline)) static unsigned char *keep(unsigned i) {
    unsigned char *object = malloc(size_of(i));
    for (size_t k = 0; k < size_of(i); k++) object[k] = byte_of(i, k);
    return object;
}

static void keep_all(void) {
    for (unsigned i = 0; i < COUNT; i++) kept[i] = keep(i);
}

static void free_all(void) {
    for (unsigned i = 0; i < COUNT; i++) free(kept[i]);
}

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < 16; i++) look();
}

static int is_broken(const unsigned char *object, unsigned i) {
    for (size_t k = 0; k < size_of(i); k++)
        if (object[k] != byte_of(i, k)) return 1;
    return 0;
}

static unsigned broken_objects(void) {
    unsigned broken = 0;
    for (unsigned i = 0; i < COUNT; i++) broken += (unsigned)is_broken(kept[i], i);
    return broken;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The frames behind all objects, once each page was read; SIZE_MAX if the kernel does not tell. */
static size_t frames(size_t *pages) {
    static uint64_t numbers[COUNT * 64];
    size_t count = 0, different = 0;
    int map = open("/proc/self/pagemap", O_RDONLY);
    for (unsigned i = 0; i < COUNT; i++)
        for (size_t k = 0; k < size_of(i); k += PAGE) {
            (void)!*(volatile unsigned char *)&kept[i][k];
            uint64_t entry = 0;
            if (pread(map, &entry, sizeof entry, (off_t)((uintptr_t)&kept[i][k] / PAGE * sizeof entry)) != sizeof entry) break;
            numbers[count++] = entry >> 63 == 0 ? 0 : entry & (((uint64_t)1 << 55) - 1);
        }
    close(map);
    qsort(numbers, count, sizeof *numbers, by_value);
    for (size_t i = 0; i < count; i++) different += i == 0 || numbers[i] != numbers[i - 1];
    *pages = count;
    return count == 0 || numbers[count - 1] == 0 ? SIZE_MAX : different;
}

static void equal_pages_share_frames(void) {
    size_t pages;
    keep_all();
    let_it_become_cold();
    CHECK(broken_objects() == 0);
    size_t now = frames(&pages);
    printf("%zu pages on %zu frames\n", pages, now);
    if (now != SIZE_MAX) CHECK(now < pages / 4);
    CHECK(statistics().shared_bytes > pages * PAGE / 2);
}

static unsigned long long other_bytes(unsigned i) {
    unsigned long long sum = 0;
    for (size_t k = 0; k < size_of(i); k++) sum += kept[i][k];
    return sum;
}

/* In the objects of the test before. */
static void writes_stay_where_they_are(void) {
    unsigned long long before = other_bytes(5);
    memset(kept[1], 99, size_of(1));
    CHECK(other_bytes(5) == before && broken_objects() == 1);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        for (unsigned i = 0; i < COUNT; i++) memset(kept[i], 55, size_of(i));
        for (unsigned i = 0; i < COUNT; i += 2) free(kept[i]);
        unsigned char *fresh = calloc(1, size_of(3));
        for (size_t k = 0; k < size_of(3); k++)
            if (fresh[k] != 0) _exit(1);
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(broken_objects() == 1);
    for (size_t k = 0; k < size_of(1); k++) kept[1][k] = byte_of(1, k);
    CHECK(broken_objects() == 0);
}

static void dropped_pages_are_zero(void) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        unsigned char *in = (unsigned char *)(((uintptr_t)kept[i] + 2 * PAGE) & ~(uintptr_t)(PAGE - 1));
        if (i % 2 == 0) in[5] = 1; /* which has a frame of its own by that */
        CHECK(madvise(in, 2 * PAGE, i % 3 == 0 ? MADV_FREE : MADV_DONTNEED) == 0);
        for (size_t k = 0; i % 3 != 0 && k < 2 * PAGE; k++) wrong += in[k] != 0;
        for (size_t k = 0; k < 2 * PAGE; k++) in[k] = byte_of(i, (size_t)(in - kept[i]) + k);
        int file = open("/dev/null", O_WRONLY);
        CHECK(mprotect(in, PAGE, PROT_NONE) == 0);
        CHECK(madvise(in, PAGE, MADV_COLD) == 0);
        int pipes[2];
        CHECK(pipe(pipes) == 0 && write(pipes[1], in, 16) == -1 && errno == EFAULT);
        CHECK(mprotect(in, PAGE, PROT_READ | PROT_WRITE) == 0);
        close(file), close(pipes[0]), close(pipes[1]);
    }
    CHECK(wrong == 0 && broken_objects() == 0);
}

/* In place where there is room, and to other sizes. */
static void they_grow_and_go_like_others(void) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < COUNT; i += 3) {
        kept[i] = realloc(kept[i], size_of(i) + 64 * 1024);
        CHECK(kept[i] != NULL);
        memset(kept[i] + size_of(i), 9, 64 * 1024);
    }
    CHECK(broken_objects() == 0);
    free_all();
    /* What comes in their places, freed, given back to the system and taken again, is no view. */
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            kept[i] = calloc(1, size_of(i));
            for (size_t k = 0; k < size_of(i); k++) wrong += kept[i][k] != 0;
            memset(kept[i], 7, size_of(i));
        }
        free_all();
        (void)malloc_trim(0);
    }
    CHECK(wrong == 0);
}

/* A few objects are written to all the time, and made what they were at once: their pages are equal to the others' when they are
 * read, and different when they are shown, if nobody keeps their writers waiting. */
enum { USED = 4, CHANGED = 12 };
static atomic_uint lost_writes;

static void change_and_restore(unsigned writer, unsigned *state, int zeros) {
    (void)zeros;
    while (atomic_load(&looking)) {
        unsigned i = writer + next_random(state) % USED * WRITERS, lost = 0;
        size_t from = next_random(state) % PAGE;
        volatile unsigned char *object = kept[i];
        for (size_t k = from; k < CHANGED * PAGE; k += PAGE) object[k] = 200;
        for (size_t k = from; k < CHANGED * PAGE; k += PAGE) lost += object[k] != 200;
        for (size_t k = from; k < CHANGED * PAGE; k += PAGE) object[k] = byte_of(i, k);
        for (size_t k = from; k < CHANGED * PAGE; k += PAGE) lost += object[k] != byte_of(i, k);
        if (lost != 0) atomic_fetch_add(&lost_writes, lost);
    }
}

/* In each round objects of the same sizes come at once where others were, and are looked at like those. */
enum { ROUNDS = 5 };

static void no_write_is_lost_meanwhile(void) {
    uint64_t all = 0;
    unsigned few = 0;
    start_writers(change_and_restore, 100);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t shared = 0;
        keep_all();
        for (unsigned i = 0; i < 10; i++) {
            uint64_t before = statistics().shared_bytes;
            look_beside_writers(i >= 3);
            uint64_t after = statistics().shared_bytes;
            if (after > before) shared += after - before;
        }
        few += shared <= (size_t)COUNT * 48 * 1024 / 2;
        all += shared;
        CHECK(broken_objects() == 0);
        free_all();
    }
    end_writers();
    printf("shared %zu KiB beside threads that write\n", (size_t)all >> 10);
    CHECK(atomic_load(&lost_writes) == 0);
    if (may_hold()) CHECK(few == 0);
}

/* Each object has one writer, which marks it in several places, and has the kernel do so; some it frees or has moved. */
static unsigned marks[COUNT];

static size_t mark_of(unsigned i, unsigned n) { return size_of(i) / MARKS * (n % MARKS) / PAGE * PAGE + 64; }

static void mark_some(unsigned writer, unsigned *state, int zeros) {
    for (unsigned n = 0; n < 300; n++) {
        unsigned i = next_random(state) % (COUNT / WRITERS) * WRITERS + writer, m = marks[i]++;
        memset(kept[i] + mark_of(i, m), (int)(m % 100 + 1), 32);
        if (m % 4 == 0 && pread(zeros, kept[i] + mark_of(i, m) + 32, 32, 0) != 32) atomic_fetch_add(&failed_calls, 1);
        if (n % 16 == 3) kept[i] = realloc(kept[i], size_of(i) + n % 3 * 48 * 1024);
        if (n % 16 == 7) {
            free(kept[i]);
            kept[i] = keep(i);
            marks[i] = 0;
        }
    }
}

/* Where nothing was marked, the objects are as they were made. */
static unsigned strange_bytes(void) {
    unsigned strange = 0;
    for (unsigned i = 0; i < COUNT; i++)
        for (size_t k = 0; k < size_of(i); k++) strange += k % PAGE >= 128 && kept[i][k] != byte_of(i, k);
    return strange;
}

static void threads_may_write_to_them_and_free_them_meanwhile(void) {
    unsigned lost = 0, strange = 0;
    uint64_t all = 0;
    start_writers(mark_some, 60000);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            if (round > 0) free(kept[i]);
            kept[i] = keep(i);
            marks[i] = 0;
        }
        for (unsigned i = 0; i < 9; i++) {
            uint64_t before = statistics().shared_bytes;
            look_beside_writers(i >= 5 && round > 0);
            lost += lost_marks(kept, marks, COUNT, mark_of);
            if (i == 8) strange += strange_bytes(); /* which uses them */
            uint64_t after = statistics().shared_bytes;
            if (after > before) all += after - before;
        }
    }
    end_writers();
    printf("shared %zu KiB beside threads\n", (size_t)all >> 10);
    CHECK(lost == 0 && strange == 0 && atomic_load(&failed_calls) == 0);
    if (may_hold()) CHECK(all > (size_t)COUNT * 48 * 1024 / 2);
    free_all();
}

/* A page that may not be read, one that shows a file, one that children do not get, and an object that was aligned to a page. */
static void what_is_no_plain_memory_stays_what_it_is(void) {
    unsigned char *aligned[COUNT], *in[COUNT];
    int file = file_of('x', PAGE);
    for (unsigned i = 0; i < COUNT; i++) {
        kept[i] = keep(i);
        in[i] = (unsigned char *)(((uintptr_t)kept[i] + 2 * PAGE) & ~(uintptr_t)(PAGE - 1));
        if (i % 4 == 0) CHECK(mprotect(in[i], PAGE, PROT_NONE) == 0);
        if (i % 4 == 1) CHECK(mmap(in[i], PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == in[i]);
        if (i % 4 == 2) CHECK(madvise(in[i], PAGE, MADV_WIPEONFORK) == 0);
        aligned[i] = aligned_alloc(PAGE, (size_t)64 * 1024);
        memset(aligned[i], 3, (size_t)64 * 1024);
    }
    let_it_become_cold();
    unsigned wrong = 0;
    in[1][9] = 'y';
    pid_t child = fork();
    if (child == 0) {
        for (unsigned i = 2; i < COUNT; i += 4) wrong += in[i][17] != 0;
        _exit(wrong != 0);
    }
    int status;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    for (unsigned i = 0; i < COUNT; i++) {
        /* A view of frames that was dropped past the malloc would not be zero. */
        CHECK(syscall(SYS_madvise, aligned[i], 4 * PAGE, MADV_DONTNEED) == 0);
        for (size_t k = 0; k < 4 * PAGE; k++) wrong += aligned[i][k] != 0;
        if (i % 4 == 1) wrong += in[i][9] != 'y' || in[i][10] != 'x';
        if (i % 4 == 0) CHECK(mprotect(in[i], PAGE, PROT_READ | PROT_WRITE) == 0);
        if (i % 4 != 1) wrong += (unsigned)is_broken(kept[i], i);
    }
    CHECK(wrong == 0);
    for (unsigned i = 0; i < COUNT; i++) {
        if (i % 4 == 1) CHECK(mmap(in[i], PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == in[i]);
        if (i % 4 == 2) CHECK(madvise(in[i], PAGE, MADV_KEEPONFORK) == 0);
        free(kept[i]);
        free(aligned[i]);
    }
    close(file);
}

const struct test tests[] = {
    {"equal pages share frames", equal_pages_share_frames},
    {"writes stay where they are", writes_stay_where_they_are},
    {"dropped pages are zero, protected ones protected", dropped_pages_are_zero},
    {"they grow and go like others", they_grow_and_go_like_others},
    {"no write is lost meanwhile", no_write_is_lost_meanwhile},
    {"threads may write to them and free them meanwhile", threads_may_write_to_them_and_free_them_meanwhile},
    {"what is no plain memory stays what it is", what_is_no_plain_memory_stays_what_it_is},
    {NULL, NULL},
};
