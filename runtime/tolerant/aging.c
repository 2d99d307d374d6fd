/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/aging.h"

/* Most programs never have more runs: they are all watched. */
#define TARGET_FIRST 1024
#define STEP_LEAST 8
#define GROW_PART 32
#define SHRINK_PART 8

struct tt_aging tt_aging_now = {.target = TARGET_FIRST};

static uint32_t step(struct tt_aging aging, uint32_t part) {
    uint32_t least = aging.active < aging.inactive ? aging.active : aging.inactive;
    return least / part > STEP_LEAST ? least / part : STEP_LEAST;
}

uint32_t tt_aging_adapt(struct tt_aging aging, uint64_t spent, uint64_t elapsed, uint64_t share) {
    if (spent * 2000 > 3 * share * elapsed) {
        uint32_t less = step(aging, SHRINK_PART);
        return aging.target > less ? aging.target - less : 0;
    }
    /* A target that is not reached says nothing about a larger one. */
    if (spent * 2000 < share * elapsed && aging.inactive >= aging.target) return aging.target + step(aging, GROW_PART);
    return aging.target;
}

bool tt_aging_take_use(bool cold) {
    struct tt_aging *now = &tt_aging_now;
    if (cold && now->cold > 0) {
        now->cold--;
        now->inactive++;
    }
    if (now->inactive == 0 || (now->active == 0 && now->inactive <= now->target)) return false;
    now->inactive--;
    now->active++;
    return true;
}

uint64_t tt_aging_pause(uint64_t spent, uint64_t share) { return share >= 1000 ? 0 : spent * 1000 / share; }
