/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Libraries that a program opens with RTLD_DEEPBIND, as PHP does its modules, look for symbols among themselves before
 * they look where the malloc was preloaded, and find the C library's: what they free is ours, and what they allocate is
 * not. They are opened without it. Only in the library that is preloaded.
 */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/symbol.h"
#include "tolerant/bundled.h"
#include "tolerant/interface.h"

/* Where the C library has dlopen itself, it is found whatever the program is linked with. */
#if defined(RTLD_DEEPBIND) && defined(__GLIBC__) && !defined(TT_PREFIXED)
#if __GLIBC_PREREQ(2, 34)

TT_EXPORT void *dlopen(const char *file, int mode);

/* A jump, not a call: the C library's asks from where it was called, for that file's paths and namespace. */
void *dlopen(const char *file, int mode) {
    static _Atomic uintptr_t next;
    uintptr_t found = atomic_load_explicit(&next, memory_order_relaxed);
    if (found == 0) {
        found = tn_symbol_next("dlopen");
        atomic_store_explicit(&next, found, memory_order_relaxed);
    }
    return ((void *(*)(const char *, int))found)(file, tt_bundled() ? mode : mode & ~RTLD_DEEPBIND); /* NOLINT: a function's address */
}

#endif
#endif
