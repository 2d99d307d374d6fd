/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the files of primitives share. Each primitive is declared here by way of primitives.def. */
#ifndef SCHEME_LIBRARY_PRIMITIVES_H
#define SCHEME_LIBRARY_PRIMITIVES_H

#include "../heap/machine.h"
#include "../core/primitive.h"

#define PRIMITIVE(name) val_t<`r> name(machine_t<`r> m, vals_t<`r> args, int n)

#define P(text, least, most, function) PRIMITIVE(function);
#include "primitives.def"
#undef P

// Arguments of a wanted kind; they raise for others.
static inline long index_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.fixnum) || v.fixnum < 0) wrong_type(m, "an index", v);
  return v.fixnum;
}
static inline struct String<`r> @`r string_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.string)) wrong_type(m, "a string", v);
  return v.string;
}
static inline unsigned int character_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.character)) wrong_type(m, "a character", v);
  return (unsigned int)v.character;
}
static inline struct Pair<`r> @`r pair_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.pair)) wrong_type(m, "a pair", v);
  return v.pair;
}
static inline struct Slots<`r> @`r vector_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.vector)) wrong_type(m, "a vector", v);
  return v.vector;
}
static inline struct Bytes<`r> @`r bytes_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.bytevector)) wrong_type(m, "a bytevector", v);
  return v.bytevector;
}
static inline unsigned char byte_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.fixnum) || v.fixnum < 0 || v.fixnum > 255) wrong_type(m, "a byte", v);
  return (unsigned char)v.fixnum;
}
static inline struct Port<`r> @`r port_argument(machine_t<`r> m, val_t<`r> v) {
  if (!tagcheck(v.port)) wrong_type(m, "a port", v);
  return v.port;
}

// A range of a sequence of `size` elements: the arguments from `first` on are its start and end, if they are given.
struct Range { unsigned int from, to; };
static inline struct Range range_argument(machine_t<`r> m, vals_t<`r> args, int n, int first, unsigned long size) {
  long from = n > first ? index_argument(m, args[first]) : 0;
  long to = n > first + 1 ? index_argument(m, args[first + 1]) : (long)size;
  if (to > (long)size) fail1(m, "an index is out of range", fixnum(to));
  if (from > to) fail1(m, "an index is out of range", fixnum(from));
  return Range{(unsigned int)from, (unsigned int)to};
}

#endif
