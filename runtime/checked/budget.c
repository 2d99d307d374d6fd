/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/budget.h"

#include "prim/lock.h"
#include "tenure/checked.h"

struct tn_budget tn_budget;

static tn_lock lock = TN_LOCK_INITIALIZER;
static void (*pressure_call)(const struct tnc_pressure *pressure, void *context);
static void *pressure_context;
static bool told; /* the function ran, and the heap has not been below the mark since */

void tn_budget_open(size_t limit, size_t mark) {
    tn_budget = (struct tn_budget){0, 0, limit, mark != 0 ? mark : limit / 8 * 7};
    told = false;
}

bool tn_budget_take(size_t size) {
    size_t now = __atomic_add_fetch(&tn_budget.taken, size, __ATOMIC_RELAXED);
    if (tn_budget.limit != 0 && now > tn_budget.limit) {
        tn_budget_give(size);
        return false;
    }
    size_t peak = __atomic_load_n(&tn_budget.peak, __ATOMIC_RELAXED);
    while (now > peak &&
           !__atomic_compare_exchange_n(&tn_budget.peak, &peak, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    if (tn_budget.mark != 0 && now > tn_budget.mark) __atomic_store_n(&tn_checked_polling, 1, __ATOMIC_RELAXED);
    return true;
}

void tn_budget_give(size_t size) { (void)__atomic_sub_fetch(&tn_budget.taken, size, __ATOMIC_RELAXED); }

void tn_budget_poll(void) {
    if (tn_budget.mark == 0) return;
    struct tnc_pressure pressure = {__atomic_load_n(&tn_budget.taken, __ATOMIC_RELAXED), tn_budget.mark};
    tn_lock_acquire(&lock);
    bool above = pressure.taken > pressure.mark;
    bool tell = above && !told && pressure_call != NULL;
    void (*call)(const struct tnc_pressure *, void *) = pressure_call;
    void *context = pressure_context;
    told = above;
    tn_lock_release(&lock);
    if (tell) call(&pressure, context);
}

void tnc_on_pressure(void (*call)(const struct tnc_pressure *pressure, void *context), void *context) {
    tn_lock_acquire(&lock);
    pressure_call = call;
    pressure_context = context;
    tn_lock_release(&lock);
}
