/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TENURE_PRIM_ABORT_H
#define TENURE_PRIM_ABORT_H

/* Ends the process by SIGABRT, even if the program handles or blocks it. Signal safe. */
_Noreturn void tn_os_abort(void);

#endif
