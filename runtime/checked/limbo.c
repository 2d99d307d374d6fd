/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/limbo.h"

#include "prim/memory.h"

#define CAPACITY_FIRST 512

bool tn_limbo_add(struct tn_limbo *limbo, uint64_t word) {
    struct tn_limbo_list *list = &limbo->open;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? CAPACITY_FIRST : 2 * list->capacity;
        uint64_t *words = tn_os_map(capacity * sizeof *words);
        if (words == NULL) return false;
        for (size_t i = 0; i < list->count; i++) words[i] = list->words[i];
        if (list->words != NULL) tn_os_unmap(list->words, list->capacity * sizeof *words);
        list->words = words;
        list->capacity = capacity;
    }
    list->words[list->count] = word;
    __atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELAXED); /* which statistics read */
    return true;
}

void tn_limbo_settle(struct tn_limbo *limbo, struct tn_member *self, void (*release)(uint64_t word, void *context), void *context) {
    struct tn_limbo_list *waiting = &limbo->waiting;
    if (waiting->count != 0) {
        if (!tn_epoch_reached(limbo->epoch)) return;
        for (size_t i = 0; i < waiting->count; i++) release(waiting->words[i], context);
        waiting->count = 0;
    }
    if (limbo->open.count == 0) return;
    struct tn_limbo_list empty = *waiting;
    *waiting = limbo->open;
    limbo->open = empty;
    limbo->epoch = tn_epoch_begin();
    tn_member_poll(self);
}

size_t tn_limbo_count(const struct tn_limbo *limbo) {
    return __atomic_load_n(&limbo->open.count, __ATOMIC_RELAXED) + __atomic_load_n(&limbo->waiting.count, __ATOMIC_RELAXED);
}

void tn_limbo_clear(struct tn_limbo *limbo) {
    struct tn_limbo_list *lists[] = {&limbo->open, &limbo->waiting};
    for (unsigned i = 0; i < 2; i++) {
        if (lists[i]->words != NULL) tn_os_unmap(lists[i]->words, lists[i]->capacity * sizeof(uint64_t));
        *lists[i] = (struct tn_limbo_list){NULL, 0, 0};
    }
}
