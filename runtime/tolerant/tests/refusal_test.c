/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The system refuses the N-th of the calls by which the malloc gets and changes memory, for each N, or all from the N-th
 * on: what is allocated is whole or NULL with ENOMEM, and the program goes on. The functions below stand before the C
 * library's for the malloc under test, linked or preloaded; the library's own calls do not go through them. To be linked
 * with -rdynamic, and run with TENURE_TOLERANT_COLD_SECONDS=0 and TENURE_TOLERANT_COLD_ALLOCATIONS=2000, so that it looks now and then.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

static atomic_long calls;
static long refused; /* the first call that is; 0: none */
static int for_ever;
static atomic_int known;

/* Raw: the C library's syscall is one of the functions that are replaced. */
static long raw(long number, long a, long b, long c, long d, long e, long f) {
    long result;
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    result = x0;
#endif
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}

static int is_refused(void) {
    if (atomic_load(&known) == 0) {
        const char *text = getenv("TENURE_TEST_REFUSED");
        refused = text == NULL ? 0 : atol(text);
        for_ever = getenv("TENURE_TEST_FOR_EVER") != NULL;
        atomic_store(&known, 1);
    }
    long n = atomic_fetch_add(&calls, 1) + 1;
    if (refused == 0 || n < refused || (n > refused && !for_ever)) return 0;
    errno = ENOMEM;
    return 1;
}

void *mmap(void *start, size_t size, int protection, int flags, int file, off_t offset) {
    if (is_refused()) return MAP_FAILED;
    return (void *)raw(SYS_mmap, (long)start, (long)size, protection, flags, file, offset);
}

int munmap(void *start, size_t size) {
    return is_refused() ? -1 : (int)raw(SYS_munmap, (long)start, (long)size, 0, 0, 0, 0);
}

void *mremap(void *start, size_t size, size_t new_size, int flags, ...) {
    void *to = NULL;
    if ((flags & MREMAP_FIXED) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        to = va_arg(arguments, void *);
        va_end(arguments);
    }
    if (is_refused()) return MAP_FAILED;
    return (void *)raw(SYS_mremap, (long)start, (long)size, (long)new_size, flags, (long)to, 0);
}

int madvise(void *start, size_t size, int advice) {
    return is_refused() ? -1 : (int)raw(SYS_madvise, (long)start, (long)size, advice, 0, 0, 0);
}

int mprotect(void *start, size_t size, int protection) {
    return is_refused() ? -1 : (int)raw(SYS_mprotect, (long)start, (long)size, protection, 0, 0, 0);
}

int memfd_create(const char *name, unsigned flags) {
    return is_refused() ? -1 : (int)raw(SYS_memfd_create, (long)name, flags, 0, 0, 0, 0);
}

int ftruncate(int file, off_t size) { return is_refused() ? -1 : (int)raw(SYS_ftruncate, file, size, 0, 0, 0, 0); }

/* The kernel's tables, which the malloc reads. */
int open(const char *name, int flags, ...) {
    return is_refused() ? -1 : (int)raw(SYS_openat, AT_FDCWD, (long)name, flags, 0, 0, 0);
}

/* userfaultfd, its ioctl, membarrier. */
long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (unsigned i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
    va_end(arguments);
    return is_refused() ? -1 : raw(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void *volatile sink;
static int good = 1;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            good = 0;                                                                                                  \
            static const char words[] = "does not hold: " #condition "\n";                                             \
            raw(SYS_write, STDERR_FILENO, (long)words, sizeof words - 1, 0, 0, 0);                                     \
        }                                                                                                              \
    } while (0)

/* NULL with ENOMEM, or filled with the byte. */
static unsigned char *filled(void *object, size_t size, unsigned char byte) {
    if (object == NULL) EXPECT(errno == ENOMEM);
    errno = 0;
    return object == NULL ? NULL : memset(object, byte, size);
}

static int holds(const unsigned char *object, size_t size, unsigned char byte) {
    for (size_t i = 0; object != NULL && i < size; i++)
        if (object[i] != byte) return 0;
    return 1;
}

static void take_and_give_all_sizes(void) {
    static const size_t sizes[] = {10, 100, 1000, 5000, 30000, 100000, 3000000};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    unsigned char *objects[COUNT], *aligned[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        objects[i] = filled(malloc(sizes[i]), sizes[i], (unsigned char)i);
        aligned[i] = filled(memalign((size_t)64 << i * 2, sizes[i]), sizes[i], (unsigned char)(i + 50));
        EXPECT(((uintptr_t)aligned[i] & (((size_t)64 << i * 2) - 1)) == 0);
        unsigned char *zero = calloc(1, sizes[i]);
        EXPECT(holds(zero, sizes[i], 0));
        free(zero);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        EXPECT(holds(objects[i], sizes[i], (unsigned char)i) && holds(aligned[i], sizes[i], (unsigned char)(i + 50)));
        errno = 0;
        if (objects[i] == NULL) continue;
        unsigned char *larger = realloc(objects[i], sizes[i] * 2);
        if (larger == NULL) EXPECT(errno == ENOMEM);
        if (larger != NULL) objects[i] = larger;
        EXPECT(holds(objects[i], sizes[i], (unsigned char)i));
        free(objects[i]);
    }
    for (unsigned i = 0; i < COUNT; i++) free(aligned[i]);
}

