/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Opening the tagged form, its threads, and deleted objects that wait for them.
 */
#ifndef TENURE_CHECKED_TAGGED_TAGGED_H
#define TENURE_CHECKED_TAGGED_TAGGED_H

#include "checked/tagged/span.h"

/* The calling thread's heap, attached now if it was not, with the whole heap opened if it was not. NULL if there is no
 * memory; *refused if the thread may not join. */
struct tn_heap *tn_heap_mine(bool *refused);

/* Opens the heap for the process. 0, EALREADY or ENOMEM. */
int tn_heap_open(bool threads, bool remember, size_t limit, size_t mark);

/* The object with this header, which has the free bit since now and no pins, is past its life: its slot is released
 * when no other thread can have its address. */
void tn_heap_bury(struct tn_heap *heap, uint64_t header_at);

/* Does what is due: releases what waited long enough. The calling thread has no address that a touch gave. */
void tn_heap_settle(struct tn_heap *heap);

/* The slot at this header, or large object with its header there, has no object and no thread has its address. */
void tn_object_release(struct tn_heap *heap, uint64_t header_at);

/* The last step before a slot's memory is used again, by its header; the two above end here. */
bool tn_header_is_large(uint64_t header_at);

/* The reference to the first byte of the object, alive or gone, that the reference is to. */
uint64_t tn_tagged_base(const void *ref);

/* The table of pins: forgets all; and for fork. */
void tn_pins_clear(void);
void tn_pins_hold(void);
void tn_pins_release(void);
void tn_pins_renew(void);

#endif
