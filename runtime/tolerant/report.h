/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The leak report as the process writes it: one text of lines, in which sites are addresses. tenure-tolerate reads it
 * and finds the names, outside the process.
 */
#ifndef TENURE_TOLERANT_REPORT_H
#define TENURE_TOLERANT_REPORT_H

#include <stdint.h>

#include "tolerant/survey.h"

/* Adds a point to the timeline. */
void tt_report_note_time(const struct tt_survey *survey, uint64_t milliseconds);

/* Writes a report if the option's seconds have passed since the last, or a signal asked for one. */
void tt_report_if_due(uint64_t now);

/* Writes a report. The reason is one word. */
void tt_report_write(const char *reason);

/* In the child of a fork whose parent's other threads it has not: one of them may have been writing. */
void tt_report_after_fork(void);

/* Installs the signal handler and notes the start of the process. */
void tt_report_start(void);

#endif
