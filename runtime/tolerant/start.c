/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The start and the end of the process, as the dynamic linker sees them. The allocator serves calls before the first
 * and after the last of these; only options and reports wait for them.
 */
#include "tolerant/option.h"

__attribute__((constructor)) static void start(void) { tt_options_load(); }
