/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The calling stack and the monotonic clock, for tools inside a program.
 */
#ifndef TENURE_PRIM_UNWIND_H
#define TENURE_PRIM_UNWIND_H

#include <stdint.h>

/* Return addresses of the calling thread's stack, innermost first, from the frame that returns to `from` on; at most
 * `most`. The number of addresses. If no frame returns to `from`, that address alone. Thread safe; takes no lock where
 * the C library finds unwinding tables without one (glibc from 2.35). */
unsigned tn_unwind(uintptr_t from, uintptr_t *addresses, unsigned most);

/* Seconds, and nanoseconds, of a clock that never goes back. The coarse ones may lag by a few milliseconds. */
uint32_t tn_clock_seconds(void);
uint64_t tn_clock_coarse_milliseconds(void);
uint64_t tn_clock_nanoseconds(void);

/* Nanoseconds of processor time that the calling thread has had. */
uint64_t tn_clock_thread_nanoseconds(void);

/* Nanoseconds of processor time that all threads of the process have had. */
uint64_t tn_clock_process_nanoseconds(void);

/* Lets other threads run for a moment. No point of cancellation; errno is kept. */
void tn_clock_pause(void);

#endif
