/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The compiler: core to instructions. */
#ifndef SCHEME_CORE_COMPILE_H
#define SCHEME_CORE_COMPILE_H

#include "node.h"

// The closure of a lambda that has no parameters and captures nothing.
struct Closure<`r> @`r compile_program(region_t<`t> t, machine_t<`r> m, lambda_t<`t, `r> l, val_t<`r> file);

#endif
