/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the kernel says about the process's own mappings. Allocates nothing.
 */
#ifndef TENURE_PRIM_MAPPINGS_H
#define TENURE_PRIM_MAPPINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tn_mapping {
    uintptr_t start, end;
    size_t resident, referenced, swapped; /* bytes */
    bool file;    /* with a file behind it, shared or private */
    bool frames;  /* which is of prim/frames.h */
    bool special; /* locked, protected, kept from children or from dumps, or watched by someone else */
};

/* Calls each for every mapping, in order of addresses; false if the kernel does not tell. What changes meanwhile may
 * be told before or after the change. Uses `buffer` for the text, at least 4096 bytes. */
bool tn_mappings_each(char *buffer, size_t size, void (*each)(const struct tn_mapping *mapping, void *context),
                      void *context);

/* Clears the referenced bits of all pages of the process, and leaves the pages where they are in the kernel's order of
 * eviction. False if the kernel does not let it. */
bool tn_mappings_forget_references(void);

/* How many mappings a process may have. */
size_t tn_mappings_most(void);

#endif
