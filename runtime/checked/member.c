/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/member.h"

#include <stddef.h>

#include "prim/lock.h"
#include "tenure/checked_inline.h"

uint32_t tn_checked_polling;

static tn_lock lock = TN_LOCK_INITIALIZER; /* who joins and parts */
static struct tn_member *first;
static uint64_t epoch = 1;

struct tn_member *tn_members(void) { return __atomic_load_n(&first, __ATOMIC_ACQUIRE); }

struct tn_member *tn_members_join(struct tn_member *(*make)(void), bool many, bool *busy) {
    tn_lock_acquire(&lock);
    struct tn_member *found = NULL;
    *busy = false;
    for (struct tn_member *m = first; m != NULL; m = m->next) {
        if (__atomic_load_n(&m->idle, __ATOMIC_RELAXED))
            found = m;
        else if (!many)
            *busy = true;
    }
    if (*busy) {
        found = NULL;
    } else if (found == NULL) {
        found = make();
        if (found != NULL) {
            found->seen = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST);
            found->next = first;
            __atomic_store_n(&first, found, __ATOMIC_SEQ_CST);
        }
    }
    if (found != NULL) {
        __atomic_store_n(&found->away, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&found->idle, false, __ATOMIC_SEQ_CST);
        tn_member_enter(found);
    }
    tn_lock_release(&lock);
    return found;
}

void tn_members_part(struct tn_member *member) {
    tn_lock_acquire(&lock);
    __atomic_store_n(&member->idle, true, __ATOMIC_RELEASE);
    tn_lock_release(&lock);
}

void tn_members_clear(void) {
    first = NULL;
    tn_checked_polling = 0;
}

uint64_t tn_epoch_begin(void) {
    uint64_t now = __atomic_add_fetch(&epoch, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&tn_checked_polling, 1, __ATOMIC_RELAXED);
    return now;
}

bool tn_epoch_reached(uint64_t wanted) {
    for (struct tn_member *m = tn_members(); m != NULL; m = m->next) {
        if (__atomic_load_n(&m->idle, __ATOMIC_SEQ_CST) || __atomic_load_n(&m->away, __ATOMIC_SEQ_CST) != 0) continue;
        if (__atomic_load_n(&m->seen, __ATOMIC_ACQUIRE) >= wanted) continue;
        __atomic_store_n(&tn_checked_polling, 1, __ATOMIC_RELAXED);
        return false;
    }
    return true;
}

void tn_member_poll(struct tn_member *self) {
    uint64_t now = __atomic_load_n(&epoch, __ATOMIC_SEQ_CST);
    __atomic_store_n(&self->seen, now, __ATOMIC_RELEASE);
    /* An epoch that begins just here may find nobody asked; who waits for it asks again. */
    if (tn_epoch_reached(now)) __atomic_store_n(&tn_checked_polling, 0, __ATOMIC_RELAXED);
}

void tn_member_leave(struct tn_member *self) {
    uint32_t away = __atomic_load_n(&self->away, __ATOMIC_RELAXED);
    __atomic_store_n(&self->away, away + 1, __ATOMIC_RELEASE);
}

/* Both sides change the epoch's word after their own and before they read the other's: whichever comes second there
 * sees what the first one did, who waits that this member is back, or this member that the object is gone. */
void tn_member_enter(struct tn_member *self) {
    uint32_t away = __atomic_load_n(&self->away, __ATOMIC_RELAXED);
    __atomic_store_n(&self->away, away - 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&self->seen, __atomic_fetch_add(&epoch, 0, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
}

void tn_members_hold(void) { tn_lock_acquire(&lock); }
void tn_members_release(void) { tn_lock_release(&lock); }
void tn_members_renew(const struct tn_member *self) {
    for (struct tn_member *m = first; m != NULL; m = m->next)
        if (m != self) m->idle = true;
    tn_lock_renew(&lock);
}
