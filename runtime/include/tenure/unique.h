/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of the unique region `U: one malloc, one free, of the malloc that the program links. Thread safe: an
 * object may be freed by another thread than the one it was born in. Not for signal handlers.
 */
#ifndef TENURE_UNIQUE_H
#define TENURE_UNIQUE_H

#include "tenure/check.h"
#include "tenure/platform.h"

/* size bytes aligned to align, a power of two; indeterminate. Raises Bad_alloc. site may be NULL. */
TN_FRESH_STORAGE void *tn_unique_alloc(size_t size, size_t align, const struct tn_site *site);

/* As tn_unique_alloc, and all bytes are zero. */
TN_FRESH_STORAGE void *tn_unique_alloc_zero(size_t size, size_t align, const struct tn_site *site);

/* Frees what tn_unique_alloc or tn_unique_alloc_zero gave; NULL is left alone. */
void tn_unique_free(void *object);

#endif
