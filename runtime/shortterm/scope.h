/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What stands in for malloc and its kin where they are directed to this library. Exported, as what directs them may be
 * linked into the program while the library is a shared one (interpose/wrap.c); no interface for anything else.
 */
#ifndef TENURE_SHORTTERM_SCOPE_H
#define TENURE_SHORTTERM_SCOPE_H

#include <stddef.h>
#include <stdint.h>

#include "shortterm/object.h"

/* Code of the C library, [low, high), is directed to the interposer: what it allocates is left out of scopes. */
void stm_scope_leave_out(uintptr_t low, uintptr_t high);

/* To be called by an interposer before its first other call: the allocator that it stands in for, and what is to be
 * called when the program first uses the library, or NULL. */
STM_API void stm_scope_interpose(const struct stm_allocator *below, void (*at_first_use)(void));

/* As malloc, calloc, memalign, realloc, free and malloc_usable_size, for any thread, in a scope or not; caller is the
 * address of the call. free and realloc take objects of the allocator below too. alignment is a power of two. */
STM_API void *stm_scope_malloc(size_t size, const void *caller);
STM_API void *stm_scope_calloc(size_t count, size_t size, const void *caller);
STM_API void *stm_scope_memalign(size_t alignment, size_t size, const void *caller);
STM_API void *stm_scope_realloc(void *object, size_t size, const void *caller);
STM_API void stm_scope_free(void *object);
STM_API size_t stm_scope_usable_size(void *object);

#endif
