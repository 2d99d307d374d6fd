/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The reader: the next datum of a port. */
#ifndef SCHEME_READ_READER_H
#define SCHEME_READ_READER_H

#include "port.h"

// The next datum, or the end-of-file object. The first pair of each list tells its place if `located`.
val_t<`r> read_datum(machine_t<`r> m, port_t<`r> p, bool located);

#endif
