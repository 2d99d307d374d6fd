/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The threads that use the checked heap, and when what one of them did is past for all others (quiescent-state-based
 * reclamation, McKenney 1998).
 *
 * An epoch begins when a thread asks for one. A member has seen it once it polls afterwards: then it holds no address
 * that a touch gave before the epoch began. A member that is away holds none at all. What was deleted before an epoch
 * that all members have seen is nobody's any more.
 */
#ifndef TENURE_CHECKED_MEMBER_H
#define TENURE_CHECKED_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The beginning of each form's own record of a thread. Records live until the heap is closed; one whose thread has
 * ended is idle, with all that it has, until another thread takes it. */
struct tn_member {
    struct tn_member *next;
    uint64_t seen; /* the newest epoch whose beginning is before this member's last poll */
    uint32_t away; /* how often it left without coming back */
    bool idle;
};

/* The members, newest first; grows at its head alone. */
struct tn_member *tn_members(void);

/* Adds a member, or takes an idle one: NULL from `make` says there is no memory, then the result is NULL. Only one
 * thread at a time unless `many`; then the result is NULL and *busy set. Thread safe. */
struct tn_member *tn_members_join(struct tn_member *(*make)(void), bool many, bool *busy);
void tn_members_part(struct tn_member *member);

/* Forgets all; their memory is the caller's. */
void tn_members_clear(void);

/* Begins an epoch, and returns it. */
uint64_t tn_epoch_begin(void);

/* Whether all members but those that are away or idle have seen it. What they did before is visible to the caller then.
 * Asks them to poll if not. */
bool tn_epoch_reached(uint64_t epoch);

/* The calling member has no address now. */
void tn_member_poll(struct tn_member *self);
void tn_member_leave(struct tn_member *self);
void tn_member_enter(struct tn_member *self);

/* For fork: in the child all other members are idle. */
void tn_members_hold(void);
void tn_members_release(void);
void tn_members_renew(const struct tn_member *self);

#endif
