/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The table of finalizers: entries of a function and its argument, found by the number in an object's header.
 */
#ifndef TENURE_SHORTTERM_FINALIZER_H
#define TENURE_SHORTTERM_FINALIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "shortterm/object.h"

/* Takes the entry off the object, gives it back and calls its function. True if the object is to be kept. */
bool stm_finalizer_run(struct header *header, uint32_t number);

/* Gives an entry back without a call, for an object that is freed. */
void stm_finalizer_drop(struct header *header);

#endif
