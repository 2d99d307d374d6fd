/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a C library's stdio allocates at times of its own choosing.
 */
#ifndef TENURE_PRIM_STREAM_H
#define TENURE_PRIM_STREAM_H

/* Makes stdout allocate its buffer now, unless it has one. */
void tn_stream_prepare(void);

#endif
