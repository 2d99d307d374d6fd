/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tenure/dynamic.h"

#include <stdlib.h>

struct tn_dynamic *tn_dynamic_new(const struct tn_site *site) {
    struct tn_dynamic *key = (struct tn_dynamic *)calloc(1, sizeof *key);
    if (tn_unlikely(key == NULL)) tn_raise_alloc(site, sizeof *key);
    key->arena.frame.kind = TN_FRAME_ARENA;
    key->arena.frame.flags = TN_ARENA_DYNAMIC;
    key->keys = 1;
    return key;
}

void tn_dynamic_free(struct tn_dynamic *key) {
    if (key->arena.pages != NULL) tn_arena_release(&key->arena);
    free(key);
}
