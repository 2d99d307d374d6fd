/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Exact integers: fixnums and bignums. The functions take any two of them; those that divide raise for zero. */
#ifndef SCHEME_NUMBER_INTEGER_H
#define SCHEME_NUMBER_INTEGER_H

#include "../heap/machine.h"

val_t<`r> integer_add(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> integer_subtract(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> integer_multiply(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
// Truncating, as C does. `rest` gets the remainder, which has the sign of a.
val_t<`r> integer_divide(machine_t<`r> m, val_t<`r> a, val_t<`r> b, val_t<`r> @rest);
int integer_compare(val_t<`r> a, val_t<`r> b);
val_t<`r> integer_negate(machine_t<`r> m, val_t<`r> a);
val_t<`r> integer_gcd(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
int integer_sign(val_t<`r> a);
bool integer_is_odd(val_t<`r> a);
double integer_to_double(machine_t<`r> m, val_t<`r> a);
val_t<`r> integer_of_double(machine_t<`r> m, double x);   // which is an integer
val_t<`r> integer_shift(machine_t<`r> m, val_t<`r> a, long bits);
unsigned long integer_bits(val_t<`r> a);                  // of the magnitude
struct String<`r> @`r integer_text(machine_t<`r> m, val_t<`r> a, int radix);
// a * k + d, for reading: k and d are small and not negative.
val_t<`r> integer_scale(machine_t<`r> m, val_t<`r> a, unsigned int k, unsigned int d);

// On all numbers that are integers, also inexact ones.
val_t<`r> quotient(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> remainder_of(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> modulo(machine_t<`r> m, val_t<`r> a, val_t<`r> b);
val_t<`r> floor_quotient(machine_t<`r> m, val_t<`r> a, val_t<`r> b);

#endif
