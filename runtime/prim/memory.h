/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Address space from the operating system. Thread safe and signal safe.
 */
#ifndef TENURE_PRIM_MEMORY_H
#define TENURE_PRIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* size bytes, rounded up by the system to its pages, zero, readable and writable; NULL if the system refuses. */
void *tn_os_map(size_t size);

/* Gives back what tn_os_map gave, or a part of it. A failure leaves the range mapped and is harmless. */
void tn_os_unmap(void *start, size_t size);

/* size bytes of address space without memory behind it, not accessible; NULL if the system refuses. */
void *tn_os_reserve(size_t size);

/* As tn_os_map, for a table of which only a small part will be touched. */
void *tn_os_map_sparse(size_t size);

/* Makes whole pages of a reserved range readable and writable, and zero; or gives their memory back and makes them
 * inaccessible. False if the system refuses, as it does beyond its limit of mappings; the pages are then as they were,
 * or zero. */
bool tn_os_open(void *start, size_t size);
bool tn_os_close(void *start, size_t size);

/* How many mappings the system lets a process have; SIZE_MAX if it does not say. Each change of protection in the
 * middle of a range adds to their number. */
size_t tn_os_mapping_limit(void);

/* How many bytes malloc, calloc or aligned_alloc, whichever are linked, set aside for what they returned. Not signal
 * safe. */
size_t tn_os_usable_size(void *storage);

/* Ends the process at once with the status, running no exit handler. Signal safe. */
_Noreturn void tn_os_exit_now(int status);

/* Writes all of text[0 … size-1] on standard error, as far as that goes. Signal safe. */
void tn_os_write_error(const char *text, size_t size);

#endif
