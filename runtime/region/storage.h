/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Single objects from the program's source of storage, counted and poisoned as the options say. Thread safe; not
 * for signal handlers.
 */
#ifndef TENURE_REGION_STORAGE_H
#define TENURE_REGION_STORAGE_H

#include <stddef.h>

#include "region/statistics.h"

/* size bytes (at least one) aligned to align, a power of two; zero if `zeroed`. NULL if there is no memory. */
void *tn_storage_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed);

/* Gives back what tn_storage_take gave for the same kind. */
void tn_storage_give(enum tn_region_kind kind, void *storage);

/* Lets unique objects go to malloc and free directly if nothing but these has to be done. To be called while one thread
 * runs, when options have been read. */
void tn_storage_settle(void);

#endif
