/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/fork.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "prim/thread.h"
#include "tolerant/cold.h"
#include "tolerant/compact.h"
#include "tolerant/large.h"
#include "tolerant/page.h"
#include "tolerant/report.h"
#include "tolerant/sample.h"
#include "tolerant/site.h"
#include "tolerant/thread.h"

static atomic_flag registered = ATOMIC_FLAG_INIT;

/* A handler may fork in the middle of a call of ours. In a process of one thread the locks are then that thread's own:
 * in parent and child it goes on where it was, and nobody else wants them. */
static bool only;

/* In the order in which they may be taken while another is held. */
static void before(void) {
    tt_cold_before_fork();
    only = tn_thread_is_only();
    if (only) return;
    tt_threads_before_fork();
    tt_samples_before_fork();
    tt_sites_before_fork();
    tt_large_before_fork();
    tt_compact_before_fork();
    tt_pages_before_fork();
}

static void after(bool child) {
    if (!only) {
        tt_pages_after_fork(child);
        tt_compact_after_fork();
        tt_large_after_fork(child);
        tt_sites_after_fork(child);
        tt_samples_after_fork(child);
        tt_threads_after_fork(child);
        if (child) tt_report_after_fork();
    }
    if (child) tt_allocate_after_fork();
    tt_cold_after_fork(child);
}

static void after_in_parent(void) { after(false); }
static void after_in_child(void) { after(true); }

void tt_fork_prepare(void) {
    if (atomic_flag_test_and_set(&registered)) return;
    (void)tn_thread_at_fork(before, after_in_parent, after_in_child);
}
