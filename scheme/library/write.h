/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The printer. */
#ifndef SCHEME_LIBRARY_WRITE_H
#define SCHEME_LIBRARY_WRITE_H

#include "../read/port.h"

enum Write_mode { Display_w, Write_w, Write_shared_w, Write_simple_w };
void write_value(machine_t<`r> m, port_t<`r> p, val_t<`r> v, enum Write_mode mode);

#endif
