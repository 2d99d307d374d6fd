/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * eqv? and equal?. */
#ifndef SCHEME_LIBRARY_EQUAL_H
#define SCHEME_LIBRARY_EQUAL_H

#include "../heap/machine.h"

bool equivalent(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
bool equal_values(machine_t<`r> m, val_t<`r> a, val_t<`r> b);

#endif
