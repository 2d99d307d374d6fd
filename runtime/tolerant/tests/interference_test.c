/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a program may do to a thread that looks for cold pages, and to the pages: cancel it, take its descriptors, run it on
 * a stack that is an object, protect what it reads, drop what it merged. To be run under the preloaded malloc with
 * TENURE_TOLERANT_COLD_SECONDS=1.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "writers.h"

enum { PAGE = 4096, LOOKS = 12 };

static void let_it_become_cold(void) {
    for (unsigned i = 0; i < LOOKS; i++) look();
}

static atomic_int cancelled;

static void *allocate_although_cancelled(void *unused) {
    (void)unused;
    while (!atomic_load(&cancelled)) sched_yield();
    for (unsigned i = 0; i < 20; i++) {
        free(memset(malloc(100), 1, 100));
        look();
    }
    return &cancelled;
}

/* Neither allocating nor what comes of it is a cancellation point: a thread that ended in the middle would leave all others
 * waiting. */
static void a_thread_is_not_cancelled_while_it_allocates(void) {
    pthread_t thread;
    void *result = NULL;
    CHECK(pthread_create(&thread, NULL, allocate_although_cancelled, NULL) == 0);
    CHECK(pthread_cancel(thread) == 0);
    atomic_store(&cancelled, 1);
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == &cancelled);
    if (result != &cancelled) return; /* the fork would not return */
    pid_t child = fork();
    if (child == 0) _exit(0);
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

enum { COUNT = 4000, BYTES = 2000 };
static unsigned char *objects[COUNT];

/* No two pages hold the same, so that none share frames for that. */
static unsigned char byte_of(unsigned i, size_t k) {
    return (unsigned char)((i * 2654435761u + (unsigned)(k / 4) * 40503u) >> (k % 4 * 8) | 1);
}

static void fill(unsigned char *object, unsigned i, size_t bytes) {
    for (size_t k = 0; k < bytes; k++) object[k] = byte_of(i, k);
}

static __attribute__((noinline)) unsigned char *make(unsigned i, size_t bytes) {
    unsigned char *object = malloc(bytes);
    fill(object, i, bytes);
    return object;
}

static unsigned broken_bytes(const unsigned char *object, unsigned i, size_t from, size_t to) {
    unsigned broken = 0;
    for (size_t k = from; k < to; k++) broken += object[k] != byte_of(i, k);
    return broken;
}

static void looks_go_on_once_there_are_descriptors_again(void) {
    struct rlimit before, none;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none = before;
    none.rlim_cur = 0;
    for (unsigned i = 0; i < COUNT; i++) objects[i] = make(i, BYTES);
    CHECK(setrlimit(RLIMIT_NOFILE, &none) == 0);
    let_it_become_cold();
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    let_it_become_cold();
    CHECK(statistics().cold_bytes > (size_t)COUNT * BYTES / 2);
    unsigned broken = 0;
    for (unsigned i = 0; i < COUNT; i++) broken += broken_bytes(objects[i], i, 0, BYTES);
    CHECK(broken == 0);
    for (unsigned i = 0; i < COUNT; i++) free(objects[i]);
}

/* Stacks of coroutines that nobody resumes, and one of somebody who looks. */
enum { STACKS = 200, STACK_BYTES = 128 * 1024 };
static ucontext_t main_context, own_context;
static unsigned char *stacks[STACKS];

static __attribute__((noinline)) unsigned char *make_stack(void) {
    unsigned char *stack = malloc(STACK_BYTES);
    memset(stack, 7, STACK_BYTES);
    return memset(stack, 0, STACK_BYTES);
}

static void look_from_a_coroutine(void) { let_it_become_cold(); }

static void *wait_until_told(void *told) {
    while (!atomic_load((atomic_int *)told)) usleep(1000);
    return NULL;
}

