/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Mappings of freed large objects, with their frames, for the next ones: a program that takes and frees large buffers
 * has the kernel clear each frame once, not each time, whatever the buffers' sizes.
 *
 * Called by large.c alone, under its lock. Invariant: the mappings here are disjoint, no object lies in them, and
 * tt_pages_now.kept is the sum of their sizes, those that are stranded left out. Sizes are multiples of the system's
 * page.
 */
#ifndef TENURE_TOLERANT_MAPPING_CACHE_H
#define TENURE_TOLERANT_MAPPING_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping of at least *size bytes at a multiple of alignment (a power of two, at least the system's page), or NULL.
 * *size becomes what it has, which is more only where the rest can neither be kept nor be given back. Its contents are
 * what they were. *parts becomes how many of the system's mappings it may be. */
void *tt_mapping_cache_take(size_t *size, size_t alignment, uint16_t *parts);

/* Keeps a freed mapping, at the expense of others if need be; false if it is too large to be kept, or in too many
 * parts. */
bool tt_mapping_cache_keep(void *start, size_t size, uint16_t parts);

/* Keeps what the system would not take back; its frames are gone. False if there is no room: then nobody uses its
 * addresses again. */
bool tt_mapping_cache_strand(void *start, size_t size);

/* Gives back what was not used since the last call of this. */
void tt_mapping_cache_age(void);

/* Gives mappings back until at least so many bytes are given or none is left; the bytes. */
size_t tt_mapping_cache_give(size_t bytes);

#endif
