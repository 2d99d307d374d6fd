/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Unique and counted objects, dynamic regions.
 */
#include <pthread.h>
#include <string.h>

#include "prim/option.h"
#include "region/storage.h"
#include "tenure/rt.h"
#include "tenure/statistics.h"

#include "harness.h"

static struct tn_region_statistics statistics_of(enum tn_region_kind kind) {
    struct tn_region_statistics all[TN_KIND_COUNT];
    tn_statistics_read(all);
    return all[kind];
}

static void at_every_level(void (*run)(void)) {
    int64_t level = tn_option_get(TN_OPTION_DEBUG_LEVEL);
    for (int i = 0; i <= 3; i++) {
        tn_option_set(TN_OPTION_DEBUG_LEVEL, i);
        tn_storage_settle();
        run();
    }
    tn_option_set(TN_OPTION_DEBUG_LEVEL, level);
    tn_storage_settle();
}

static int is_zero(const char *p, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (p[i] != 0) return 0;
    return 1;
}

static void make_unique_objects(void) {
    int64_t before = statistics_of(TN_KIND_UNIQUE).objects_live;
    for (size_t align = 1; align <= 4096; align *= 2)
        for (size_t size = 0; size < 300; size += 37) {
            char *p = tn_unique_alloc_zero(size, align, NULL);
            char *q = tn_unique_alloc(size, align, NULL);
            CHECK((uintptr_t)p % align == 0 && (uintptr_t)q % align == 0 && is_zero(p, size));
            memset(p, 1, size);
            memset(q, 2, size);
            CHECK(size == 0 || (p[size - 1] == 1 && q[0] == 2));
            tn_unique_free(p);
            tn_unique_free(q);
        }
    tn_unique_free(NULL);
    CHECK(statistics_of(TN_KIND_UNIQUE).objects_live == before);
}

static void unique_objects_are_freed_once(void) { at_every_level(make_unique_objects); }

static void make_counted_objects(void) {
    int64_t before = statistics_of(TN_KIND_COUNTED).objects_live;
    for (size_t align = 1; align <= 4096; align *= 2)
        for (size_t size = 0; size < 300; size += 37) {
            char *p = tn_counted_alloc_zero(size, align, NULL);
            CHECK((uintptr_t)p % align == 0 && is_zero(p, size) && tn_counted_count(p) == 1);
            CHECK(tn_counted_alias(p) == p && tn_counted_count(p) == 2);
            memset(p, 0xFF, size);
            tn_counted_drop(p);
            CHECK(tn_counted_count(p) == 1);
            tn_counted_drop(p);
            tn_counted_drop(tn_counted_alloc(size, align, NULL));
        }
    CHECK(statistics_of(TN_KIND_COUNTED).objects_live == before);
}

static void counted_objects_die_with_the_last_pointer(void) {
    at_every_level(make_counted_objects);
    CHECK(tn_counted_alias(NULL) == NULL && tn_counted_count(NULL) == 0);
    tn_counted_drop(NULL);
}

static void statistics_follow_owned_objects(void) {
    int64_t option = tn_option_get(TN_OPTION_STATISTICS);
    tn_option_set(TN_OPTION_STATISTICS, 1);
    tn_storage_settle();
    struct tn_region_statistics s0 = statistics_of(TN_KIND_COUNTED);
    void *p = tn_counted_alloc(100, 8, NULL);
    struct tn_region_statistics s1 = statistics_of(TN_KIND_COUNTED);
    CHECK(s1.objects_live == s0.objects_live + 1 && s1.bytes_live >= s0.bytes_live + 108);
    CHECK(s1.bytes_reserved - s0.bytes_reserved == s1.bytes_live - s0.bytes_live);
    tn_counted_drop(p);
    CHECK(statistics_of(TN_KIND_COUNTED).bytes_live == s0.bytes_live);
    tn_option_set(TN_OPTION_STATISTICS, option);
    tn_storage_settle();
}

