/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The real malloc where --wrap does not name it: the linker takes this file only then.
 */
#include <stdlib.h>

void *__real_malloc(size_t size);

void *__real_malloc(size_t size) { return malloc(size); }
