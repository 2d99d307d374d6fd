/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The real malloc_usable_size where --wrap does not name it: the linker takes this file only then.
 */
#include <malloc.h>

size_t __real_malloc_usable_size(void *object);

size_t __real_malloc_usable_size(void *object) { return malloc_usable_size(object); }
