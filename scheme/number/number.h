/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Numbers: fixnums, bignums, rationals, flonums. Each function takes any two numbers and raises for what is none. */
#ifndef SCHEME_NUMBER_NUMBER_H
#define SCHEME_NUMBER_NUMBER_H

#include "../heap/machine.h"

enum Comparison { Less_than, Equal_to, Greater_than, Unordered };

bool is_number(val_t<`r> v);
bool is_exact(val_t<`r> v);
bool is_exact_integer(val_t<`r> v);
val_t<`r> add(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> subtract(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> multiply(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> divide(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
enum Comparison compare(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
bool numbers_equivalent(machine_t<`r> m, val_t<`r> a, val_t<`r> b); // eqv?
double to_double(machine_t<`r> m, val_t<`r> v);
val_t<`r> to_exact(machine_t<`r> m, val_t<`r> v);

// The number that a text is in the given radix, or #f.
val_t<`r> parse_number(machine_t<`r> m, struct String<`r> @`r s, int radix);
struct String<`r> @`r number_text(machine_t<`r> m, val_t<`r> v, int radix);

#endif
