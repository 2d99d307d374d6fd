/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the program does to the pages of its objects by itself. The library's `madvise` and `mprotect` come before the C
 * library's: what the program changes while somebody of ours looks at its pages is known, and a page that it drops is zero, as
 * the system's own would be, also where it was a view of shared frames.
 */
#ifndef TENURE_TOLERANT_LAYOUT_H
#define TENURE_TOLERANT_LAYOUT_H

#include <stdbool.h>

/* Whether the program's calls come here: not where the library is linked into it, or the program has such functions of its own. */
bool tt_layout_is_watched(void);

/* Before the kernel is asked what is mapped. */
void tt_layout_start_look(void);

/* Keeps the program from changing pages; false, and nothing to end, if it did since the look began. */
bool tt_layout_begin(void);
void tt_layout_end(void);

void tt_layout_before_fork(void);
void tt_layout_after_fork(bool child);

#endif
