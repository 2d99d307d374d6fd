/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Address space for allocators: aligned reservations, growing a mapping, giving frames back, advice. Every function
 * is thread safe, leaves errno as it was, and allocates nothing.
 */
#ifndef TENURE_PRIM_SPACE_H
#define TENURE_PRIM_SPACE_H

#include <stdbool.h>
#include <stddef.h>

/* The system's page size in bytes. */
size_t tn_space_page_size(void);

/* size bytes at a multiple of alignment (a power of two), zero, readable and writable, with no frame behind them
 * until touched; NULL if the system refuses. size and alignment are multiples of the system's page size. */
void *tn_space_map(size_t size, size_t alignment);

/* As tn_space_map, for a process whose address space is limited: needs only about size bytes of it, and tries some
 * places. */
void *tn_space_map_sparse(size_t size, size_t alignment);

/* As the two above, address space only, to be opened from its start on, so that the kernel has no reason to put a huge
 * page where a few small ones are used. */
void *tn_space_reserve(size_t size, size_t alignment, bool sparse);

/* As tn_space_reserve; first just below `below`, which is one system call where that is free. */
void *tn_space_reserve_below(const void *below, size_t size, size_t alignment);

/* Makes reserved space readable and writable; false if the system refuses. */
bool tn_space_open(void *start, size_t size);

/* Makes whole pages such that no access is allowed; false if the system refuses. tn_space_open undoes it. */
bool tn_space_close(void *start, size_t size);

/* No huge pages in the range, of which little is used here and there. */
void tn_space_keep_small(void *start, size_t size);

/* Gives back part or all of what tn_space_map gave. False if the address space could not be given back, only the
 * frames. */
bool tn_space_unmap(void *start, size_t size);

/* Makes a whole mapping new_size bytes long, moving it if `move` and need be; NULL leaves it as it was. */
void *tn_space_resize(void *start, size_t old_size, size_t new_size, bool move);

/* Moves memory, frames and all, to where other memory is mapped, which goes; that which it came from is no longer
 * mapped. Both are whole pages. False if the system refuses: of more than one of its mappings some may have been moved,
 * and parts of both ranges be unmapped (tn_space_renew); of one nothing was done. */
bool tn_space_move(void *start, size_t size, void *to);

/* Maps a range of ours anew, zero and readable and writable, whatever of it is mapped; false if the system refuses. */
bool tn_space_renew(void *start, size_t size);

/* Frees the frames of the system's pages that lie wholly in the range; what is read there next is zero. False if the
 * system refuses, as for memory that is locked: then the range is as it was. */
bool tn_space_discard(void *start, size_t size);

/* Puts frames behind the range, in one call instead of a fault for each. Nothing happens where that is not known. */
void tn_space_populate(void *start, size_t size);

/* Tells the system that the range will not be used soon (deactivates its frames). False where that is not known. */
bool tn_space_cold(void *start, size_t size);

/* Asks the system to write the range's frames to swap now. False where that is not known. */
bool tn_space_page_out(void *start, size_t size);

/* Makes the range a mapping of its own, apart from neighbours that are not of that part, so that the kernel keeps
 * counts for it. Splits mappings: at most two more. False if the kernel refuses. There is no way back to plain. */
enum tn_space_part { TN_SPACE_PLAIN, TN_SPACE_PART, TN_SPACE_OTHER_PART };
bool tn_space_part(void *start, size_t size, enum tn_space_part part);

#endif
