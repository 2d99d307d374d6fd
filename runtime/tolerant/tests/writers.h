/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Threads that write to objects while the malloc looks at their pages.
 */
#ifndef TENURE_TOLERANT_TESTS_WRITERS_H
#define TENURE_TOLERANT_TESTS_WRITERS_H

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { WRITERS = 3 };
/* What one writer does each time; `zeros` is open for reading. */
typedef void write_some(unsigned writer, unsigned *state, int zeros);

static pthread_t writers[WRITERS];
static write_some *writers_do;
static unsigned writers_spin;
static atomic_int writing, at_work, failed_calls;
static atomic_int looking; /* while the look goes on that writers are at work beside */

/* Whether the process has the rights by which writers are kept waiting. */
static int may_hold(void) {
    int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0;
}

/* Each time that `writing` changes to another number above 0: waits for a while, and writes for a while. */
static void *write_now_and_then(void *number) {
    unsigned writer = (unsigned)(uintptr_t)number, state = writer + 1, written = 0;
    int zeros = open("/dev/zero", O_RDONLY), mode;
    while ((mode = atomic_load(&writing)) >= 0) {
        if ((unsigned)mode == written) {
            usleep(50);
            continue;
        }
        written = (unsigned)mode;
        for (unsigned spin = next_random(&state) % 100 * writers_spin; spin > 0; spin--) (void)atomic_load(&writing);
        writers_do(writer, &state, zeros);
        atomic_fetch_sub(&at_work, 1);
    }
    close(zeros);
    return NULL;
}

/* They wait up to a hundred times `spin` before they write. */
static void start_writers(write_some *act, unsigned spin) {
    writers_do = act;
    writers_spin = spin;
    atomic_store(&writing, 0);
    for (uintptr_t t = 0; t < WRITERS; t++) CHECK(pthread_create(&writers[t], NULL, write_now_and_then, (void *)t) == 0);
}

/* A look, with the writers at work meanwhile or not. */
static void look_beside_writers(int they_write) {
    if (they_write) {
        atomic_store(&at_work, WRITERS);
        atomic_store(&looking, 1);
        atomic_fetch_add(&writing, 1);
    }
    look();
    atomic_store(&looking, 0);
    while (atomic_load(&at_work) > 0) usleep(50);
}

/* Where in the object the writers' mark of that number lies; the last MARKS of an object are there. */
enum { MARKS = 8 };
typedef size_t place_of_mark(unsigned object, unsigned number);

static inline unsigned lost_marks(unsigned char **objects, const unsigned *marks, unsigned count, place_of_mark *place) {
    unsigned lost = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned back = 1; back <= MARKS && back <= marks[i]; back++) {
            unsigned n = marks[i] - back;
            const unsigned char *mark = objects[i] + place(i, n);
            lost += mark[0] != n % 100 + 1 || mark[31] != n % 100 + 1;
        }
    return lost;
}

/* A file of nobody's, of so many bytes. */
static inline int file_of(char byte, size_t size) {
    char name[] = P_tmpdir "/tenure-bytes-XXXXXX";
    int file = mkstemp(name);
    CHECK(file >= 0 && unlink(name) == 0);
    for (size_t i = 0; i < size; i++) CHECK(write(file, &byte, 1) == 1);
    return file;
}

static void end_writers(void) {
    atomic_store(&writing, -1);
    for (unsigned t = 0; t < WRITERS; t++) pthread_join(writers[t], NULL);
}

#endif
