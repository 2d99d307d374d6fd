/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

struct node {
    struct node *unused;
    uint64_t value[6];
};
TNC_TYPE(node_ref, struct node);

static void a_living_object_is_reached(void) {
    node_ref n = node_ref_new(TNC_HERE);
    struct node *at = node_ref_touch(n, TNC_HERE);
    CHECK(at->value[3] == 0);
    at->value[3] = 7;
    CHECK(node_ref_touch(n, TNC_HERE)->value[3] == 7);
    CHECK(tnc_alive(n.ref) && !tnc_alive(NULL));
    node_ref_delete(n, TNC_HERE);
    CHECK(!tnc_alive(n.ref));
}

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void a_dangling_touch_raises(void) {
    node_ref n = node_ref_new(TNC_HERE), alias = n;
    node_ref_delete(n, TNC_HERE);
    RAISES(node_ref_touch(alias, TNC_HERE), TN_CHECKED_DANGLING);
    CHECK(caught.reference == alias.ref && caught.used->line != 0);
    /* The slot is used again, and the old reference still raises. */
    node_ref again = node_ref_new(TNC_HERE);
    CHECK(tn_address(again.ref) == tn_address(alias.ref));
    CHECK(!node_ref_equal(again, alias));
    RAISES(node_ref_touch(alias, TNC_HERE), TN_CHECKED_DANGLING);
    CHECK(node_ref_touch(again, TNC_HERE)->value[0] == 0);
}
#endif

static void null_raises_and_may_be_deleted(void) {
    RAISES(tnc_touch(NULL, TNC_HERE), TN_CHECKED_NULL);
    RAISES(tnc_pin(NULL, TNC_HERE), TN_CHECKED_NULL);
    tnc_delete(NULL, TNC_HERE);
}

static void a_second_delete_raises(void) {
    for (size_t size = 1; size <= 1 << 20; size = size * 2 + 1) {
        void *p = tnc_new(size, TNC_HERE);
        tnc_delete(p, TNC_HERE);
        RAISES(tnc_delete(p, TNC_HERE), TN_CHECKED_SECOND_DELETE);
        void *q = tnc_new(size, TNC_HERE);
        RAISES(tnc_delete(p, TNC_HERE), TN_CHECKED_SECOND_DELETE);
        tnc_delete(q, TNC_HERE);
    }
}

#if TN_CHECKED_FORM != TN_CHECKED_MOVING
static void interior_references_find_their_object(void) {
    for (size_t size = 2; size <= 1 << 20; size = size * 3 / 2 + 1) {
        void *many[40];
        for (int i = 0; i < 40; i++) many[i] = tnc_new(size, TNC_HERE);
        for (int i = 0; i < 40; i++) {
            char *base = tnc_touch(many[i], TNC_HERE);
            void *last = tn_interior(many[i], size - 1), *middle = tn_interior(tn_interior(many[i], 1), (size - 1) / 2);
            CHECK(tnc_touch(last, TNC_HERE) == base + size - 1);
            CHECK(tnc_touch(middle, TNC_HERE) == base + 1 + (size - 1) / 2);
            RAISES(tnc_delete(last, TNC_HERE), TN_CHECKED_INTERIOR_DELETE);
            if (i % 2 == 0) continue;
            tnc_delete(many[i], TNC_HERE);
            RAISES(tnc_touch(last, TNC_HERE), TN_CHECKED_DANGLING);
            RAISES(tnc_touch(middle, TNC_HERE), TN_CHECKED_DANGLING);
            RAISES(tnc_delete(last, TNC_HERE), TN_CHECKED_SECOND_DELETE);
        }
        for (int i = 0; i < 40; i += 2) tnc_delete(tn_interior(many[i], 0), TNC_HERE);
    }
}
#endif

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void data_that_looks_like_a_header_deceives_nobody(void) {
    uint64_t *p = tnc_new(64, TNC_HERE);
    uint64_t *middle = tn_interior(p, 16);
    tnc_delete(p, TNC_HERE);
    uint64_t *q = tnc_new(64, TNC_HERE), *at = tnc_touch(q, TNC_HERE);
    CHECK(tn_address(q) == tn_address(p));
    for (int i = 0; i < 8; i++) at[i] = (uint64_t)(uintptr_t)p & ~TN_REF_INDIRECT;
    RAISES(tnc_touch(middle, TNC_HERE), TN_CHECKED_DANGLING);
    RAISES(tnc_touch(p, TNC_HERE), TN_CHECKED_DANGLING);
    for (int i = 0; i < 8; i++) at[i] = (uint64_t)(uintptr_t)middle;
    RAISES(tnc_touch(middle, TNC_HERE), TN_CHECKED_DANGLING);
}
#endif

