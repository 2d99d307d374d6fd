/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Primitives: procedures that are written in the language of the system. The table is the concatenation of the
 * groups. */
#ifndef SCHEME_CORE_PRIMITIVE_H
#define SCHEME_CORE_PRIMITIVE_H

#include "../heap/machine.h"

// Gets n arguments, args[0] to args[n-1], as many as `least` and `most` allow.
struct Primitive {
  const char *name;
  int least, most;                             // most is -1 if there is no limit
  val_t<`r> (@run)<`r::R>(machine_t<`r> m, vals_t<`r> args, int n);
};

const struct Primitive @primitive(int index);
int primitive_count(void);
// The index of a primitive that the compiler or the expander relies on.
int primitive_named(const char ?name);

// Those that change what runs next; the machine does their work itself.
enum Control { Apply_k, Call_cc_k, Throw_k, Apply_values_k, Controls };

#endif