static void the_stack_of_who_looks_may_be_an_object(void) {
    static atomic_int told;
    pthread_t thread;
    uint64_t before = statistics().released_bytes;
    CHECK(pthread_create(&thread, NULL, wait_until_told, &told) == 0);
    for (unsigned i = 0; i < STACKS; i++) stacks[i] = make_stack();
    getcontext(&own_context);
    own_context.uc_stack.ss_sp = stacks[STACKS / 2];
    own_context.uc_stack.ss_size = STACK_BYTES;
    own_context.uc_link = &main_context;
    makecontext(&own_context, look_from_a_coroutine, 0);
    swapcontext(&main_context, &own_context);
    atomic_store(&told, 1);
    pthread_join(thread, NULL);
    uint64_t released = statistics().released_bytes - before;
    printf("released %zu of %zu KiB\n", (size_t)released >> 10, (size_t)STACKS * STACK_BYTES >> 10);
    if (may_hold()) CHECK(released > (size_t)STACKS * STACK_BYTES / 2);
    for (unsigned i = 0; i < STACKS; i++) free(stacks[i]);
}

/* Some other thread's business with whole pages inside of objects. */
enum { MANY = 1200, LARGE = 20000, STEPS = 40 };
static unsigned char *buffers[MANY];

static unsigned char *inner_page(unsigned i) {
    return buffers[i] + (size_t)(-(uintptr_t)buffers[i] & (PAGE - 1));
}

static void protect_some(unsigned writer, unsigned *state, int zeros) {
    (void)zeros;
    usleep(next_random(state) % 16 * 500); /* most of a look is over by then, or a little */
    for (unsigned n = 0; n < STEPS; n++) {
        unsigned char *page = inner_page(next_random(state) % (MANY / WRITERS) * WRITERS + writer);
        /* Some go past the C library. */
        int raw = next_random(state) % 2;
        int failed = raw ? syscall(SYS_mprotect, page, PAGE, PROT_NONE) != 0 : mprotect(page, PAGE, PROT_NONE) != 0;
        for (unsigned spin = next_random(state) % 2000; spin > 0; spin--) (void)atomic_load(&writing);
        failed += raw ? syscall(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE) != 0
                      : mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0;
        if (failed != 0) atomic_fetch_add(&failed_calls, 1);
    }
}

static void what_is_read_may_be_protected_meanwhile(void) {
    const char *soak = getenv("TENURE_TEST_SOAK");
    unsigned rounds = soak == NULL ? 12 : 200, broken = 0;
    for (unsigned i = 0; i < MANY; i++) buffers[i] = make(i, LARGE);
    start_writers(protect_some, 3000);
    for (unsigned round = 1; round <= rounds; round++) {
        for (unsigned i = 0; i < MANY; i++) fill(buffers[i], i + round, LARGE);
        for (unsigned i = 0; i < 6; i++) look_beside_writers(i > 3);
        for (unsigned i = 0; i < MANY; i++) broken += broken_bytes(buffers[i], i + round, 0, LARGE);
    }
    end_writers();
    CHECK(broken == 0 && atomic_load(&failed_calls) == 0);
    for (unsigned i = 0; i < MANY; i++) free(buffers[i]);
}

