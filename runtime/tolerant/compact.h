/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual compaction (papers/004…, §4): cold pages whose live slots are disjoint come to share frames, at their old
 * addresses.
 *
 * The unit is a row of 32 pages, so that a million pages take some thirty thousand mappings, below the kernel's limit;
 * what finds no partner as a row is tried page by page, with half of the mappings that are left.
 * Units that share are private views of frames that nobody writes to again:
 *
 *   - a write to a shared page gives that page a frame of its own, by the kernel's copy on write: a page that turns hot
 *     is split off by itself, and a child's writes never reach its parent;
 *   - no descriptor is kept, and the frames go when the last view goes;
 *   - no page is ever protected or absent, so no system call can fail on one.
 *
 * Between copying and showing nothing may write, no io_uring or similar may be in use, no file open past the page
 * cache, no page locked in memory. The thread's signals are off, and a child of a vfork does not look. In a process
 * with threads the units of a group are held meanwhile (prim/hold.h): who writes to them, or has the kernel write,
 * waits. That takes rights that a program of an ordinary user does not have by itself (vm.unprivileged_userfaultfd, or
 * CAP_SYS_PTRACE); without them its pages stay as they are.
 */
#ifndef TENURE_TOLERANT_COMPACT_H
#define TENURE_TOLERANT_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_segment;

/* Lets cold units share frames, while the process has fewer than mappings_most mappings. To be called by one thread at
 * a time. The number of mappings that it took. */
size_t tt_compact_cold(size_t mappings_most, size_t mappings_now);

/* Makes a run or a large object that is to be given back plain memory again, if it shares frames; false if it has to be
 * kept. */
bool tt_compact_restore(struct tt_segment *segment, size_t at, size_t pages);

/* Frames of pages in runs are given back between these two only; false while units are held. */
bool tt_compact_keep_off(void);
void tt_compact_carry_on(void);

/* As tt_compact_keep_off, when none is being read or merged any more. False if this thread keeps it off already. */
bool tt_compact_wait(void);

/* The same for who lets other pages share frames, up to tt_compact_carry_on; false if the program called for a change
 * of our memory since the look began. */
void tt_compact_start_look(void);
bool tt_compact_begin_views(void);

void tt_compact_before_fork(void);
void tt_compact_after_fork(void);

/* Bytes that sharing saved, before what was written since. */
uint64_t tt_compact_shared_bytes(void);
void tt_compact_add_shared(uint64_t bytes);

#endif
