/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The real calloc where --wrap does not name it: the linker takes this file only then.
 */
#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);

void *__real_calloc(size_t count, size_t size) { return calloc(count, size); }
