/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What is peculiar to objects that move: the moving and the strict form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

struct node {
    void *left, *right;
    uint64_t name;
    uint64_t turned;
};
static const uint32_t node_offsets[] = {0, 8};
static const struct tn_layout node_layout = {sizeof(struct node), 2, node_offsets};
static const uint32_t word_offsets[] = {0};
static const struct tn_layout word_layout = {8, 1, word_offsets};

static void *make_node(uint64_t name) {
    void *ref = tn_checked_new(sizeof(struct node), 8, &node_layout, TN_CHECKED_ZERO, TNC_HERE);
    struct node *node = tnc_touch(ref, TNC_HERE);
    *node = (struct node){NULL, NULL, name, ~name};
    return ref;
}

static struct node *node_of(void *ref) {
    struct node *node = tnc_touch(ref, TNC_HERE);
    CHECK(node->turned == ~node->name);
    return node;
}

/* Deletes until a round of the mover has ended. */
static void churn_until_scanned(void) {
    struct tnc_statistics before, now;
    tnc_statistics(&before);
    for (int i = 0; i < 100000; i++) {
        for (int k = 0; k < 100; k++) tnc_delete(make_node(0), TNC_HERE);
        tnc_statistics(&now);
        if (now.scans > before.scans) return;
    }
    CHECK(!"the mover ended a round");
}

#define COUNT 60000
static void *refs[COUNT];

/* Nodes in a list through `left`, with garbage between them, which is deleted afterwards. */
static void *make_list(int count, int between) {
    static void *garbage[COUNT * 8];
    void *first = NULL;
    int many = 0;
    for (int i = 0; i < count; i++) {
        void *ref = make_node((uint64_t)i);
        node_of(ref)->left = first;
        first = ref;
        refs[i] = ref;
        for (int k = 0; k < between; k++) garbage[many++] = make_node(7);
    }
    for (int i = 0; i < many; i++) tnc_delete(garbage[i], TNC_HERE);
    return first;
}

static void moved_objects_are_found_and_references_patched(void) {
    void *first = make_list(COUNT, 4);
    struct tnc_statistics full, after;
    tnc_statistics(&full);
    churn_until_scanned();
    tnc_statistics(&after);
    CHECK(after.moved_blocks > 100 && after.patched_references > COUNT / 2);
    CHECK(after.taken_bytes < full.taken_bytes / 2);
    CHECK(tnc_validate() == NULL);
    int i = COUNT - 1;
    for (void *ref = first; ref != NULL; ref = node_of(ref)->left) {
        CHECK(node_of(ref)->name == (uint64_t)i && tnc_equal(ref, refs[i]));
        i--;
    }
    CHECK(i == -1);
    struct tnc_statistics walked;
    tnc_statistics(&walked);
    CHECK(walked.slow_touches - after.slow_touches < COUNT / 4);
    for (i = 0; i < COUNT; i++) CHECK(node_of(refs[i])->name == (uint64_t)i);
    for (i = 0; i < COUNT; i++) tnc_delete(refs[i], TNC_HERE);
    for (i = 0; i < COUNT; i++) RAISES(tnc_delete(refs[i], TNC_HERE), TN_CHECKED_SECOND_DELETE);
}

static void middles_of_moved_objects_are_found(void) {
    (void)make_list(20000, 4);
    churn_until_scanned();
    for (int i = 0; i < 20000; i++) {
        uint64_t *name = tnc_touch(tn_interior(refs[i], offsetof(struct node, name)), TNC_HERE);
        CHECK(*name == (uint64_t)i);
        char *last = tnc_touch(tn_interior(refs[i], sizeof(struct node) - 1), TNC_HERE);
        CHECK((char *)name + 15 == last);
        RAISES(tnc_delete(tn_interior(refs[i], 8), TNC_HERE), TN_CHECKED_INTERIOR_DELETE);
    }
}

static void registered_words_are_patched(void) {
    CHECK(tnc_register(refs, COUNT) == 0);
    (void)make_list(20000, 4);
    static void *old[20000];
    memcpy(old, refs, sizeof old);
    churn_until_scanned();
    struct tnc_statistics before, after;
    tnc_statistics(&before);
    int moved = 0;
    for (int i = 0; i < 20000; i++) {
        CHECK(tnc_equal(refs[i], old[i]));
        moved += refs[i] != old[i];
        CHECK(node_of(refs[i])->name == (uint64_t)i);
    }
    tnc_statistics(&after);
    CHECK(moved > 10000 && after.slow_touches < before.slow_touches + 25000);
    tnc_unregister(refs);
}

static void large_arrays_of_references_are_patched(void) {
    void *array = tn_checked_new(20000 * sizeof(void *), 8, &word_layout, TN_CHECKED_ZERO, TNC_HERE);
    (void)make_list(20000, 4);
    for (int i = 0; i < 20000; i++) ((void **)tnc_touch(array, TNC_HERE))[i] = refs[i];
    churn_until_scanned();
    struct tnc_statistics before, after;
    tnc_statistics(&before);
    for (int i = 0; i < 20000; i++) CHECK(node_of(((void **)tnc_touch(array, TNC_HERE))[i])->name == (uint64_t)i);
    tnc_statistics(&after);
    CHECK(before.patched_references >= 10000 && after.slow_touches < before.slow_touches + (TN_CHECKED_FORM >= TN_CHECKED_STRICT ? 22000 : 2000));
}

