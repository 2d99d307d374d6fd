/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/reserve.h"

#include "prim/lock.h"
#include "prim/space.h"

#define LEAST (UINT64_C(1) << 26)
#define ADDRESSES (UINT64_C(1) << 47)
/* The first unit is never handed out, so that no object is at the start of the reservation. */
#define FIRST TN_UNIT
/* Made accessible at a time: few calls, and little that a limit on memory counts in vain. */
#define STEP (UINT64_C(4) << 20)

struct tn_reserve tn_reserve;

static tn_lock lock = TN_LOCK_INITIALIZER;
static uintptr_t next;   /* not handed out yet */
static uintptr_t opened; /* not accessible yet; a multiple of STEP from the start */

bool tn_reserve_open(uint64_t most, uint64_t alignment) {
    if (tn_reserve.start != 0) return false;
    for (uint64_t size = most; size >= LEAST; size /= 2) {
        void *start = tn_space_reserve(size, alignment != 0 ? alignment : size, alignment != 0);
        if (start == NULL && alignment != 0) start = tn_space_reserve(size, alignment, false);
        if (start == NULL) continue;
        if ((uintptr_t)start + size > ADDRESSES) {
            (void)tn_space_unmap(start, size);
            continue;
        }
        tn_reserve = (struct tn_reserve){(uintptr_t)start, (uintptr_t)start + size};
        next = tn_reserve.start + FIRST;
        opened = tn_reserve.start;
        return true;
    }
    return false;
}

void tn_reserve_close(void) {
    (void)tn_space_unmap((void *)tn_reserve.start, tn_reserve.end - tn_reserve.start);
    tn_reserve = (struct tn_reserve){0, 0};
    next = opened = 0;
}

uintptr_t tn_reserve_take(size_t units) {
    uintptr_t got = 0;
    tn_lock_acquire(&lock);
    size_t left = (tn_reserve.end - next) >> TN_UNIT_SHIFT;
    if (units <= left) {
        uintptr_t end = next + (units << TN_UNIT_SHIFT);
        uintptr_t open_to = (end + STEP - 1) & ~(STEP - 1);
        if (end <= opened || tn_space_open((void *)opened, open_to - opened)) {
            if (open_to > opened) opened = open_to;
            got = next;
            __atomic_store_n(&next, end, __ATOMIC_RELEASE);
        }
    }
    tn_lock_release(&lock);
    return got;
}

uintptr_t tn_reserve_first(void) { return tn_reserve.start + FIRST; }

size_t tn_reserve_units(void) {
    uintptr_t now = __atomic_load_n(&next, __ATOMIC_ACQUIRE);
    return now == 0 ? 0 : (now - tn_reserve.start - FIRST) >> TN_UNIT_SHIFT;
}

bool tn_reserve_has(uintptr_t address) {
    return address >= tn_reserve.start + FIRST && address < __atomic_load_n(&next, __ATOMIC_ACQUIRE);
}

void tn_reserve_hold(void) { tn_lock_acquire(&lock); }
void tn_reserve_release(void) { tn_lock_release(&lock); }
void tn_reserve_renew(void) { tn_lock_renew(&lock); }
