/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Stack overflow ends a program in order, and nothing else is taken for one.
 */
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tenure/rt.h"

#include "harness.h"

static volatile int most_depth = 1 << 30;

static __attribute__((noinline)) int recurse(volatile char *up, int depth) {
    volatile char frame[200];
    frame[0] = up[0];
    if (depth == most_depth) return 0;
    int deeper = recurse(frame, depth + 1);
    return deeper + frame[0];
}

static void overflow(void) {
    volatile char first = 1;
    (void)recurse(&first, 0);
}

static void overflow_after_output(void) {
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
    (void)setvbuf(stdout, NULL, _IOFBF, 4096);
    (void)printf("before\n");
    overflow();
}

static void overflow_unlimited(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return;
    limit.rlim_cur = 512 * 1024;
    if (setrlimit(RLIMIT_STACK, &limit) != 0) return;
    overflow();
}

static void *overflow_thread(void *unused) {
    /* The second call has no further effect. */
    if (tn_thread_attach() == 0 && tn_thread_attach() == 0) overflow();
    return unused;
}

static void overflow_in_attached_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, overflow_thread, NULL) == 0) pthread_join(thread, NULL);
}

static void *attach_and_end(void *unused) {
    (void)unused;
    CHECK(tn_thread_attach() == 0);
    return NULL;
}

static void wild_access(void) {
    volatile char *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    (void)*hole;
}

static void null_access(void) {
    char *volatile null = NULL;
    *(volatile char *)null = 1;
}

static void killed(void) { (void)raise(SIGSEGV); }

static void an_overflow_ends_in_order(void) {
    if (under_valgrind()) return; /* it has its own main stack and its own report */
    CHECK_ENDS(overflow, 1, "stack overflow\n");
    CHECK_ENDS(overflow_unlimited, 1, "stack overflow\n");
    CHECK_ENDS(overflow_in_attached_thread, 1, "stack overflow\n");
    /* Under ASan the interrupted function may be the sanitizer's, in which nothing is flushed. */
    if (!under_asan()) CHECK_ENDS(overflow_after_output, 1, "before\nstack overflow\n");
}

static void other_faults_keep_their_meaning(void) {
    if (under_valgrind() || under_asan()) return; /* both report them in their own way */
    CHECK_KILLED(wild_access, SIGSEGV);
    CHECK_KILLED(null_access, SIGSEGV);
    CHECK_KILLED(killed, SIGSEGV);
}

static void an_attached_thread_gives_its_stack_back(void) {
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, attach_and_end, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

const struct test tests[] = {
    {"an overflow ends in order", an_overflow_ends_in_order},
    {"other faults keep their meaning", other_faults_keep_their_meaning},
    {"an attached thread gives its stack back", an_attached_thread_gives_its_stack_back},
    {NULL, NULL},
};
