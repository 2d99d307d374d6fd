/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The start and the end of the process, as the dynamic linker sees them. The allocator serves calls before the first
 * and after the last of these; only options and reports wait for them.
 */
#include "tolerant/bundled.h"
#include "tolerant/cold.h"
#include "tolerant/fork.h"
#include "tolerant/option.h"
#include "tolerant/harden.h"
#include "tolerant/interface.h"
#include "tolerant/report.h"

/* interface.c names it, so that a program that is linked with the static library has this file too. */
const char tt_start_is_linked = 1;

__attribute__((constructor)) static void start(void) {
    tt_options_load();
    tt_cold_start();
    tt_fork_prepare();
    tt_report_start();
    tt_bundled_say();
#if defined(TT_HARDENED)
    tt_harden_start();
#endif
}

__attribute__((destructor)) static void end(void) {
    if (tt_option(TT_OPTION_REPORT_EXIT) == 0 || tt_option_report() == 0) return;
    /* By now the program's own destructors may have freed what it had kept: the last look before that counts. */
    if (tt_cold_now.looks == 0) (void)tt_cold_look();
    tt_report_write("exit");
}
