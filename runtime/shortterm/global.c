/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/global.h"

#include "shortterm/date.h"
#include "shortterm/error.h"
#include "shortterm/mode.h"
#include "shortterm/settle.h"

static struct global global;

/* All bits of the time, as of not long ago; the word has the low ones. */
static _Atomic uint64_t whole_time;

/* The global time now. */
static uint64_t read_time(void) {
    for (;;) {
        uint64_t known = atomic_load_explicit(&whole_time, memory_order_acquire);
        uint64_t low = global_time_of(global_load(&global));
        uint64_t ahead = (low - known) & GLOBAL_TIME_MASK;
        if (ahead > GLOBAL_TIME_MASK / 2) continue; /* another thread has read a later word meanwhile */
        uint64_t now = known + ahead;
        while (known < now && !atomic_compare_exchange_weak_explicit(&whole_time, &known, now, memory_order_acq_rel,
                                                                     memory_order_acquire)) {
        }
        return now;
    }
}

/* The thread's view of global time follows it. */
static void follow(struct root *root) {
    uint64_t now = read_time();
    if (now > root->global.time) stm_clock_advance(root, &root->global, now - root->global.time);
}

static int take_part(struct root *root) {
    if (atomic_load_explicit(&root->participant.status, memory_order_acquire) == ACTIVE) return STM_OK;
    return global_enter(&global, &root->participant) ? STM_OK : STM_NO_MEMORY;
}

int stm_global_join(void) {
    struct root *root = stm_root();
    return root != NULL ? take_part(root) : STM_NO_MEMORY;
}

int stm_global_leave(void) {
    if (stm_thread.root != NULL) global_exit(&global, &stm_thread.root->participant, OUTSIDE);
    return STM_OK;
}

int stm_global_block(void) {
    if (stm_thread.root != NULL) global_exit(&global, &stm_thread.root->participant, BLOCKED);
    return STM_OK;
}

int stm_global_resume(void) {
    struct root *root = stm_thread.root;
    if (root == NULL || atomic_load_explicit(&root->participant.status, memory_order_acquire) != BLOCKED) return STM_OK;
    return take_part(root);
}

int stm_global_tick(void) {
    struct root *root = stm_root();
    if (root == NULL) return STM_NO_MEMORY;
    while (!global_tick(&global, &root->participant)) {
        int error = take_part(root);
        if (error != STM_OK) return error;
    }
    root->ticks++;
    follow(root);
    stm_collect_at_tick(root);
    stm_mode_ticked(root, &root->global, 1);
    return STM_OK;
}

uint64_t stm_global_time(void) { return read_time(); }

/* The calling thread's root, as one that takes part and knows the time; NULL with the error in *error. */
static struct root *ready(const char *function, const void *target, unsigned extension, int *error) {
    *error = stm_date_check(function, target, extension);
    if (*error != STM_OK) return NULL;
    struct root *root = stm_root();
    *error = root != NULL ? take_part(root) : STM_NO_MEMORY;
    if (*error != STM_OK) return NULL;
    follow(root);
    return root;
}

/* One more than the extension: the current period may be nearly over (§2.6). */
static struct date date_in(struct root *root, unsigned extension, const char *function, const void *site) {
    return (struct date){.root = root,
                         .clock = &root->global,
                         .offset = (uint64_t)extension + 1,
                         .own = true,
                         .function = function,
                         .site = site,
                         .clock_name = "global time"};
}

int stm_global_refresh(void *object, unsigned extension) {
    int error;
    struct root *root = ready("stm_global_refresh", object, extension, &error);
    if (root == NULL) return error;
    struct date date = date_in(root, extension, "stm_global_refresh", tn_caller());
    return stm_date_give(&date, object);
}

int stm_global_region_refresh(stm_region *region, unsigned extension) {
    int error;
    struct root *root = ready("stm_global_region_refresh", region, extension, &error);
    if (root == NULL) return error;
    struct date date = date_in(root, extension, "stm_global_region_refresh", tn_caller());
    return stm_date_give_region(&date, region);
}

stm_participant *stm_global_self(void) {
    struct root *root = stm_thread.root;
    if (root == NULL || atomic_load_explicit(&root->participant.status, memory_order_acquire) == OUTSIDE) return NULL;
    return &root->participant;
}

int stm_global_declare_blocked(stm_participant *participant) {
    if (participant == NULL || !global_declare_blocked(&global, participant)) return STM_BAD_ARGUMENT;
    return STM_OK;
}

void stm_global_after_fork(struct root *root) {
    uint64_t word = atomic_load(&global.word);
    uint32_t active = 0;
    if (root != NULL) {
        active = atomic_load(&root->participant.status) == ACTIVE;
        root->participant.ticked = false;
    }
    atomic_store(&global.word, global_word(global_period_of(word), active, active));
}
