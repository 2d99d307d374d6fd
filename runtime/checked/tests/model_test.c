/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Random operations on the heap and on a model of it: what is alive, what was deleted, what is pinned, what is in each object.
 * Arguments: how many operations, the seed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#define OBJECTS 4096
#define GONE 4096 /* references to deleted objects that are kept and tried */
#define PINS 64

/* Whether each use of an object that is gone raises. */
#define ALWAYS (TN_CHECKED_FORM != TN_CHECKED_MOVING)

struct object {
    void *ref;
    void *old; /* the reference as it was at first */
    size_t size;
    uint64_t seed; /* of its contents */
    int pins;
};

static struct object objects[OBJECTS];
static struct object gone[GONE];
static uint64_t state;
static size_t gone_next;
static int quiet; /* no other thread works on the heap */

/* Objects that were deleted while they were pinned. */
static struct {
    void *ref;
    unsigned char *at;
    size_t size;
    uint64_t seed;
    int pins;
} pinned[PINS];

static void fill(unsigned char *at, size_t size, uint64_t seed) {
    for (size_t i = 0; i < size; i += 1 + size / 16) at[i] = (unsigned char)(seed >> i % 56);
    at[size - 1] = (unsigned char)seed;
}

static int is_filled(const unsigned char *at, size_t size, uint64_t seed) {
    for (size_t i = 0; i + 1 < size; i += 1 + size / 16)
        if (at[i] != (unsigned char)(seed >> i % 56)) return 0;
    return at[size - 1] == (unsigned char)seed;
}

static size_t some_size(void) {
    uint64_t r = random_next(&state);
    switch (r % 64) {
    case 0: return r / 64 % 200000 + 1;
    case 1:
    case 2: return r / 64 % 20000 + 1;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7: return r / 64 % 1000 + 1;
    default: return r / 64 % 100 + 1;
    }
}

static void make(struct object *o) {
    static const size_t aligns[] = {1, 8, 8, 16};
    uint64_t r = random_next(&state);
    o->size = some_size();
    o->seed = r;
    o->pins = 0;
    size_t align = r % 4096 == 0 ? 64 : aligns[r / 4096 % 4];
    o->ref = tn_checked_new(o->size, align, NULL, TN_CHECKED_ZERO, TNC_HERE);
    o->old = o->ref;
    unsigned char *at = tnc_touch(o->ref, TNC_HERE);
    CHECK(at[0] == 0 && at[o->size / 2] == 0 && at[o->size - 1] == 0 && (uintptr_t)at % align == 0);
    fill(at, o->size, o->seed);
}

static void keep_pinned(struct object *o) {
    for (int i = 0; i < PINS; i++) {
        if (pinned[i].ref != NULL) continue;
        pinned[i].ref = o->ref;
        pinned[i].at = tn_address(tnc_pin(o->ref, TNC_HERE));
        tnc_unpin(o->ref);
        pinned[i].size = o->size;
        pinned[i].seed = o->seed;
        pinned[i].pins = o->pins;
        return;
    }
    for (; o->pins > 0; o->pins--) tnc_unpin(o->ref);
}

static void drop(struct object *o) {
    if (o->pins > 0) keep_pinned(o);
    tnc_delete(o->ref, TNC_HERE);
    gone[gone_next++ % GONE] = *o;
    o->ref = NULL;
}

static void look_alive(struct object *o, uint64_t r) {
    CHECK(is_filled(tnc_touch(o->ref, TNC_HERE), o->size, o->seed));
    if (r % 8 == 0) o->ref = tn_fresh(o->ref, TNC_HERE);
    CHECK(tnc_equal(o->ref, o->old) && tnc_touch(o->ref, TNC_HERE) == tnc_touch(o->old, TNC_HERE));
    size_t offset = r % o->size;
    void *middle = tn_interior(o->ref, offset);
    CHECK((char *)tnc_touch(middle, TNC_HERE) == (char *)tnc_touch(o->ref, TNC_HERE) + offset);
    CHECK(tnc_equal(middle, o->ref) == (offset == 0) && tnc_alive(middle));
    if (offset > 0 && r % 16 == 0) RAISES(tnc_delete(middle, TNC_HERE), TN_CHECKED_INTERIOR_DELETE);
    struct object *other = &objects[r / 16 % OBJECTS];
    CHECK(tnc_equal(o->ref, other->ref) == (o == other));
}