static void use_unique_regions(void) {
    int64_t before = statistics_of(TN_KIND_DYNAMIC).bytes_reserved;
    int64_t keys_before = statistics_of(TN_KIND_UNIQUE).objects_live;
    struct tn_dynamic *keys[10];
    for (int k = 0; k < 10; k++) keys[k] = tn_dynamic_new_unique(NULL);
    for (int i = 0; i < 1000; i++) memset(tn_arena_alloc(tn_dynamic_open(keys[i % 10]), 50, 8, NULL), i, 50);
    CHECK(tn_frames == NULL && statistics_of(TN_KIND_DYNAMIC).bytes_reserved > before);
    for (int k = 0; k < 10; k++) tn_dynamic_free_unique(keys[k]);
    tn_dynamic_free_unique(NULL);
    CHECK(statistics_of(TN_KIND_DYNAMIC).bytes_reserved == before);
    CHECK(statistics_of(TN_KIND_UNIQUE).objects_live == keys_before);
}

static void use_counted_regions(void) {
    int64_t before = statistics_of(TN_KIND_DYNAMIC).bytes_reserved;
    int64_t keys_before = statistics_of(TN_KIND_COUNTED).objects_live;
    struct tn_dynamic *keys[10];
    for (int k = 0; k < 10; k++) keys[k] = tn_dynamic_new_counted(NULL);
    for (int i = 0; i < 1000; i++) memset(tn_arena_alloc(tn_dynamic_open(keys[i % 10]), 50, 8, NULL), i, 50);
    for (int k = 0; k < 10; k += 2) CHECK(tn_counted_alias(keys[k]) == keys[k]);
    for (int k = 0; k < 10; k++) tn_dynamic_drop_counted(keys[k]);
    CHECK(statistics_of(TN_KIND_DYNAMIC).bytes_reserved > before);
    for (int k = 0; k < 10; k += 2) {
        CHECK(tn_counted_count(keys[k]) == 1);
        (void)tn_arena_alloc(tn_dynamic_open(keys[k]), 50, 8, NULL);
        tn_dynamic_drop_counted(keys[k]);
    }
    tn_dynamic_drop_counted(NULL);
    CHECK(statistics_of(TN_KIND_DYNAMIC).bytes_reserved == before);
    CHECK(statistics_of(TN_KIND_COUNTED).objects_live == keys_before);
}

static void dynamic_regions_die_with_the_last_key(void) {
    at_every_level(use_unique_regions);
    at_every_level(use_counted_regions);
}

static void fill_and_throw(struct tn_dynamic *key) {
    struct tn_arena *r = tn_dynamic_open(key);
    for (;;) (void)tn_arena_alloc(r, 100, 8, NULL);
}

static void a_throw_leaves_a_dynamic_region_alone(void) {
    struct tn_dynamic *key = tn_dynamic_new_unique(NULL);
    tn_arena_set_quota(tn_dynamic_open(key), 10000);
    char *volatile text = tn_arena_alloc_zero(tn_dynamic_open(key), 10, 1, NULL);
    strcpy(text, "kept");
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) fill_and_throw(key);
    CHECK(tn_caught(&h) == &tn_exn_Region_Exhausted);
    CHECK(strcmp(text, "kept") == 0);
    tn_dynamic_free_unique(key);
}

static void *free_elsewhere(void *key) {
    (void)tn_arena_alloc(tn_dynamic_open(key), 5000, 8, NULL);
    tn_dynamic_free_unique(key);
    return NULL;
}

static void a_region_may_move_between_threads(void) {
    for (int i = 0; i < 5; i++) {
        struct tn_dynamic *key = tn_dynamic_new_unique(NULL);
        memset(tn_arena_alloc(tn_dynamic_open(key), 5000, 8, NULL), 1, 5000);
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, free_elsewhere, key) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

const struct test tests[] = {
    {"unique objects are freed once", unique_objects_are_freed_once},
    {"counted objects die with the last pointer", counted_objects_die_with_the_last_pointer},
    {"statistics follow owned objects", statistics_follow_owned_objects},
    {"dynamic regions die with the last key", dynamic_regions_die_with_the_last_key},
    {"a throw leaves a dynamic region alone", a_throw_leaves_a_dynamic_region_alone},
    {"a region may move between threads", a_region_may_move_between_threads},
    {NULL, NULL},
};