/* Large ones of random sizes, which are made of what was freed before. */
static void replace_large(void) {
    enum { LIVE = 4, STEPS = 40 };
    unsigned char *objects[LIVE] = {NULL};
    size_t pages[LIVE] = {0};
    unsigned state = 3;
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned k = next_random(&state) % LIVE;
        for (size_t p = 0; objects[k] != NULL && p < pages[k]; p++) EXPECT(objects[k][p * 4096] == (unsigned char)(k + p));
        free(objects[k]);
        pages[k] = 300 + next_random(&state) % 500;
        errno = 0;
        objects[k] = i % 5 == 0 ? calloc(pages[k], 4096) : malloc(pages[k] * 4096);
        if (objects[k] == NULL) EXPECT(errno == ENOMEM);
        for (size_t p = 0; objects[k] != NULL && p < pages[k]; p++) {
            if (i % 5 == 0) EXPECT(objects[k][p * 4096] == 0 && objects[k][p * 4096 + 4095] == 0);
            objects[k][p * 4096] = objects[k][p * 4096 + 4095] = (unsigned char)(k + p);
        }
    }
    for (unsigned k = 0; k < LIVE; k++) free(objects[k]);
}

enum { SIZE = 128, PER_PAGE = 4096 / SIZE, PAGES = 200 };
static unsigned char *kept[PAGES];

static __attribute__((noinline)) unsigned char *make(void) {
    errno = 0;
    return filled(malloc(SIZE), SIZE, 0);
}

/* One object on each page; on some nothing but zeros, on some the same. */
static void leave_one_on_each_page(void) {
    static unsigned char *all[PAGES * PER_PAGE];
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) all[i] = make();
    for (unsigned i = 0; i < PAGES * PER_PAGE; i++) {
        if (i % PER_PAGE == 9 && all[i] != NULL)
            kept[i / PER_PAGE] = memset(all[i], i < PAGES * PER_PAGE / 2 ? (int)(i / PER_PAGE % 3) : (int)(i / PER_PAGE % 199), SIZE);
        else
            free(all[i]);
    }
}

static void check_kept(void) {
    for (unsigned i = 0; i < PAGES; i++)
        EXPECT(holds(kept[i], SIZE, (unsigned char)(i < PAGES / 2 ? i % 3 : i % 199)));
}

static void look(void) {
    static int (*f)(void);
    if (f == NULL) *(void **)&f = dlsym(RTLD_DEFAULT, "tn_tolerant_look");
    for (unsigned i = 0; i < 5 && f != NULL; i++) (void)f();
}

static void give_kept(void) {
    check_kept();
    for (unsigned i = 0; i < PAGES; i++) free(kept[i]);
    memset(kept, 0, sizeof kept);
}

static atomic_int done;
static void *stand_by(void *ignored) {
    (void)ignored;
    sink = make();
    while (!atomic_load(&done)) usleep(100);
    free(sink);
    return NULL;
}

static int run_all(void) {
    take_and_give_all_sizes();
    replace_large();
    leave_one_on_each_page();
    look();
    check_kept();
    int child = fork();
    if (child == 0) {
        take_and_give_all_sizes();
        give_kept();
        _exit(good ? 0 : 1);
    }
    int status = 0;
    if (child > 0) waitpid(child, &status, 0);
    EXPECT(status == 0);
    give_kept();
    pthread_t thread;
    if (pthread_create(&thread, NULL, stand_by, NULL) == 0) {
        leave_one_on_each_page();
        look();
        give_kept();
        atomic_store(&done, 1);
        pthread_join(thread, NULL);
    }
    take_and_give_all_sizes();
    return good;
}

/* Runs this program with the n-th call refused, or all from there on; the number of calls, or -1 if it failed. */
static long run_refused(long n, int ever) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t child = vfork();
    if (child == 0) {
        static char first[64], second[64], end[32];
        snprintf(first, sizeof first, "TENURE_TEST_REFUSED=%ld", n);
        snprintf(second, sizeof second, "TENURE_TEST_FOR_EVER=1");
        snprintf(end, sizeof end, "TENURE_TEST_PIPE=%d", ends[1]);
        char *environment[64] = {first, end};
        unsigned count = 2;
        if (ever) environment[count++] = second;
        for (char **e = environ; *e != NULL && count < 63; e++) environment[count++] = *e;
        environment[count] = NULL;
        char *arguments[] = {(char *)"refusal", NULL};
        execve("/proc/self/exe", arguments, environment);
        _exit(9);
    }
    close(ends[1]);
    long made = -1;
    int status = 1;
    if (read(ends[0], &made, sizeof made) != sizeof made) made = -1;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (status != 0) printf("call %ld%s refused: wait status %#x\n", n, ever ? " and all after it" : "", (unsigned)status);
    return status == 0 ? made : -1;
}

/* The first calls one by one; of the later ones, which are much the same again and again and the more the slower the
 * machine is, as many as given, or with TENURE_TEST_SOAK all. */
static void refuse(long first, long later, int ever) {
    long whole = run_refused(0, 0);
    printf("%ld calls\n", whole);
    CHECK(whole > 100);
    long step = getenv("TENURE_TEST_SOAK") != NULL ? 1 : (whole - first) / later + 1;
    for (long n = 1; n <= whole; n += n < first ? 1 : step) CHECK(run_refused(n, ever) > 0);
}

static void each_call_may_be_refused(void) { refuse(60, 60, 0); }

static void all_calls_from_some_on_may_be_refused(void) { refuse(20, 40, 1); }

/* In the child: before the harness looks at its tests. */
__attribute__((constructor)) static void run_in_child(void) {
    const char *end = getenv("TENURE_TEST_PIPE");
    if (end == NULL) return;
    int whole = run_all();
    long made = atomic_load(&calls);
    raw(SYS_write, atoi(end), (long)&made, sizeof made, 0, 0, 0);
    _exit(whole ? 0 : 1);
}

const struct test tests[] = {
    {"each call may be refused", each_call_may_be_refused},
    {"all calls from some on may be refused", all_calls_from_some_on_may_be_refused},
    {NULL, NULL},
};
