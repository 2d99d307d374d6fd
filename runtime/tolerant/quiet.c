/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/quiet.h"

#include "prim/frames.h"
#include "prim/hold.h"

bool tt_quiet_begin(struct tt_quiet *quiet) {
    tn_frames_signals_off();
    /* Only now: a handler may have started a thread. */
    quiet->hold = -1;
    if (tn_frames_alone()) return true;
    if (tn_frames_quiet()) quiet->hold = tn_hold_open();
    if (quiet->hold >= 0) return true;
    tn_frames_signals_on();
    return false;
}

void tt_quiet_end(struct tt_quiet *quiet) {
    if (quiet->hold >= 0) tn_hold_close(quiet->hold);
    tn_frames_signals_on();
}

bool tt_quiet_hold(const struct tt_quiet *quiet, void *start, size_t size) {
    return quiet->hold < 0 || tn_hold_range(quiet->hold, start, size);
}

void tt_quiet_release(const struct tt_quiet *quiet, void *start, size_t size) {
    if (quiet->hold >= 0) tn_hold_release(quiet->hold, start, size);
}

bool tt_quiet_settle(const struct tt_quiet *quiet) {
    return quiet->hold < 0 || (tn_hold_settle() && tn_frames_quiet());
}
