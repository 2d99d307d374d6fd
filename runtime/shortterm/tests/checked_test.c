/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Checked mode: each error in a child of its own, with what is said about it. To be run with TENURE_STM_CHECKED=1.
 */
#include <string.h>

#include "harness.h"

/* Visible to the dynamic linker, which knows the names; and with something after their calls, so that they are the callers. */
char *make_object(void);
void give_date(void *object, unsigned extension);
void needless_refresh(void);

static volatile int called;
__attribute__((noinline)) char *make_object(void) {
    char *object = stm_malloc(40);
    called++;
    return object;
}
__attribute__((noinline)) void give_date(void *object, unsigned extension) {
    (void)stm_refresh(object, extension);
    called++;
}

static char *expired(void) {
    char *object = make_object();
    give_date(object, 1);
    stm_tick();
    object[39] = 1;
    stm_tick();
    return object;
}

static void read_expired(void) { *(volatile char *)(expired() + 12) += 1; }
static void refresh_expired(void) { (void)stm_refresh(expired(), 0); }
static void free_expired(void) { stm_free(expired()); }
static void free_short_term(void) {
    char *object = make_object();
    give_date(object, 3);
    stm_free(object);
}
static void use_freed(void) {
    char *object = make_object();
    stm_free(object);
    *(volatile char *)object += 1;
}
static void overrun(void) {
    volatile char *object = make_object();
    object[48] = 1;
}
static void refresh_foreign(void) {
    static _Alignas(16) char foreign[64];
    (void)stm_refresh(foreign + 32, 0);
}
static void refresh_middle(void) { (void)stm_refresh(make_object() + 16, 0); }
static void never_ticks(void) {
    for (int i = 0; i < 10; i++) give_date(make_object(), 0);
}
void needless_refresh(void) {
    char *object = make_object();
    give_date(object, 5);
    for (int i = 0; i < 4; i++) (void)stm_refresh(object, 2);
    for (int i = 0; i < 7; i++) stm_tick();
}
static void right_program(void) {
    for (int i = 0; i < 100; i++) {
        char *object = make_object();
        memset(object, 1, 40);
        give_date(object, 0);
        char *other = stm_realloc(make_object(), 5000);
        memset(other, 1, 5000);
        stm_free(other);
        other = stm_aligned_alloc(4096, 100);
        memset(other, 1, 100);
        stm_free(other);
        stm_tick();
    }
}

static void more_than_can_be_watched(void) {
    enum { MANY = 70000 };
    static char *objects[MANY];
    for (int i = 0; i < MANY; i++) {
        objects[i] = stm_calloc(1, 40);
        CHECK(objects[i] != NULL && objects[i][39] == 0);
        objects[i][39] = 1;
    }
    for (int i = 0; i < MANY; i++) give_date(objects[i], 0);
    CHECK(stm_malloc_refreshed(1 << 20, 0) != NULL);
    stm_tick();
    char *last = make_object();
    give_date(last, 0);
    stm_tick();
    *(volatile char *)last += 1;
}

static void use_after_expiry(void) {
    CHECK_CHILD(read_expired, 1, "use after expiry: ", "is byte 12 of an object of 40 bytes\n  allocated at make_object+",
                "last refreshed at give_date+", "extension 1, at time 0 of the thread's clock\n  expired when that clock came to 2");
}
static void wrong_calls(void) {
    CHECK_CHILD(refresh_expired, 1, "stm_refresh: ", "is byte 0 of an object of 40 bytes", "(STM_EXPIRED)");
    CHECK_CHILD(free_expired, 1, "stm_free: ", "(STM_EXPIRED)");
    CHECK_CHILD(free_short_term, 1, "stm_free: ", "it has an expiration date (STM_FREED_SHORT_TERM)");
    CHECK_CHILD(refresh_foreign, 1, "is not a live object of this library (STM_NOT_AN_OBJECT)");
    CHECK_CHILD(refresh_middle, 1, "points into the middle of an object (STM_NOT_AN_OBJECT)");
}
static void other_faults(void) {
    CHECK_CHILD(use_freed, 1, "is byte 0 of an object of 40 bytes", "  freed\n");
    CHECK_CHILD(overrun, 1, NULL);
}
static void many_objects(void) {
    CHECK_CHILD(more_than_can_be_watched, 1, "objects are not watched", "use after expiry: ", "allocated at make_object+");
}
static void standing_clock(void) {
    CHECK_CHILD(never_ticks, 0, "10 objects (400 bytes) wait for a clock that does not advance", "refreshed at give_date+");
}
static void unneeded(void) { CHECK_CHILD(needless_refresh, 0, "tenure: 4 of 4 refreshes at needless_refresh+", "were never needed"); }
static void silence(void) {
    CHECK_CHILD(right_program, 0, NULL);
    struct stm_live_bytes live;
    void *object = stm_malloc(1000);
    stm_live(&live);
    CHECK(live.persistent == 1000 && live.short_term == 0);
    CHECK(stm_refresh(object, 0) == STM_OK);
    stm_live(&live);
    CHECK(live.persistent == 0 && live.short_term == 1000);
    stm_tick();
    stm_live(&live);
    CHECK(live.persistent == 0 && live.short_term == 0);
}

const struct test tests[] = {
    {"use after expiry names the object and its dates", use_after_expiry},
    {"wrong calls end the program with a message", wrong_calls},
    {"use after free and overruns fault", other_faults},
    {"beyond the system's limit of mappings objects are not watched, and one that comes later is", many_objects},
    {"objects whose clock stands are reported", standing_clock},
    {"refreshes that were never needed are reported", unneeded},
    {"a right program runs, and its live bytes are known", silence},
    {NULL, NULL},
};
