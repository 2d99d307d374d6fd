/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_TOLERANT_CHANGE_H
#define TENURE_TOLERANT_CHANGE_H

#include <stdbool.h>

/* Whether the library's functions see what the program has the kernel do: not if it has such functions of its own. */
bool tt_change_is_seen(void);

#endif