static void equality_is_of_the_byte_and_the_object(void) {
    char *p = tnc_new(32, TNC_HERE);
    CHECK(tnc_equal(p, p) && tnc_equal(p, tn_interior(p, 0)) && !tnc_equal(p, tn_interior(p, 1)));
    CHECK(tnc_equal(tn_interior(p, 5), tn_interior(tn_interior(p, 2), 3)));
    CHECK(!tnc_equal(p, NULL) && tnc_equal(NULL, NULL));
}

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void a_pinned_object_keeps_its_memory(void) {
    char *p = tnc_new(100, TNC_HERE), *at = tnc_pin(p, TNC_HERE);
    memset(at, 'x', 100);
    CHECK(tnc_pin(p, TNC_HERE) == at);
    tnc_delete(p, TNC_HERE);
    RAISES(tnc_touch(p, TNC_HERE), TN_CHECKED_DANGLING);
    RAISES(tnc_delete(p, TNC_HERE), TN_CHECKED_SECOND_DELETE);
    RAISES(tnc_pin(p, TNC_HERE), TN_CHECKED_DANGLING);
    tnc_unpin(p);
    for (int i = 0; i < 10; i++) CHECK(tn_address(tnc_new(100, TNC_HERE)) != at);
    CHECK(at[99] == 'x');
    tnc_unpin(p);
    CHECK(tn_address(tnc_new(100, TNC_HERE)) == at);
    RAISES(tnc_unpin(p), TN_CHECKED_FOREIGN);
}
#endif

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void pins_nest_and_may_be_for_good(void) {
    char *p = tnc_new(100, TNC_HERE), *q = tnc_new(1 << 20, TNC_HERE);
    for (int i = 0; i < 40; i++) (void)tnc_pin(p, TNC_HERE);
    tnc_delete(p, TNC_HERE);
    for (int i = 0; i < 39; i++) tnc_unpin(p);
    for (int i = 0; i < 10; i++) CHECK(tn_address(tnc_new(100, TNC_HERE)) != tn_address(p));
    tnc_unpin(p);
    RAISES(tnc_unpin(p), TN_CHECKED_FOREIGN);
    CHECK(tn_address(tnc_new(100, TNC_HERE)) == tn_address(p));
    void *many[500];
    for (int i = 0; i < 500; i++) many[i] = tnc_new(24, TNC_HERE);
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < 500; i++) (void)tnc_pin(many[i], TNC_HERE);
    for (int i = 0; i < 500; i++) tnc_delete(many[i], TNC_HERE);
    for (int k = 0; k < 20; k++)
        for (int i = 499; i >= 0; i--) tnc_unpin(many[i]);
    struct tnc_statistics s;
    tnc_statistics(&s);
    CHECK(s.pinned_deleted == 0);
    char *at = tnc_pin_forever(q, TNC_HERE);
    at[1000] = 1;
    tnc_delete(q, TNC_HERE);
    CHECK(at[1000] == 1 && tn_address(tnc_new(1 << 20, TNC_HERE)) != at);
}
#endif

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void a_slot_is_retired_when_its_generations_are_used_up(void) {
    void *first = tnc_new(24, TNC_HERE);
    void *now = first;
    for (int i = 0; i < 65534; i++) {
        tnc_delete(now, TNC_HERE);
        now = tnc_new(24, TNC_HERE);
        CHECK(tn_address(now) == tn_address(first));
    }
    tnc_delete(now, TNC_HERE);
    for (int i = 0; i < 70000; i++) {
        now = tnc_new(24, TNC_HERE);
        CHECK(tn_address(now) != tn_address(first));
        if (i % 1000 != 0) tnc_delete(now, TNC_HERE);
    }
    RAISES(tnc_touch(first, TNC_HERE), TN_CHECKED_DANGLING);
    RAISES(tnc_delete(first, TNC_HERE), TN_CHECKED_SECOND_DELETE);
    struct tnc_statistics s;
    tnc_statistics(&s);
    CHECK(s.retired_slots >= 1);
}
#endif

static void sizes_and_alignments_are_as_asked(void) {
    for (size_t align = 1; align <= 65536; align *= 2) {
        for (size_t size = 0; size <= 300000; size = size * 5 / 4 + 1) {
            if (align > 16 && size > 0 && size % 7 != 0) continue;
            void *p = tn_checked_new(size, align, &tn_layout_leaf, TN_CHECKED_ZERO, TNC_HERE);
            unsigned char *at = tnc_touch(p, TNC_HERE);
            CHECK((uintptr_t)at % align == 0);
            CHECK(tnc_size(p, TNC_HERE) >= size);
            CHECK(tn_checked_layout(p) == &tn_layout_leaf);
            CHECK(size == 0 || (at[0] == 0 && at[size / 2] == 0 && at[size - 1] == 0));
            memset(at, 0xff, size);
            tnc_delete(p, TNC_HERE);
        }
    }
    RAISES(tnc_new(SIZE_MAX, TNC_HERE), TN_CHECKED_NO_MEMORY);
    CHECK(caught.size == SIZE_MAX);
    RAISES(tnc_new((size_t)1 << 45, TNC_HERE), TN_CHECKED_NO_MEMORY);
    RAISES(node_ref_new_array(SIZE_MAX / 8, TNC_HERE), TN_CHECKED_NO_MEMORY);
}

