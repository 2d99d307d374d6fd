/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* syscall */
#include "tolerant/layout.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "prim/frames.h"
#include "prim/lock.h"
#include "prim/signal.h"
#include "prim/space.h"
#include "tolerant/interface.h"
#include "tolerant/page.h"

static tn_lock lock = TN_LOCK_INITIALIZER;
static uint64_t changes, changes_before;

void tt_layout_start_look(void) {
    tn_lock_acquire(&lock);
    changes_before = changes;
    tn_lock_release(&lock);
}

bool tt_layout_begin(void) {
    tn_lock_acquire(&lock);
    if (changes == changes_before) return true;
    tn_lock_release(&lock);
    return false;
}

void tt_layout_end(void) { tn_lock_release(&lock); }

void tt_layout_before_fork(void) { tn_lock_acquire(&lock); }
void tt_layout_after_fork(bool child) {
    if (child)
        tn_lock_renew(&lock);
    else
        tn_lock_release(&lock);
}

#if defined(TT_PREFIXED)
bool tt_layout_is_watched(void) { return false; }
#else
/* The library's code, or the whole program's that it is linked into. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _etext[] __attribute__((visibility("hidden")));

static bool is_own_code(uintptr_t address) {
    return address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_etext;
}

static int (*volatile const program_madvise)(void *, size_t, int) = madvise;
static int (*volatile const program_mprotect)(void *, size_t, int) = mprotect;

bool tt_layout_is_watched(void) {
    return is_own_code((uintptr_t)program_madvise) && is_own_code((uintptr_t)program_mprotect) &&
           !is_own_code((uintptr_t)getauxval(AT_ENTRY));
}

/* A longer range is not asked about. */
#define LONG ((size_t)1 << 32)

static bool has_objects(uintptr_t start, size_t size) {
    if (size > LONG) return true;
    for (uintptr_t at = start; at < start + size; at = (at | (TT_SEGMENT_BYTES - 1)) + 1)
        if (tt_segment_holding((const void *)at) != NULL) return true;
    return false;
}

/* Fresh memory in place of the views from there on, of which the last may be only in part a page of the system's. Where
 * the system has no room for that, zeros are written. */
TN_RACY static void forget_views(struct tt_segment *segment, size_t at, size_t pages) {
    unsigned char *start = segment->base + at * TT_PAGE_BYTES;
    if (!tn_frames_forget(start, pages * TT_PAGE_BYTES)) {
        memset(start, 0, pages * TT_PAGE_BYTES);
        return;
    }
    memset(&segment->sharing[at], 0, pages);
    memset(&segment->part[at], TN_SPACE_PLAIN, pages);
}

/* Those in the range, which begins and ends with pages of the system's. */
TN_RACY static void drop_views(uintptr_t start, uintptr_t end) {
    for (uintptr_t at = start; at < end;) {
        struct tt_segment *segment = tt_segment_holding((const void *)at);
        if (segment == NULL) {
            at = (at | (TT_SEGMENT_BYTES - 1)) + 1;
            continue;
        }
        size_t first = (at & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT, most = (end - at) >> TT_PAGE_SHIFT, pages = 0;
        while (pages < most && first + pages < segment->pages_mapped && segment->sharing[first + pages] != 0) pages++;
        if (pages != 0) forget_views(segment, first, pages);
        at += (pages == 0 ? 1 : pages) * TT_PAGE_BYTES;
    }
}

static int change(uintptr_t start, size_t size, long call, int argument, bool drops) {
    struct tn_signals before;
    size_t page = tn_space_page_size();
    tn_signals_off(&before);
    tn_lock_acquire(&lock);
    changes++;
    if (drops && (start & (page - 1)) == 0) drop_views(start, start + ((size + page - 1) & ~(page - 1)));
    int result = (int)syscall(call, start, size, (long)argument);
    tn_lock_release(&lock);
    tn_signals_back(&before);
    return result;
}

/* MADV_DONTNEED, MADV_FREE, MADV_REMOVE and MADV_DONTNEED_LOCKED, as the kernel's interface numbers them. */
static bool drops_pages(int advice) { return advice == 4 || advice == 8 || advice == 9 || advice == 24; }

TT_EXPORT int madvise(void *start, size_t size, int advice) {
    if (is_own_code((uintptr_t)__builtin_return_address(0)) || !has_objects((uintptr_t)start, size))
        return (int)syscall(SYS_madvise, start, size, (long)advice);
    return change((uintptr_t)start, size, SYS_madvise, advice, drops_pages(advice));
}

TT_EXPORT int mprotect(void *start, size_t size, int protection) {
    if (is_own_code((uintptr_t)__builtin_return_address(0)) || !has_objects((uintptr_t)start, size))
        return (int)syscall(SYS_mprotect, start, size, (long)protection);
    return change((uintptr_t)start, size, SYS_mprotect, protection, false);
}
#endif