/* Objects that hold the same share frames. The inner pages of some are dropped, or are protected and dropped. */
static void what_is_dropped_of_a_shared_page_is_zero(void) {
    unsigned broken = 0, dropped = 0;
    for (unsigned i = 0; i < MANY; i++) buffers[i] = make(0, LARGE);
    let_it_become_cold();
    CHECK(statistics().shared_bytes > 0);
    for (unsigned i = 0; i < MANY; i += 2) {
        unsigned char *page = inner_page(i);
        size_t before = (size_t)(page - buffers[i]), bytes = 2 * PAGE;
        int is_protected = i % 4 == 0, may_stay = i % 6 == 0; /* with MADV_FREE */
        if (is_protected && i % 8 == 0) CHECK(mprotect(page, bytes, PROT_READ) == 0);
        if (is_protected && i % 8 != 0) CHECK(pkey_mprotect(page, bytes, PROT_READ, -1) == 0);
        CHECK(madvise(page, bytes, may_stay ? MADV_FREE : MADV_DONTNEED) == 0);
        for (size_t k = 0; k < bytes && !may_stay; k++) dropped += page[k] != 0;
        broken += broken_bytes(buffers[i], 0, 0, before) + broken_bytes(buffers[i], 0, before + bytes, LARGE);
        broken += broken_bytes(buffers[i + 1], 0, 0, LARGE);
        if (!is_protected) continue;
        int zeros = open("/dev/zero", O_RDONLY);
        CHECK(read(zeros, page, 1) < 0);
        close(zeros);
        CHECK(mprotect(page, bytes, PROT_READ | PROT_WRITE) == 0);
    }
    CHECK(dropped == 0);
    CHECK(broken == 0);
    for (unsigned i = 0; i < MANY; i++) free(buffers[i]);
}

static __attribute__((noinline)) void *make_some(size_t size) {
    void *object = malloc(size);
    __asm__ volatile("" ::: "memory");
    return object;
}

/* Handlers that protect a page, whatever their thread was at in the malloc. */
enum { CHURNERS = 2, CHURNED = 10000, HANDLED = 8000 };
static unsigned char *handlers_page;
static atomic_uint handled;
static atomic_int churned_enough;

static void protect_in_handler(int number) {
    (void)number;
    if (mprotect(handlers_page, PAGE, PROT_READ | PROT_WRITE) != 0) atomic_fetch_add(&failed_calls, 1);
    atomic_fetch_add(&handled, 1);
}

/* Runs of pages come and go, and mappings. */
static void *churn(void *unused) {
    void **some = calloc(CHURNED, sizeof *some);
    while (!atomic_load(&churned_enough)) {
        for (unsigned i = 0; i < CHURNED; i++) some[i] = make_some(512);
        for (unsigned i = 0; i < CHURNED; i++) free(some[i]);
        for (unsigned i = 0; i < 20; i++) {
            free(make_some(100000));
            free(make_some(2000000));
        }
    }
    free(some);
    return unused;
}

static int look_beside_handlers(void) {
    pthread_t churners[CHURNERS];
    alarm(300);
    for (unsigned i = 0; i < MANY; i++) buffers[i] = make(i % 2, LARGE);
    handlers_page = aligned_alloc(PAGE, 16 * PAGE);
    signal(SIGUSR1, protect_in_handler);
    for (unsigned t = 0; t < CHURNERS; t++) CHECK(pthread_create(&churners[t], NULL, churn, NULL) == 0);
    for (unsigned round = 0; atomic_load(&handled) < HANDLED; round++) {
        for (unsigned t = 0; t < CHURNERS; t++) pthread_kill(churners[t], SIGUSR1);
        if (round % 500 == 0) look();
        usleep(20);
    }
    atomic_store(&churned_enough, 1);
    for (unsigned t = 0; t < CHURNERS; t++) pthread_join(churners[t], NULL);
    return atomic_load(&failed_calls) != 0;
}

static void handlers_may_protect_pages(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) _exit(look_beside_handlers());
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void *write_reports(void *end) {
    void (*report)(void);
    *(void **)&report = dlsym(RTLD_DEFAULT, "tn_tolerant_report");
    while (report != NULL && !atomic_load((atomic_int *)end)) report();
    return NULL;
}

/* Each child ends with 1 unless it has written a report of its own. */
static int reporting_child(const char *pattern) {
    char name[256];
    snprintf(name, sizeof name, "%.*s%d", (int)(strlen(pattern) - 2), pattern, (int)getpid());
    void (*report)(void);
    *(void **)&report = dlsym(RTLD_DEFAULT, "tn_tolerant_report");
    if (report != NULL) report();
    int missing = access(name, F_OK) != 0;
    unlink(name);
    return missing;
}

