/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The core environment and the libraries of the report, which are lists of its names. */
#ifndef SCHEME_EXPAND_STANDARD_H
#define SCHEME_EXPAND_STANDARD_H

#include "../read/port.h"

// Binds the special forms and the primitives.
void fill_core(machine_t<`r> m);
// The library of that name, which it makes if it is one of the report's; #f if it is none.
val_t<`r> standard_library(machine_t<`r> m, val_t<`r> name);
// A file of source text; a relative name is taken from the directory of `beside`, if that is a string.
port_t<`r> open_source(machine_t<`r> m, struct String<`r> @`r name, val_t<`r> beside);

#endif
