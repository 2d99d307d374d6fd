/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Threads that make, share, touch and delete the same objects. What a touch gave keeps its contents until the thread polls or
 * deletes, whoever deletes it meanwhile.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

#define THREADS 4
#define SHARED 256

struct item {
    uint64_t name; /* and its bits turned round, so that a torn or foreign one is seen */
    uint64_t turned;
    uint64_t words;
    uint64_t word[];
};

static void *shared[SHARED];
static unsigned long steps;
static uint64_t raised; /* touches of what another thread had deleted */

static void *make_item(uint64_t name) {
    uint64_t words = name % 13 == 0 ? name % 900 : name % 9;
    void *ref = tn_checked_new(sizeof(struct item) + words * 8, 8, NULL, TN_CHECKED_ZERO, TNC_HERE);
    struct item *item = tnc_touch(ref, TNC_HERE);
    CHECK(item->name == 0 && item->turned == 0 && item->words == 0);
    item->name = name;
    item->turned = ~name;
    item->words = words;
    for (uint64_t i = 0; i < words; i++) item->word[i] = name + i;
    return ref;
}

static void check_item(const struct item *item) {
    CHECK(item->turned == ~item->name);
    for (uint64_t i = 0; i < item->words; i++) CHECK(item->word[i] == item->name + i);
}

static void step(uint64_t r) {
    void **place = &shared[r / 64 % SHARED];
    void *ref = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (r % 8 < 2 || ref == NULL) {
        void *old = __atomic_exchange_n(place, make_item(r), __ATOMIC_ACQ_REL);
        if (old != NULL && CATCH(tnc_delete(old, TNC_HERE))) CHECK(caught.kind == TN_CHECKED_SECOND_DELETE);
    } else if (r % 64 == 7) { /* a delete that others may do, too; one of them alone succeeds */
        if (CATCH(tnc_delete(ref, TNC_HERE))) CHECK(caught.kind == TN_CHECKED_SECOND_DELETE);
    } else if (r % 64 == 8) {
        struct item *volatile pinned = NULL;
        if (CATCH(pinned = tnc_pin(ref, TNC_HERE))) return;
        tnc_poll();
        check_item(pinned);
        tnc_unpin(ref);
    } else {
        struct item *volatile item = NULL;
        if (CATCH(item = tnc_touch(ref, TNC_HERE))) {
            CHECK(caught.kind == TN_CHECKED_DANGLING);
            (void)__atomic_add_fetch(&raised, 1, __ATOMIC_RELAXED);
            return;
        }
        check_item(item);
        void *more = make_item(1); /* an allocation ends no address */
        check_item(item);
        tnc_delete(more, TNC_HERE);
    }
    if (r % 16 == 0) tnc_poll();
    if (r % 4096 == 0) {
        tnc_leave();
        usleep(1);
        tnc_enter();
    }
}

static void *mutate(void *seed) {
    uint64_t state = (uint64_t)(uintptr_t)seed;
    CHECK(tnc_thread_attach() == 0);
    for (unsigned long i = 0; i < steps; i++) step(random_next(&state));
    return NULL;
}

static void an_address_is_good_until_the_next_poll(void) {
    steps = test_argc > 1 ? strtoul(test_argv[1], NULL, 10) : 20000;
    CHECK(tnc_open(&(struct tnc_options){.threads = true}) == 0);
    memset(shared, 0, sizeof shared);
    CHECK(tnc_register(shared, SHARED) == 0);
    validate_at_end = TN_CHECKED_FORM == TN_CHECKED_TAGGED;
    for (int round = 0; round < 2; round++) { /* the second round's threads take over from the first's */
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_create(&threads[i], NULL, mutate, (void *)(uintptr_t)(round * 100 + i + 1)) == 0);
        tnc_leave();
        for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
        tnc_enter();
        CHECK(TN_CHECKED_FORM != TN_CHECKED_TAGGED || tnc_validate() == NULL);
    }
    struct tnc_statistics s;
    tnc_statistics(&s);
    if (test_argc > 2)
        printf("promotions %llu, blocks moved %llu, dead %llu, cancelled %llu, slow touches %llu\n", (unsigned long long)s.promotions,
               (unsigned long long)s.moved_blocks, (unsigned long long)s.dead_blocks, (unsigned long long)s.cancelled_blocks,
               (unsigned long long)s.slow_touches);
    CHECK(s.deleted_objects > 0 && s.waiting_objects < s.deleted_objects / 2 + 4000);
}

static void *attach_only(void *error) {
    *(int *)error = tnc_thread_attach();
    return NULL;
}

static void a_heap_for_one_thread_refuses_a_second(void) {
    pthread_t thread;
    int error = 0;
    CHECK(tnc_open(NULL) == 0);
    CHECK(pthread_create(&thread, NULL, attach_only, &error) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(error == EBUSY);
}

static void *stop;
static void *churn(void *unused) {
    CHECK(tnc_thread_attach() == 0);
    while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == NULL) {
        void *ref = tnc_new(100, TNC_HERE);
        tnc_poll();
        tnc_delete(ref, TNC_HERE);
    }
    return unused;
}

static void a_child_of_fork_goes_on_alone(void) {
    CHECK(tnc_open(&(struct tnc_options){.threads = true}) == 0);
    validate_at_end = TN_CHECKED_FORM == TN_CHECKED_TAGGED;
    pthread_t thread;
    stop = NULL;
    CHECK(pthread_create(&thread, NULL, churn, NULL) == 0);
    for (int round = 0; round < 10; round++) {
        void *mine = make_item(5);
        pid_t child = fork();
        if (child == 0) {
            struct tnc_statistics before, s;
            tnc_statistics(&before);
            for (int i = 0; i < 10000; i++) {
                check_item(tnc_touch(mine, TNC_HERE));
                tnc_delete(mine, TNC_HERE);
                mine = make_item((uint64_t)i);
            }
            tnc_statistics(&s);
            _exit(s.waiting_objects < before.waiting_objects + 2000 ? 0 : 1);
        }
        int status = 1;
        tnc_leave();
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        tnc_enter();
        check_item(tnc_touch(mine, TNC_HERE));
        tnc_delete(mine, TNC_HERE);
    }
    __atomic_store_n(&stop, &stop, __ATOMIC_RELAXED);
    CHECK(pthread_join(thread, NULL) == 0);
}

const struct test tests[] = {
    {"an address is good until the next poll", an_address_is_good_until_the_next_poll},
    {"a heap for one thread refuses a second", a_heap_for_one_thread_refuses_a_second},
    {"a child of fork goes on alone", a_child_of_fork_goes_on_alone},
    {NULL, NULL},
};
