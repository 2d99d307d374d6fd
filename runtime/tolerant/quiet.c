/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/quiet.h"

#include <stdatomic.h>

#include "prim/frames.h"
#include "prim/hold.h"
#include "prim/sandbox.h"
#include "prim/thread.h"

/* Open files that a look asks about: it takes a microsecond for each, and a server may have ten thousand. */
#define FILES_MOST ((size_t)100000)

static size_t files_left;
static bool spent;
/* What the look knows: nobody else opens files in a process of one thread. */
static bool known, quiet_before;
static _Atomic int refusal;

enum tt_quiet_refusal tt_quiet_refused(void) {
    return (enum tt_quiet_refusal)atomic_load_explicit(&refusal, memory_order_relaxed);
}

void tt_quiet_start_look(void) {
    files_left = FILES_MOST;
    known = spent = false;
}

static bool files_are_quiet(void) {
    size_t files = 0;
    spent = spent || files_left == 0;
    if (spent) return false;
    bool quiet = tn_frames_quiet(&files);
    files_left -= files < files_left ? files : files_left;
    return quiet;
}

bool tt_quiet_begin(struct tt_quiet *quiet) {
    quiet->hold = -1;
    if (!known) quiet_before = files_are_quiet();
    known = true;
    bool alone = quiet_before && tn_thread_is_only();
    /* Filters that a process is started under hardly ever let those calls through. */
    if (quiet_before && !alone && !tn_sandbox_inherited()) quiet->hold = tn_hold_open();
    bool granted = alone || quiet->hold >= 0;
    int why = granted ? TT_QUIET_GRANTED : quiet_before ? TT_QUIET_NO_RIGHT : TT_QUIET_FILES;
    atomic_store_explicit(&refusal, why, memory_order_relaxed);
    return granted;
}

void tt_quiet_end(struct tt_quiet *quiet) {
    if (quiet->hold >= 0) tn_hold_close(quiet->hold);
}

bool tt_quiet_hold(const struct tt_quiet *quiet, void *start, size_t size) {
    return quiet->hold < 0 || tn_hold_range(quiet->hold, start, size);
}

void tt_quiet_release(const struct tt_quiet *quiet, void *start, size_t size) {
    if (quiet->hold >= 0) tn_hold_release(quiet->hold, start, size);
}

bool tt_quiet_settle(const struct tt_quiet *quiet) {
    return quiet->hold < 0 || (tn_hold_settle() && files_are_quiet());
}

bool tt_quiet_is_spent(void) { return spent; }
