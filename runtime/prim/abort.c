/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "prim/abort.h"

#include <stdlib.h>

_Noreturn void tn_os_abort(void) { abort(); }
