/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Checks of what a program does to its objects, in a build of its own (TT_HARDENED), libtenure-tolerant-hardened.so.0:
 * in the other one they cost nothing. Each object has a tail at its slot's end, which says how long and by which
 * function it was allocated, and where:
 *
 *     object … size | filling | mark | place
 *
 * When it is freed, the mark and the filling must be what they were: an object that was written past its end is found,
 * by a single byte too. Who frees must belong to who allocated: free to malloc, delete to new, delete[] to new[]. The
 * mark of a freed slot says so; its first bytes are filled, and when the slot is handed out again they must be what
 * they were. A large object ends with a page that may not be touched.
 *
 * What is told is told as other misuse is (misuse.h), with both places. What is not told: writes farther away than the
 * filling, and into freed objects behind their first bytes, or whose page has been given back.
 */
#ifndef TENURE_TOLERANT_HARDEN_H
#define TENURE_TOLERANT_HARDEN_H

#include <stddef.h>
#include <stdint.h>

#include "tolerant/allocate.h"
#include "tolerant/object.h"

enum tt_kind { TT_KIND_MALLOC, TT_KIND_NEW, TT_KIND_NEW_ARRAY, TT_KIND_FREED };

#if defined(TT_HARDENED)

void *tt_harden_allocate(enum tt_kind kind, size_t alignment, size_t size, uintptr_t address, uintptr_t stack);
void tt_harden_release(enum tt_kind kind, void *object, uintptr_t address);
/* The bytes that the program asked for; 0 if no live object starts there. */
size_t tt_harden_size(void *object);
/* Makes the object one of so many bytes where it is; false if its slot has not as many. */
bool tt_harden_resize(void *object, size_t size, uintptr_t address);
/* Slots of a page that begins were never freed. */
void tt_harden_page(unsigned char *start, size_t size, unsigned slots);
void tt_harden_start(void);

#define TT_ALLOCATE(kind, size, address, stack) tt_harden_allocate(kind, 0, size, address, stack)
#define TT_ALLOCATE_ALIGNED(kind, alignment, size, address, stack) tt_harden_allocate(kind, alignment, size, address, stack)
#define TT_RELEASE(kind, object, address) tt_harden_release(kind, object, address)

#else

#define TT_ALLOCATE(kind, size, address, stack) tt_allocate(size, address, stack)
#define TT_ALLOCATE_ALIGNED(kind, alignment, size, address, stack) tt_allocate_aligned(alignment, size, address, stack)
#define TT_RELEASE(kind, object, address) tt_release(object, address)

#endif
#endif
