/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Variables of the environment, read without allocating and before the program's constructors have run. A program with
 * raised privileges reads none.
 */
#ifndef TENURE_PRIM_ENVIRONMENT_H
#define TENURE_PRIM_ENVIRONMENT_H

#include <stdint.h>

/* The variable's value; NULL if it is not set, is empty, or privileges are raised. */
const char *tn_environment(const char *name);

/* The number that the variable is, possibly with K, M or G (powers of 1024), moved into the range; `initial` if it is
 * not set or is no number. */
int64_t tn_environment_number(const char *name, int64_t initial, int64_t least, int64_t most);

#endif
