/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/quiet.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

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

/* As far as this from where it is now, the stack of who looks may be written to. */
#define STACK_REACH ((uintptr_t)128 * 1024)

/* Whether who looks may write there, and in a process with threads would wait for himself: his stack may be an object,
 * as that of a coroutine is, and so may what lies behind a thread's stack, its variables. */
static bool is_own(const void *start, size_t size) {
    uintptr_t from = (uintptr_t)start, end = from + size, stack = (uintptr_t)__builtin_frame_address(0);
    uintptr_t variable = (uintptr_t)&errno;
    return (from < stack + STACK_REACH && stack < end + STACK_REACH) || (from <= variable && variable < end);
}

bool tt_quiet_hold(const struct tt_quiet *quiet, void *start, size_t size) {
    return !is_own(start, size) && (quiet->hold < 0 || tn_hold_range(quiet->hold, start, size));
}

void tt_quiet_release(const struct tt_quiet *quiet, void *start, size_t size) {
    if (quiet->hold >= 0) tn_hold_release(quiet->hold, start, size);
}

bool tt_quiet_settle(const struct tt_quiet *quiet) {
    return quiet->hold < 0 || (tn_hold_settle() && files_are_quiet());
}

bool tt_quiet_is_spent(void) { return spent; }