static void frames_go_back_when_many_objects_die(void) {
    enum { COUNT = 200000 };
    static void *many[COUNT];
    struct tnc_statistics full, after;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < COUNT; i++) many[i] = tnc_new(56, TNC_HERE);
        tnc_statistics(&full);
        for (int i = 0; i < COUNT; i++) tnc_delete(many[i], TNC_HERE);
        tnc_statistics(&after);
        CHECK(full.taken_bytes > 12 << 20 && after.taken_bytes < 2 << 20 && after.live_bytes == 0);
        if (TN_CHECKED_FORM != TN_CHECKED_MOVING) RAISES(tnc_touch(many[round], TNC_HERE), TN_CHECKED_DANGLING);
        CHECK(tnc_validate() == NULL);
    }
}

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void places_are_remembered(void) {
    CHECK(tnc_open(&(struct tnc_options){.remember = true}) == 0);
    CHECK(tnc_open(NULL) == EALREADY);
    for (size_t size = 10; size < 1 << 20; size *= 10) {
        const tnc_site *made = TNC_HERE, *deleted = TNC_HERE, *used = TNC_HERE;
        void *p = tnc_new(size, made);
        RAISES(tnc_delete(tn_interior(p, 1), used), TN_CHECKED_INTERIOR_DELETE);
        CHECK(caught.allocated == made && caught.used == used);
        tnc_delete(p, deleted);
        (void)tnc_new(size, TNC_HERE);
        RAISES(tnc_touch(p, used), TN_CHECKED_DANGLING);
        CHECK(caught.allocated == made && caught.deleted == deleted && caught.used == used);
        RAISES(tnc_touch(tn_interior(p, size / 2), used), TN_CHECKED_DANGLING);
        CHECK(caught.allocated == made && caught.deleted == deleted);
    }
}
#endif

#if TN_CHECKED_FORM != TN_CHECKED_MOVING
static void use_what_is_gone(void) {
    node_ref n = node_ref_new(TNC_HERE);
    node_ref_delete(n, TNC_HERE);
    node_ref_touch(n, TNC_HERE)->value[0] = 1;
}
#endif

#if TN_CHECKED_FORM != TN_CHECKED_MOVING
static void the_default_handler_names_the_place_and_aborts(void) {
    CHECK_CHILD(use_what_is_gone, 1, "checked heap: the object was deleted\n", "used at ", " in use_what_is_gone\n");
}
#endif

static int told;
static void on_pressure(const struct tnc_pressure *pressure, void *context) {
    CHECK(pressure->taken > pressure->mark);
    ++*(int *)context;
}
static void a_limit_holds_and_pressure_is_told(void) {
    CHECK(tnc_open(&(struct tnc_options){.memory_limit = 8 << 20, .pressure = 4 << 20}) == 0);
    tnc_on_pressure(on_pressure, &told);
    int made = 0;
    while (!CATCH(tnc_new(1000, TNC_HERE))) {
        made++;
        tnc_poll();
        CHECK((made < 3800) == (told == 0) || (made > 3500 && made < 4300));
    }
    CHECK(caught.kind == TN_CHECKED_NO_MEMORY && told == 1 && made > 7500 && made <= 8400);
}

const struct test tests[] = {
    {"a living object is reached", a_living_object_is_reached},
    {"NULL raises and may be deleted", null_raises_and_may_be_deleted},
    {"a second delete raises", a_second_delete_raises},
    {"equality is of the byte and the object", equality_is_of_the_byte_and_the_object},
    {"sizes and alignments are as asked", sizes_and_alignments_are_as_asked},
    {"frames go back when many objects die", frames_go_back_when_many_objects_die},
    {"a limit holds and pressure is told", a_limit_holds_and_pressure_is_told},
#if TN_CHECKED_FORM != TN_CHECKED_MOVING /* where each use of what is gone raises */
    {"interior references find their object", interior_references_find_their_object},
    {"the default handler names the place and aborts", the_default_handler_names_the_place_and_aborts},
#endif
#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
    {"a dangling touch raises", a_dangling_touch_raises},
    {"data that looks like a header deceives nobody", data_that_looks_like_a_header_deceives_nobody},
    {"a pinned object keeps its memory", a_pinned_object_keeps_its_memory},
    {"pins nest and may be for good", pins_nest_and_may_be_for_good},
    {"a slot is retired when its generations are used up", a_slot_is_retired_when_its_generations_are_used_up},
    {"places are remembered", places_are_remembered},
#endif
    {NULL, NULL},
};
