/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The memory trace: what each kind of region holds over time, as lines of comma-separated values.
 */
#ifndef TENURE_REGION_TRACE_H
#define TENURE_REGION_TRACE_H

/* Begins the trace if the environment asks for one, until the program exits. A file that cannot be written is
 * reported on standard error, and the program runs without a trace. To be called once, by the only thread. */
void tn_trace_begin(void);

#endif