static void pinned_blocks_stay(void) {
    (void)make_list(20000, 4);
    static struct node *at[20000];
    for (int i = 0; i < 20000; i += 100) at[i] = tnc_pin(refs[i], TNC_HERE);
    for (int i = 0; i < 20000; i += 200) tnc_delete(refs[i], TNC_HERE);
    churn_until_scanned();
    for (int i = 0; i < 20000; i += 100) {
        CHECK(at[i]->name == (uint64_t)i && at[i]->turned == ~at[i]->name);
        tnc_unpin(tn_interior(refs[i], 8));
    }
    for (int i = 1; i < 20000; i++)
        if (i % 200 != 0) tnc_delete(refs[i], TNC_HERE);
    struct tnc_statistics s;
    tnc_statistics(&s);
    CHECK(s.live_bytes == 0 && s.taken_bytes <= 4 << 20);
}

static void a_deleted_pinned_object_is_dead_when_the_last_pin_goes(void) {
    for (size_t size = 100; size < 100000; size *= 20) {
        char *p = tnc_new(size, TNC_HERE), *at = tnc_pin(p, TNC_HERE);
        CHECK(tnc_pin(p, TNC_HERE) == at);
        memset(at, 'x', size);
        for (int i = 0; i < 1000; i++) tnc_delete(tnc_new(100, TNC_HERE), TNC_HERE);
        tnc_delete(p, TNC_HERE);
        RAISES(tnc_delete(p, TNC_HERE), TN_CHECKED_SECOND_DELETE);
        tnc_unpin(p);
        for (int i = 0; i < 1000; i++) tnc_delete(tnc_new(100, TNC_HERE), TNC_HERE);
        CHECK(at[size - 1] == 'x');
        tnc_unpin(p);
        RAISES(tnc_touch(p, TNC_HERE), TN_CHECKED_DANGLING);
        RAISES(tnc_unpin(p), TN_CHECKED_FOREIGN);
    }
}

static void what_is_gone_raises_in_the_end(void) {
    (void)make_list(20000, 0);
    for (int i = 0; i < 20000; i++) tnc_delete(refs[i], TNC_HERE);
    tnc_delete(make_node(0), TNC_HERE);
    int raised = 0;
    for (int i = 0; i < 20000; i++) raised += CATCH(tnc_touch(refs[i], TNC_HERE)) && caught.kind == TN_CHECKED_DANGLING;
    CHECK(raised >= (TN_CHECKED_FORM >= TN_CHECKED_STRICT ? 20000 : 19600));
    RAISES(tnc_touch(NULL, TNC_HERE), TN_CHECKED_NULL);
    tnc_delete(NULL, TNC_HERE);
}

static void an_allocation_ends_no_address(void) {
    void *ref = make_node(5);
    struct node *node = node_of(ref);
    for (int i = 0; i < 300000; i++) (void)make_node((uint64_t)i);
    CHECK(node->name == 5 && node->turned == ~node->name);
}

static void places_are_remembered_across_moves(void) {
    CHECK(tnc_open(&(struct tnc_options){.remember = true}) == 0);
    const tnc_site *deleted = TNC_HERE, *used = TNC_HERE;
    void *large = tnc_new(100000, TNC_HERE);
    (void)make_list(20000, 4);
    for (int i = 0; i < 100; i++) CHECK(tnc_size(refs[i], TNC_HERE) >= sizeof(struct node));
    churn_until_scanned();
    CHECK(tnc_validate() == NULL);
    int found = 0;
    for (int i = 0; i < 100; i++) {
        tnc_delete(refs[i], deleted);
        RAISES(tnc_delete(refs[i], used), TN_CHECKED_SECOND_DELETE);
        found += caught.used == used && caught.deleted == deleted && caught.allocated != NULL && caught.allocated->line != 0;
    }
    CHECK(found == 100);
    tnc_delete(large, deleted);
    RAISES(tnc_touch(tn_interior(large, 50000), used), TN_CHECKED_DANGLING);
    CHECK(caught.deleted == deleted && caught.allocated != NULL);
}

const struct test tests[] = {
    {"places are remembered across moves", places_are_remembered_across_moves},
    {"moved objects are found and references patched", moved_objects_are_found_and_references_patched},
    {"middles of moved objects are found", middles_of_moved_objects_are_found},
    {"registered words are patched", registered_words_are_patched},
    {"large arrays of references are patched", large_arrays_of_references_are_patched},
    {"pinned blocks stay", pinned_blocks_stay},
    {"a deleted pinned object is dead when the last pin goes", a_deleted_pinned_object_is_dead_when_the_last_pin_goes},
    {"what is gone raises in the end", what_is_gone_raises_in_the_end},
    {"an allocation ends no address", an_allocation_ends_no_address},
    {NULL, NULL},
};
