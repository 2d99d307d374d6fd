/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The system refuses: the n-th request for memory, for each n, and address space that is scarce; and faults that are the program's own.
 * Linked so that the functions of prim/ which ask for memory come through here.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"

static long until_refused = -1; /* requests that are still granted; negative: all */
static long requests;
static int refused;

static int refuse(void) {
    requests++;
    if (until_refused < 0 || until_refused-- != 0) return 0;
    refused = 1;
    return 1;
}

void *__real_tn_os_map(size_t size);
void *__wrap_tn_os_map(size_t size);
void *__wrap_tn_os_map(size_t size) { return refuse() ? NULL : __real_tn_os_map(size); }
void *__real_tn_os_map_sparse(size_t size);
void *__wrap_tn_os_map_sparse(size_t size);
void *__wrap_tn_os_map_sparse(size_t size) { return refuse() ? NULL : __real_tn_os_map_sparse(size); }
void *__real_tn_space_reserve(size_t size, size_t alignment, bool sparse);
void *__wrap_tn_space_reserve(size_t size, size_t alignment, bool sparse);
void *__wrap_tn_space_reserve(size_t size, size_t alignment, bool sparse) {
    return refuse() ? NULL : __real_tn_space_reserve(size, alignment, sparse);
}
bool __real_tn_space_open(void *start, size_t size);
bool __wrap_tn_space_open(void *start, size_t size);
bool __wrap_tn_space_open(void *start, size_t size) { return !refuse() && __real_tn_space_open(start, size); }
bool __real_tn_space_discard(void *start, size_t size);
bool __wrap_tn_space_discard(void *start, size_t size);
bool __wrap_tn_space_discard(void *start, size_t size) { return !refuse() && __real_tn_space_discard(start, size); }

#define OBJECTS 3000
static void *volatile objects[OBJECTS];
static volatile size_t sizes[OBJECTS];

/* Makes, looks at and deletes objects; how often there was no memory. */
static int work(uint64_t state) {
    volatile int errors = 0;
    memset((void *)objects, 0, sizeof objects);
    for (volatile int i = 0; i < 40000; i++) {
        uint64_t r = random_next(&state);
        volatile int at = (int)(r % OBJECTS);
        volatile size_t size = r % 61 == 0 ? r / 64 % 200000 + 8 : r / 64 % 400 + 8;
        if (objects[at] != NULL) {
            const uint64_t *content = tnc_touch(objects[at], TNC_HERE);
            CHECK(*content == sizes[at]);
            tnc_delete(objects[at], TNC_HERE);
            objects[at] = NULL;
        } else if (CATCH(objects[at] = tnc_new(size, TNC_HERE))) {
            CHECK(caught.kind == TN_CHECKED_NO_MEMORY);
            objects[at] = NULL;
            errors++;
        } else {
            sizes[at] = size;
            *(uint64_t *)tnc_touch(objects[at], TNC_HERE) = size;
        }
    }
    for (int i = 0; i < OBJECTS; i++)
        if (objects[i] != NULL) CHECK(*(uint64_t *)tnc_touch(objects[i], TNC_HERE) == sizes[i]);
    return errors;
}

static void each_request_may_be_refused(void) {
    for (int remember = 0; remember < 2; remember++) {
        for (long n = 0;; n = n < 60 ? n + 1 : n * 5 / 4) {
            until_refused = n;
            refused = 0;
            while (tnc_open(&(struct tnc_options){.remember = remember}) != 0) {
                CHECK(refused);
                tnc_close();
            }
            (void)work(7);
            until_refused = -1;
            CHECK(tnc_validate() == NULL);
            (void)work(8);
            CHECK(tnc_validate() == NULL);
            tnc_close();
            if (!refused) break;
        }
    }
}

static void in_little_address_space(void) {
    struct rlimit limit = {UINT64_C(3) << 30, UINT64_C(3) << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return;
    if (work(9) != 0) abort();
}
static void address_space_may_be_scarce(void) { CHECK_CHILD(in_little_address_space, 0, NULL); }

static sigjmp_buf back;
static void on_fault(int number, siginfo_t *info, void *context) {
    (void)context, (void)number;
    siglongjmp(back, info->si_addr == (void *)8 ? 1 : 2);
}
static void the_programs_own_faults_are_its_own(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO}, before;
    (void)work(10);
    CHECK(sigaction(SIGSEGV, &action, &before) == 0);
    volatile int faults = 0;
    int *volatile nowhere = (int *)8;
    for (volatile int i = 0; i < 3; i++) {
        int how = sigsetjmp(back, 1);
        if (how == 0)
            *nowhere = 1;
        else
            faults += how == 1;
    }
    (void)work(11);
    CHECK(sigaction(SIGSEGV, &before, NULL) == 0);
    CHECK(faults == 3);
}

const struct test tests[] = {
    {"each request may be refused", each_request_may_be_refused},
    {"address space may be scarce", address_space_may_be_scarce},
    {"the program's own faults are its own", the_programs_own_faults_are_its_own},
    {NULL, NULL},
};
