/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Where the storage of every kind of region comes from: the malloc that the program links, or a collector. Whoever
 * links other definitions of all these functions before this archive (collector/collector.c) replaces the malloc's.
 * Thread safe; not for signal handlers.
 */
#ifndef TENURE_REGION_SOURCE_H
#define TENURE_REGION_SOURCE_H

#include <stddef.h>

#include "tenure/statistics.h"

/* size bytes (at least one) for an object of the kind, aligned to align, a power of two; zero if `zeroed`. NULL if
 * there is no memory. */
void *tn_source_take(enum tn_region_kind kind, size_t size, size_t align, int zeroed);

/* Gives back what tn_source_take gave. */
void tn_source_give(void *storage);

/* How many bytes were set aside for what tn_source_take returned. */
size_t tn_source_usable(void *storage);

/* size bytes for a page of an arena, aligned to 16; *zero says whether they are zero. NULL if there is no memory. */
void *tn_source_take_page(size_t size, int *zero);

/* Gives back what tn_source_take_page gave for the same size. */
void tn_source_give_page(void *page, size_t size);

/* Whether storage is malloc's and free's, and nothing else has to happen when it is taken and given back. */
int tn_source_is_malloc(void);

/* Whether every object is to be the heap's, left to the collector that the source is: never with malloc. */
int tn_source_is_heap_only(void);

/* All bytes that the source holds, whether in use or not; 0 if it cannot tell. */
size_t tn_source_footprint(void);

#endif
