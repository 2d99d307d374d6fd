/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs that are about to install a filter of system calls say so to the kernel first, by prctl: from then on
 * nothing is called that they do not know of.
 */
#define _GNU_SOURCE /* syscall */
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "prim/sandbox.h"
#include "tolerant/interface.h"

#if !defined(TT_PREFIXED)

TT_EXPORT int prctl(int option, ...);

int prctl(int option, ...) {
    unsigned long values[4];
    va_list arguments;
    va_start(arguments, option);
    for (unsigned i = 0; i < 4; i++) values[i] = va_arg(arguments, unsigned long);
    va_end(arguments);
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP) tn_sandbox_expect();
    return (int)syscall(SYS_prctl, (long)option, values[0], values[1], values[2], values[3]);
}

#endif
