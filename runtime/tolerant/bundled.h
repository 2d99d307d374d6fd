/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs that bring a malloc of their own, such as a jemalloc that is linked into them: the dynamic linker takes the
 * program's functions before the preloaded ones, and of ours those that the program has not. What would be ours then,
 * such as C++'s operators, goes to the program's malloc, as it would without us.
 */
#ifndef TENURE_TOLERANT_BUNDLED_H
#define TENURE_TOLERANT_BUNDLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address that the compiler does not know: two functions of different names may be one. */
static inline uintptr_t tt_address_of(uintptr_t function) {
    __asm__("" : "+r"(function));
    return function;
}
#define TT_IS(function, other) (tt_address_of((uintptr_t)(function)) == (uintptr_t)(other))

#if defined(TT_PREFIXED)
static inline bool tt_bundled(void) { return false; }
#else
extern void *malloc(size_t size);
extern void *tt_own_malloc(size_t size) __attribute__((visibility("hidden")));
/* Whether what stands for malloc, which is not our function's own address, is another's function. */
bool tt_bundled_another(void);
/* Whether malloc is another's. */
static inline bool tt_bundled(void) { return !TT_IS(malloc, tt_own_malloc) && tt_bundled_another(); }
#endif

/* Memory of the program's malloc; with an alignment, of what it or the C library has for that. */
void *tt_bundled_allocate(size_t size);
void *tt_bundled_allocate_aligned(size_t alignment, size_t size);

/* Gives an object that is none of ours to the program's free; false if there is none. */
bool tt_bundled_free(void *object);

/* Says so on standard error. */
void tt_bundled_say(void);

#endif
