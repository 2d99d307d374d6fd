/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * malloc and its kin for programs that are linked with -Wl,--wrap=malloc and so on: the calls of the program's own
 * objects and static libraries come here. What shared libraries allocate by themselves is the allocator's below, and is
 * told apart when freed here.
 *
 * In a static link libc's own calls come here too, from before main and before any constructor, and so would the
 * library's: the allocator below is therefore linked in, as data. A shared library has its own, which is libc's; the
 * constructor sets it as well. Of the functions that the program does not wrap, interpose/real/ has what stands for the
 * real one.
 */
#include <errno.h>
#include <stddef.h>

#include "shortterm/scope.h"
#include "tenure/platform.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *object, size_t size);
void __real_free(void *object);
size_t __real_malloc_usable_size(void *object);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *object, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **result, size_t alignment, size_t size);
void __wrap_free(void *object);

size_t __wrap_malloc_usable_size(void *object);

struct stm_allocator stm_below = {__real_malloc, __real_calloc, __real_realloc, __real_free, __real_malloc_usable_size};

TN_AT_START static void interpose(void) {
    static const struct stm_allocator below = {__real_malloc, __real_calloc, __real_realloc, __real_free, __real_malloc_usable_size};
    stm_scope_interpose(&below, NULL);
}

void *__wrap_malloc(size_t size) { return stm_scope_malloc(size, tn_caller()); }
void *__wrap_calloc(size_t count, size_t size) { return stm_scope_calloc(count, size, tn_caller()); }
void *__wrap_realloc(void *object, size_t size) { return stm_scope_realloc(object, size, tn_caller()); }
void __wrap_free(void *object) { stm_scope_free(object); }
size_t __wrap_malloc_usable_size(void *object) { return stm_scope_usable_size(object); }

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return stm_scope_memalign(alignment, size, tn_caller());
}

int __wrap_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *object = stm_scope_memalign(alignment, size, tn_caller());
    if (object == NULL) return ENOMEM;
    *result = object;
    return 0;
}
