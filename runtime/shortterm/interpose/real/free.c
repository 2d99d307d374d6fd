/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The real free where --wrap does not name it: the linker takes this file only then.
 */
#include <stdlib.h>

void __real_free(void *object);

void __real_free(void *object) { free(object); }
