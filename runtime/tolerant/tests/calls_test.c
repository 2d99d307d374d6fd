/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * System calls are given pages that are cold, that share frames, and that are being looked at meanwhile: none may fail
 * with EFAULT, and each reads and writes what the program sees. The mechanism: no page is ever protected or absent
 * (compact.h); what the kernel writes to a shared frame is copied first, as for the program. To be run under the
 * preloaded malloc with TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "preloaded.h"
#include "subject.h"

enum { SIZE = 512, PAGES = 1024, PER_PAGE = 4096 / SIZE };
static unsigned char *kept[PAGES];

static uint64_t shared_bytes(void) { return statistics().shared_bytes; }

/* The place that object i is written to, and no other. */
static void fill(unsigned i) { memset(kept[i], (int)(i % 251), SIZE); }
static int whole(unsigned i) {
    for (unsigned k = 0; k < SIZE; k++)
        if (kept[i][k] != i % 251) return 0;
    return 1;
}
static int all_whole(void) {
    for (unsigned i = 0; i < PAGES; i++)
        if (!whole(i)) return 0;
    return 1;
}

static __attribute__((noinline)) unsigned char *make(void) { return memset(malloc(SIZE), 1, SIZE); }

static void leave_one_on_each_page(void) {
    static unsigned char *all[PAGES * PER_PAGE];
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) all[i] = make();
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) {
        kept[i / PER_PAGE] = all[i / PER_PAGE * PER_PAGE + 3];
        if (i % PER_PAGE != 3) free(all[i]);
    }
    for (unsigned i = 0; i < PAGES; i++) fill(i);
}

/* Each call below is given object i, and leaves it as it was; what it cannot do here it leaves out. 0: as it should. */
struct calls {
    int pipe[2], socket[2], ring;
    void *submissions, *completions;
    struct io_uring_sqe *entries;
    struct io_uring_params parameters;
};

static int through_the_pipe(struct calls *calls, unsigned i) {
    struct iovec vector = {kept[i], SIZE};
    return write(calls->pipe[1], kept[i], SIZE) != SIZE || read(calls->pipe[0], kept[i], SIZE) != SIZE ||
           writev(calls->pipe[1], &vector, 1) != SIZE || readv(calls->pipe[0], &vector, 1) != SIZE;
}

static int through_the_socket(struct calls *calls, unsigned i) {
    return send(calls->socket[0], kept[i], SIZE, 0) != SIZE || recv(calls->socket[1], kept[i], SIZE, 0) != SIZE;
}

static int random_bytes(struct calls *calls, unsigned i) {
    (void)calls;
    int failed = getrandom(kept[i], SIZE, 0) != SIZE || whole(i);
    fill(i);
    return failed;
}

/* The kernel reads a number from the page, and writes one to it. */
static int control(struct calls *calls, unsigned i) {
    int one = 1, unread = -1;
    memcpy(kept[i], &one, sizeof one);
    int failed = ioctl(calls->pipe[0], FIONBIO, kept[i]) != 0;
    failed |= write(calls->pipe[1], "abc", 3) != 3 || ioctl(calls->pipe[0], FIONREAD, kept[i]) != 0;
    memcpy(&unread, kept[i], sizeof unread);
    char three[3];
    failed |= unread != 3 || read(calls->pipe[0], three, 3) != 3;
    fill(i);
    return failed;
}

/* The file's name is on one page and its description on another. */
static int status(struct calls *calls, unsigned i) {
    (void)calls;
    unsigned other = (i + 1) % PAGES;
    strcpy((char *)kept[i], "/dev/null");
    struct stat found;
    int failed = stat((char *)kept[i], (struct stat *)(void *)kept[other]) != 0;
    memcpy(&found, kept[other], sizeof found);
    failed |= !S_ISCHR(found.st_mode) || fstat(calls->pipe[0], (struct stat *)(void *)kept[other]) != 0;
    fill(i);
    fill(other);
    return failed;
}

static int wait_and_wake(struct calls *calls, unsigned i) {
    (void)calls;
    unsigned *word = (unsigned *)(void *)kept[i];
    unsigned seen = *word;
    struct timespec *little = (struct timespec *)(void *)(kept[i] + 64);
    int failed = 0;
    static const int flavours[] = {0, FUTEX_PRIVATE_FLAG};
    for (unsigned k = 0; k < 2; k++) {
        *little = (struct timespec){0, 1000};
        failed |= syscall(SYS_futex, word, FUTEX_WAIT | flavours[k], seen + 1, NULL, NULL, 0) != -1 || errno != EAGAIN;
        failed |= syscall(SYS_futex, word, FUTEX_WAIT | flavours[k], seen, little, NULL, 0) != -1 || errno != ETIMEDOUT;
        failed |= syscall(SYS_futex, word, FUTEX_WAKE | flavours[k], 1, NULL, NULL, 0) != 0;
    }
    fill(i);
    return failed;
}

