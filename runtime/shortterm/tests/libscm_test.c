/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A program as it is written for libscm.
 */
#include <pthread.h>
#include <tenure/libscm.h>

#include "harness.h"

static int finalized;
static int finalizer(void *object) {
    CHECK(strcmp(object, "object") == 0);
    finalized++;
    return 0;
}
static int keeper(void *object) {
    (void)object;
    return 1;
}

static char *new_object(int id) {
    char *object = scm_malloc(20);
    strcpy(object, "object");
    scm_set_finalizer(object, id);
    return object;
}

static void refresh_and_tick(void) {
    finalized = 0;
    int id = scm_register_finalizer(finalizer);
    for (int i = 0; i < 100; i++) {
        char *object = new_object(id);
        scm_refresh(object, 1);
        scm_free(object);
        scm_tick();
    }
    scm_tick();
    scm_collect();
    CHECK(finalized == 100);
    char *kept = new_object(scm_register_finalizer(keeper));
    scm_refresh(kept, 0);
    scm_tick();
    scm_collect();
    CHECK(strcmp(kept, "object") == 0);
    kept = scm_realloc(kept, 4000);
    CHECK(strcmp(kept, "object") == 0 && scm_malloc_usable_size(kept) >= 4000);
    scm_free(kept);
    int *numbers = scm_calloc(10, sizeof *numbers);
    CHECK(numbers[9] == 0);
    scm_free(numbers);
}

static void more_clocks(void) {
    finalized = 0;
    int id = scm_register_finalizer(finalizer);
    int clock = scm_register_clock(), other = scm_register_clock();
    CHECK(clock > 0 && other > clock);
    char *object = new_object(id);
    scm_refresh_with_clock(object, 0, (unsigned long)clock);
    scm_refresh_with_clock(object, 2, (unsigned long)other);
    scm_refresh_with_clock(object, 0, 0);
    scm_tick_clock((unsigned long)clock);
    scm_tick_clock(0);
    scm_collect();
    CHECK(finalized == 0);
    scm_unregister_clock(other);
    scm_collect();
    CHECK(finalized == 1);
    CHECK(scm_register_clock() == other);
    scm_unregister_clock(other);
    scm_unregister_clock(clock);
}

static void regions(void) {
    int region = scm_create_region(), other = scm_create_region();
    CHECK(region >= 0 && other != region);
    for (int round = 0; round < 1000; round++) {
        char *first = scm_malloc_in_region(100, region);
        char *second = scm_malloc_in_region(3000, region);
        memset(first, round & 127, 100);
        memset(second, round & 127, 3000);
        scm_refresh_region(region, 0);
        scm_refresh(first, 0);
        CHECK(first[99] == (round & 127) && second[2999] == (round & 127));
        scm_tick();
    }
    int clock = scm_register_clock();
    for (int round = 0; round < 100; round++) {
        char *first = scm_malloc_in_region(100, other);
        memset(first, 1, 100);
        scm_refresh_region_with_clock(other, 0, (unsigned long)clock);
        scm_tick_clock((unsigned long)clock);
        scm_collect();
    }
    (void)scm_malloc_in_region(10, region);
    scm_unregister_region(region);
    (void)scm_malloc_in_region(10, other);
    scm_refresh_region(other, 3);
    scm_global_refresh_region(other, 1);
    scm_unregister_region(other);
    CHECK(scm_create_region() == region);
    scm_unregister_region(region);
    scm_unregister_clock(clock);
    for (int i = 0; i < 5; i++) {
        scm_tick();
        scm_global_tick();
    }
    scm_collect();
}

/* As such programs do, which know the header's limits alone. */
static void sized_by_the_header(void) {
    static int region[SCM_MAX_REGIONS], clock[SCM_MAX_CLOCKS];
    for (int i = 1; i < SCM_MAX_CLOCKS; i++) CHECK((clock[i] = scm_register_clock()) > 0);
    for (int i = 0; i < SCM_MAX_REGIONS; i++) CHECK((region[i] = scm_create_region()) >= 0);
    for (int i = 0; i < SCM_MAX_REGIONS; i++) {
        memset(scm_malloc_in_region(SCM_REGION_PAGE_SIZE, region[i]), i, SCM_REGION_PAGE_SIZE);
        for (unsigned most = 0; most <= SCM_MAX_EXPIRATION_EXTENSION; most++) scm_refresh_region(region[i], most);
    }
    for (int i = 0; i <= SCM_MAX_EXPIRATION_EXTENSION; i++) scm_tick();
    scm_collect();
    for (int i = 0; i < SCM_MAX_REGIONS; i++) scm_unregister_region(region[i]);
    for (int i = 1; i < SCM_MAX_CLOCKS; i++) scm_unregister_clock(clock[i]);
}

static void *work(void *argument) {
    scm_register_thread();
    for (int i = 0; i < 1000; i++) {
        char *object = new_object(*(int *)argument);
        scm_global_refresh(object, 1);
        scm_global_tick();
        if (i % 100 == 50) {
            scm_block_thread();
            scm_resume_thread();
        }
    }
    int clock = scm_register_clock();
    scm_refresh_with_clock(new_object(*(int *)argument), 7, (unsigned long)clock);
    (void)scm_malloc_in_region(10, scm_create_region());
    scm_unregister_thread();
    return NULL;
}

static void threads(void) {
    finalized = 0;
    int id = scm_register_finalizer(keeper);
    pthread_t workers[3];
    for (int i = 0; i < 3; i++) pthread_create(&workers[i], NULL, work, &id);
    for (int i = 0; i < 3; i++) pthread_join(workers[i], NULL);
    scm_unregister_thread();
}

const struct test tests[] = {
    {"refresh, tick, collect, finalizers", refresh_and_tick},
    {"clocks by number", more_clocks},
    {"regions by number, used again when they have expired", regions},
    {"sized by the header's constants", sized_by_the_header},
    {"threads and global time", threads},
    {NULL, NULL},
};
