/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Exceptions of the library that say what was wanted: an argument that is too short, and of which function.
 */
#include "tenure/check.h"

#include <string.h>

void tnc_too_short(size_t need, size_t have, const char *function, const char *header);

/* Whether the program called the function, or its form for zero-terminated buffers. */
static int is_of(const char *callee, const char *function) {
    size_t n = strlen(function);
    return strncmp(callee, function, n) == 0 && (callee[n] == 0 || strcmp(callee + n, "_z") == 0);
}

/* Raises Array_bounds at the program's call, if the program called the function itself: of <header>, it needed `need`
 * elements where `have` are. */
void tnc_too_short(size_t need, size_t have, const char *function, const char *header) {
    if (tn_caller.site != NULL && is_of(tn_caller.callee, function)) tn_raise_numelts(tn_caller.site, have, need);
    /* Read when the exception is reported, by this thread. */
    static _Thread_local struct tn_site site;
    site.file = header;
    site.function = function;
    tn_raise_numelts(&site, have, need);
}
