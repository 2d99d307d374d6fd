/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_TOLERATE_TYPES_H
#define TENURE_TOLERATE_TYPES_H

#if defined(TT_WITH_LIBDW)
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* How many bytes an object has at least that the function may return to its caller, who is to free it; 0 if its type
 * says that it returns none. */
uint64_t type_given(Dwarf_Die *function);
#endif

#endif
