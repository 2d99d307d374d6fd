/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The copying collector: everything that the machine in `r reaches is copied into the region that follows. */
#ifndef SCHEME_HEAP_COLLECT_H
#define SCHEME_HEAP_COLLECT_H

#include "machine.h"

// A copy of the machine and of what it reaches. The old one is left with forwarding pointers in it: all that can be
// done with it is to free its region.
struct Machine<next_rgn<`r>> @@region(next_rgn<`r>)
copy_machine(region_t<next_rgn<`r>> to, machine_t<`r> m; {`r, next_rgn<`r>});

#endif
