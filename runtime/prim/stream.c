/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE /* isatty */
#include "prim/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <unistd.h>

/* glibc allocates the buffer in setvbuf when it is given none; the mode is what the first write would have chosen. musl
 * has static buffers, whose size is never 0. */
void tn_stream_prepare(void) {
    int before = errno;
    if (__fbufsize(stdout) == 0) (void)setvbuf(stdout, NULL, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF, BUFSIZ);
    errno = before;
}
