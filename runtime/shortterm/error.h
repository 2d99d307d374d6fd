/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Errors on their way to the program's handler.
 */
#ifndef TENURE_SHORTTERM_ERROR_H
#define TENURE_SHORTTERM_ERROR_H

#include "tenure/platform.h"
#include "tenure/shortterm.h"

/* Calls the handler, and returns the error. The text is formatted as printf does. */
TN_OUTLINE int stm_error_report(enum stm_error error, const char *function, const void *pointer, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What is wrong with a pointer whose header has no tag: it is no object, or an expired one. */
TN_OUTLINE int stm_error_pointer(const char *function, const void *pointer, uint64_t shared);

#endif
