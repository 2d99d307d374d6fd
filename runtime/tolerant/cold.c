/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/cold.h"

void tt_cold_tick(void) {}
void tt_cold_forget(struct tt_segment *segment, size_t at) { (void)segment, (void)at; }
void tt_cold_before_fork(void) {}
void tt_cold_after_fork(bool child) { (void)child; }