static int open_ring(struct calls *calls) {
    calls->ring = (int)syscall(SYS_io_uring_setup, 4, &calls->parameters);
    if (calls->ring < 0) return 0;
    struct io_uring_params *p = &calls->parameters;
    size_t submissions = p->sq_off.array + p->sq_entries * sizeof(unsigned);
    size_t completions = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);
    calls->submissions =
        mmap(NULL, submissions, PROT_READ | PROT_WRITE, MAP_SHARED, calls->ring, (off_t)IORING_OFF_SQ_RING);
    calls->completions =
        mmap(NULL, completions, PROT_READ | PROT_WRITE, MAP_SHARED, calls->ring, (off_t)IORING_OFF_CQ_RING);
    calls->entries = mmap(NULL, p->sq_entries * sizeof(struct io_uring_sqe), PROT_READ | PROT_WRITE, MAP_SHARED, calls->ring,
                          (off_t)IORING_OFF_SQES);
    return calls->submissions != MAP_FAILED && calls->completions != MAP_FAILED && (void *)calls->entries != MAP_FAILED;
}

static _Atomic unsigned *ring_word(void *ring, unsigned offset) {
    return (_Atomic unsigned *)(void *)((unsigned char *)ring + offset);
}

/* Submits one operation and waits for its result. */
static int submit(struct calls *calls, unsigned char operation, int file, void *address, unsigned length) {
    struct io_uring_params *p = &calls->parameters;
    unsigned tail = atomic_load(ring_word(calls->submissions, p->sq_off.tail));
    unsigned at = tail & *ring_word(calls->submissions, p->sq_off.ring_mask);
    struct io_uring_sqe *entry = &calls->entries[at];
    memset(entry, 0, sizeof *entry);
    entry->opcode = operation;
    entry->fd = file;
    entry->addr = (uint64_t)(uintptr_t)address;
    entry->len = length;
    if (operation == IORING_OP_READV || operation == IORING_OP_WRITEV) entry->off = (uint64_t)-1;
    ring_word(calls->submissions, p->sq_off.array)[at] = at;
    atomic_store(ring_word(calls->submissions, p->sq_off.tail), tail + 1);
    if (syscall(SYS_io_uring_enter, calls->ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1) return -errno;
    unsigned head = atomic_load(ring_word(calls->completions, p->cq_off.head));
    struct io_uring_cqe *all = (struct io_uring_cqe *)(void *)((unsigned char *)calls->completions + p->cq_off.cqes);
    int result = all[head & *ring_word(calls->completions, p->cq_off.ring_mask)].res;
    atomic_store(ring_word(calls->completions, p->cq_off.head), head + 1);
    return result;
}

/* The vector too lies on a page of the kind. */
static int through_the_ring(struct calls *calls, unsigned i) {
    if (calls->ring < 0) return 0;
    unsigned other = (i + 1) % PAGES;
    struct iovec *vector = (struct iovec *)(void *)kept[other];
    *vector = (struct iovec){kept[i], SIZE};
    int failed = submit(calls, IORING_OP_WRITEV, calls->pipe[1], vector, 1) != SIZE ||
                 submit(calls, IORING_OP_READV, calls->pipe[0], vector, 1) != SIZE ||
                 submit(calls, IORING_OP_SEND, calls->socket[0], kept[i], SIZE) != SIZE ||
                 submit(calls, IORING_OP_RECV, calls->socket[1], kept[i], SIZE) != SIZE;
    fill(other);
    return failed;
}

static int (*const each_call[])(struct calls *calls, unsigned i) = {through_the_pipe, through_the_socket, random_bytes,
                                                                    control,          status,             wait_and_wake,
                                                                    through_the_ring};
enum { CALLS = sizeof each_call / sizeof each_call[0] };

static void open_calls(struct calls *calls) {
    *calls = (struct calls){.ring = -1};
    CHECK(pipe(calls->pipe) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, calls->socket) == 0);
}

/* Gives each page to some call; the first that fails is named. */
static void give_pages_to_calls(struct calls *calls) {
    for (unsigned i = 0; i < PAGES; i++) {
        errno = 0;
        if (each_call[i % CALLS](calls, i) == 0 && whole(i)) continue;
        printf("call %u on page %u: %s\n", i % CALLS, i, strerror(errno));
        CHECK(!"the call worked");
        return;
    }
}

static struct calls calls;

static void calls_reach_pages_that_share_frames(void) {
    leave_one_on_each_page();
    for (unsigned i = 0; i < 10; i++) {
        usleep(250000);
        look();
    }
    CHECK(shared_bytes() > (size_t)PAGES * 4096 / 2);
    open_calls(&calls);
    if (!open_ring(&calls)) printf("skip: io_uring is not to be had here\n");
    give_pages_to_calls(&calls);
    CHECK(all_whole());
}

static atomic_int done;
static void *look_on(void *ignored) {
    (void)ignored;
    while (!atomic_load(&done)) look();
    return NULL;
}

static void calls_reach_pages_that_are_looked_at_meanwhile(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, look_on, NULL) == 0);
    for (unsigned round = 0; round < 10; round++) give_pages_to_calls(&calls);
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
    CHECK(all_whole());
}

/* The kernel may write into pages behind an open ring's back: nothing more is made to share frames. */
static void a_process_with_a_ring_is_left_as_it_is(void) {
    if (calls.ring < 0) return;
    leave_one_on_each_page();
    uint64_t before = shared_bytes();
    for (unsigned i = 0; i < 10; i++) {
        usleep(150000);
        look();
    }
    CHECK(shared_bytes() <= before);
    CHECK(all_whole());
}

const struct test tests[] = {
    {"calls reach pages that share frames", calls_reach_pages_that_share_frames},
    {"calls reach pages that are looked at meanwhile", calls_reach_pages_that_are_looked_at_meanwhile},
    {"a process with a ring is left as it is", a_process_with_a_ring_is_left_as_it_is},
    {NULL, NULL},
};
