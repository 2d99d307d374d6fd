/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_TOLERANT_OBJECT_H
#define TENURE_TOLERANT_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "tenure/platform.h"

/* The usable bytes of the live object that starts there; 0 if none does. */
size_t tt_object_size(void *object);

/* The same of what is known to be a live object, which is not looked at. */
size_t tt_live_size(void *object);

/* Allocation at a multiple of alignment, a power of two or 0; the context as in tt_allocate. */
void *tt_allocate_aligned(size_t alignment, size_t size, uintptr_t address, uintptr_t stack);

/* Says what is wrong with an address of which tt_object_size is 0. */
TN_RAISER void tt_misuse_of(void *object, uintptr_t address);

#endif
