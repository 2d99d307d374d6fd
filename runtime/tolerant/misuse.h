/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a program did that no malloc can serve: said on standard error, with the places, and the process ends by SIGABRT.
 */
#ifndef TENURE_TOLERANT_MISUSE_H
#define TENURE_TOLERANT_MISUSE_H

#include <stdint.h>

#include "tenure/platform.h"

enum tt_misuse { TT_MISUSE_DOUBLE_FREE, TT_MISUSE_INVALID_FREE, TT_MISUSE_FOREIGN_FREE };

/* address: where the faulty call returns to. Allocates nothing. */
TN_RAISER void tt_misuse(enum tt_misuse misuse, const void *object, uintptr_t address);

/* Notes, in a table that forgets, that the object was freed by a call that returns to the address. */
void tt_misuse_note(const void *object, uintptr_t address);

#endif
