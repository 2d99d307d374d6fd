/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The real realloc where --wrap does not name it: the linker takes this file only then.
 */
#include <stdlib.h>

void *__real_realloc(void *object, size_t size);

void *__real_realloc(void *object, size_t size) { return realloc(object, size); }
