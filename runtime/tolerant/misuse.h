/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a program did that no malloc can serve: said on standard error, with the places, and the process ends by
 * SIGABRT.
 */
#ifndef TENURE_TOLERANT_MISUSE_H
#define TENURE_TOLERANT_MISUSE_H

#include <stdint.h>

#include "tenure/platform.h"

enum tt_misuse {
    TT_MISUSE_DOUBLE_FREE,
    TT_MISUSE_INVALID_FREE,
    TT_MISUSE_FOREIGN_FREE,
    /* What harden.h finds. */
    TT_MISUSE_OVERFLOW,
    TT_MISUSE_WRITE_AFTER_FREE,
    TT_MISUSE_MISMATCH,
    TT_MISUSE_GUARD
};

/* address: where the faulty call returns to. Allocates nothing. */
TN_RAISER void tt_misuse(enum tt_misuse misuse, const void *object, uintptr_t address);

/* The same of what has another place: where the object was allocated, or before that freed. */
TN_RAISER void tt_misuse_at(enum tt_misuse misuse, const void *object, uintptr_t address, uintptr_t place);

/* Notes, in a table that forgets, that the object was freed by a call that returns to the address. */
void tt_misuse_note(const void *object, uintptr_t address);

#endif