static void fork_beside_reports(const char *pattern) {
    static atomic_int end;
    pthread_t thread;
    unsigned missing = 0;
    for (unsigned i = 0; i < COUNT; i++) objects[i] = make(i, 64);
    CHECK(pthread_create(&thread, NULL, write_reports, &end) == 0);
    for (unsigned i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0) _exit(reporting_child(pattern));
        int status = 1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        missing += status != 0;
    }
    atomic_store(&end, 1);
    pthread_join(thread, NULL);
    CHECK(missing == 0);
}

/* The file's name is an option, which is read at the start. */
static void a_child_reports_whatever_its_parent_was_at(void) {
    const char *pattern = getenv("TENURE_TOLERANT_REPORT");
    if (pattern != NULL) {
        fork_beside_reports(pattern);
        return;
    }
    char directory[] = "/tmp/tenure-interference-XXXXXX", name[64];
    CHECK(mkdtemp(directory) != NULL);
    snprintf(name, sizeof name, "%s/%%p", directory);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("TENURE_TOLERANT_REPORT", name, 1);
        execl("/proc/self/exe", "interference", "a child reports", (char *)NULL);
        _exit(127);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    snprintf(name, sizeof name, "%s/%d", directory, (int)child);
    unlink(name);
    CHECK(rmdir(directory) == 0);
}

enum { SMALL_STACK = 64 * 1024, LITTLE = 4096, SLOTS = 20000 };
static unsigned char *small_stack;

static void *allocate_and_look(void *slots) {
    void **some = slots;
    unsigned char *here = __builtin_frame_address(0);
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned i = 0; i < SLOTS; i++) {
            free(some[i]);
            some[i] = make_some(i % 7 == 0 ? 600 : 64);
        }
        for (unsigned i = 0; i < SLOTS; i++) {
            if (i % 3 == 0) continue;
            free(some[i]);
            some[i] = NULL;
        }
        for (unsigned i = 0; i < 6; i++) look();
    }
    return here;
}

/* A coroutine's stack may be of a few KiB. */
static void who_allocates_needs_little_stack(void) {
    void **slots = calloc(SLOTS, sizeof *slots), *here = NULL;
    pthread_attr_t attributes;
    pthread_t thread;
    (void)allocate_and_look(slots); /* the dynamic linker has found all functions by then */
    small_stack = mmap(NULL, SMALL_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(small_stack, 0xA5, SMALL_STACK);
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, small_stack, SMALL_STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, allocate_and_look, slots) == 0);
    CHECK(pthread_join(thread, &here) == 0);
    size_t untouched = 0;
    while (untouched < SMALL_STACK && small_stack[untouched] == 0xA5) untouched++;
    size_t used = (size_t)((unsigned char *)here - small_stack) - untouched;
    printf("%zu bytes of stack\n", used);
    CHECK(used < LITTLE);
    for (unsigned i = 0; i < SLOTS; i++) free(slots[i]);
    free(slots);
    munmap(small_stack, SMALL_STACK);
}

const struct test tests[] = {
    {"what is dropped of a shared page is zero", what_is_dropped_of_a_shared_page_is_zero},
    {"a thread is not cancelled while it allocates", a_thread_is_not_cancelled_while_it_allocates},
    {"looks go on once there are descriptors again", looks_go_on_once_there_are_descriptors_again},
    {"the stack of who looks may be an object", the_stack_of_who_looks_may_be_an_object},
    {"a child reports whatever its parent was at", a_child_reports_whatever_its_parent_was_at},
    {"who allocates needs little stack", who_allocates_needs_little_stack},
    {"what is read may be protected meanwhile", what_is_read_may_be_protected_meanwhile},
    {"handlers may protect pages", handlers_may_protect_pages},
    {NULL, NULL},
};