static void look_gone(struct object *g, uint64_t r) {
    if (g->ref == NULL) return;
    void *middle = tn_interior(g->ref, r % g->size), *ref = r % 2 == 0 ? g->ref : g->old;
    CHECK(!tnc_alive(ref) && !tnc_alive(middle));
    unsigned char *volatile at = NULL;
    int raised = CATCH(at = tnc_touch(ref, TNC_HERE));
    CHECK(raised ? caught.kind == TN_CHECKED_DANGLING : !ALWAYS && is_filled(at, g->size, g->seed));
    raised = CATCH(at = tnc_touch(middle, TNC_HERE));
    CHECK(raised ? caught.kind == TN_CHECKED_DANGLING : !ALWAYS);
    RAISES(tnc_delete(g->ref, TNC_HERE), TN_CHECKED_SECOND_DELETE);
    CHECK(!tnc_equal(g->ref, objects[r % OBJECTS].ref));
}

static void change_pins(struct object *o, uint64_t r) {
    if (r % 2 == 0 && o->pins < 12) {
        CHECK(is_filled(tnc_pin(o->ref, TNC_HERE), o->size, o->seed));
        o->pins++;
    } else if (o->pins > 0) {
        tnc_unpin(tn_interior(o->ref, r % o->size));
        o->pins--;
    }
    int i = (int)(r / 2 % PINS);
    if (pinned[i].ref == NULL) return;
    CHECK(is_filled(pinned[i].at, pinned[i].size, pinned[i].seed));
    tnc_unpin(pinned[i].ref);
    if (--pinned[i].pins == 0) pinned[i].ref = NULL;
}

static void operate(unsigned long step) {
    uint64_t r = random_next(&state);
    struct object *o = &objects[r / 64 % OBJECTS];
    unsigned what = r % 64;
    r /= 64 * OBJECTS;
    if (o->ref == NULL) {
        make(o);
    } else if (what < 30) {
        drop(o);
        if (what % 2 == 0) make(o);
    } else if (what < 45) {
        look_alive(o, r);
    } else if (what < 60) {
        look_gone(&gone[r % GONE], r / GONE);
    } else {
        change_pins(o, r);
    }
    /* All die together, so that frames go back. */
    if (step % 100000 == 99999)
        for (int i = 0; i < OBJECTS; i++)
            if (objects[i].ref != NULL) drop(&objects[i]);
    if (step % 50000 == 0 && quiet) {
        const char *wrong = tnc_validate();
        if (wrong != NULL) printf("%s\n", wrong);
        CHECK(wrong == NULL);
    }
    if (step % 64 == 0) tnc_poll();
}

static void the_heap_is_its_model(void) {
    unsigned long steps = test_argc > 1 ? strtoul(test_argv[1], NULL, 10) : 200000;
    state = test_argc > 2 ? strtoul(test_argv[2], NULL, 10) : 1;
    CHECK(tnc_open(&(struct tnc_options){.threads = state % 2 == 0, .remember = state % 3 == 0}) == 0);
    quiet = TN_CHECKED_FORM == TN_CHECKED_TAGGED || state % 2 != 0;
    validate_at_end = quiet;
    memset(objects, 0, sizeof objects);
    memset(gone, 0, sizeof gone);
    memset(pinned, 0, sizeof pinned);
    for (unsigned long step = 0; step < steps; step++) operate(step);
    struct tnc_statistics s;
    tnc_statistics(&s);
    if (test_argc > 3)
        printf("promotions %llu, blocks moved %llu, dead %llu, cancelled %llu, slow touches %llu\n", (unsigned long long)s.promotions,
               (unsigned long long)s.moved_blocks, (unsigned long long)s.dead_blocks, (unsigned long long)s.cancelled_blocks,
               (unsigned long long)s.slow_touches);
}

const struct test tests[] = {
    {"the heap is its model", the_heap_is_its_model},
    {NULL, NULL},
};
