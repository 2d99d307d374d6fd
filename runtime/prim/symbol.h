/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the dynamic linker knows about an address.
 */
#ifndef TENURE_PRIM_SYMBOL_H
#define TENURE_PRIM_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct tn_symbol {
    const char *name; /* the exported function before it; NULL if none is known */
    const char *file; /* the program or library */
    uintptr_t offset; /* in the file's image */
};

/* False if the address lies in no file that is loaded. Allocates nothing; not for signal handlers. */
bool tn_symbol_at(uintptr_t address, struct tn_symbol *symbol);

/* The function of that name that the dynamic linker finds after the caller's file; 0 if there is none. */
uintptr_t tn_symbol_next(const char *name);

#endif
