/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The heap `H: objects that live for ever, or until the collector finds them if one is linked.
 * Storage is that of the malloc which the program links, whichever it is. Thread safe.
 */
#ifndef TENURE_HEAP_H
#define TENURE_HEAP_H

#include "tenure/check.h"
#include "tenure/platform.h"

/* size zeroed bytes aligned to align, a power of two. Raises Bad_alloc. site may be NULL. */
TN_FRESH_STORAGE void *tn_heap_alloc(size_t size, size_t align, const struct tn_site *site);

/* `free` of a heap pointer: does nothing, because other pointers to it may be alive. */
TN_INLINE void tn_heap_free(void *p) { (void)p; }

#endif
