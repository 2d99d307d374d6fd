/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/dynamic.h"

#include "tenure/unique.h"

/* All other members of an empty arena are zero. */
static struct tn_dynamic *empty(void *storage) {
    struct tn_dynamic *key = (struct tn_dynamic *)storage;
    key->arena.frame.kind = TN_FRAME_ARENA;
    key->arena.frame.flags = TN_ARENA_DYNAMIC;
    return key;
}

static void release(struct tn_dynamic *key) {
    if (key->arena.pages != NULL) tn_arena_release(&key->arena);
}

struct tn_dynamic *tn_dynamic_new_unique(const struct tn_site *site) {
    return empty(tn_unique_alloc_zero(sizeof(struct tn_dynamic), _Alignof(struct tn_dynamic), site));
}

struct tn_dynamic *tn_dynamic_new_counted(const struct tn_site *site) {
    return empty(tn_counted_alloc_zero(sizeof(struct tn_dynamic), _Alignof(struct tn_dynamic), site));
}

void tn_dynamic_free_unique(struct tn_dynamic *key) {
    if (key == NULL) return;
    release(key);
    tn_unique_free(key);
}

void tn_dynamic_drop_counted(struct tn_dynamic *key) {
    if (key == NULL) return;
    if (tn_counted_count(key) == 1) release(key);
    tn_counted_drop(key);
}
