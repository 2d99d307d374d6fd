/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What programs have the kernel do to memory of ours. A look reads cold pages, and shows shared frames in their places:
 * these calls wait meanwhile, and what they change is not cold for the next look, which sees how it was changed. Pages
 * that share frames show those again once their own contents are dropped: they are given fresh memory first.
 *
 * A system call that goes past these functions is not known here.
 */
#define _GNU_SOURCE /* syscall, mlock2 */
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "prim/frames.h"
#include "prim/space.h"
#include "tolerant/change.h"
#include "tolerant/cold.h"
#include "tolerant/compact.h"
#include "tolerant/interface.h"
#include "tolerant/page.h"

#if defined(TT_PREFIXED)
bool tt_change_is_seen(void) { return false; }
#else

/* Newer than some C libraries. */
#define ADVICE_DONTNEED_LOCKED 24
#define ADVICE_GUARD_INSTALL 102

int tt_own_madvise(void *start, size_t size, int advice);
int tt_own_mprotect(void *start, size_t size, int protection);
int tt_own_mlock(const void *start, size_t size);

/* Weak: a program that the library is linked into may have its own. */
#define SAME_AS(name) __attribute__((weak, alias(#name), visibility("default")))
SAME_AS(tt_own_madvise) int madvise(void *start, size_t size, int advice);
SAME_AS(tt_own_mprotect) int mprotect(void *start, size_t size, int protection);
SAME_AS(tt_own_mlock) int mlock(const void *start, size_t size);

/* What the program calls. */
static int (*const volatile called_madvise)(void *start, size_t size, int advice) = madvise;
static int (*const volatile called_mprotect)(void *start, size_t size, int protection) = mprotect;

bool tt_change_is_seen(void) { return called_madvise == tt_own_madvise && called_mprotect == tt_own_mprotect; }

#define OPEN (PROT_READ | PROT_WRITE)
/* Set in a page's protection where that is not OPEN. */
#define PROTECTED 128

/* Pages of a segment, up to `end`. */
struct pages {
    struct tt_segment *segment;
    size_t first, end;
};

/* Those of the range from *at on, which becomes the address behind them; false if there are no more. */
static bool next_pages(uintptr_t *at, uintptr_t end, struct pages *pages) {
    for (uintptr_t from; (from = *at) < end && from >> TT_ADDRESS_BITS == 0;) {
        uintptr_t next = (from | (TT_SEGMENT_BYTES - 1)) + 1;
        *at = next;
        pages->segment = tt_segment_holding((const unsigned char *)from);
        if (pages->segment == NULL) continue;
        size_t last = ((end < next ? end : next) - 1) & (TT_SEGMENT_BYTES - 1);
        pages->first = (from & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
        pages->end = (last >> TT_PAGE_SHIFT) + 1;
        if (pages->end > pages->segment->pages_mapped) pages->end = pages->segment->pages_mapped;
        return true;
    }
    return false;
}

/* What the program locks, protects or has dropped is no page that nobody uses. */
TN_RACY static void use_runs(const struct pages *pages) {
    for (size_t i = pages->first; i < pages->end; i++) {
        uint32_t run = pages->segment->pages[i].run;
        if (run != 0) tt_run_used(&pages->segment->runs[run - 1]);
    }
}

/* Fresh memory, protected as the program had it, for pages that share frames. */
static void drop_shared(const struct pages *pages) {
    struct tt_segment *segment = pages->segment;
    size_t system = tn_space_page_size() / TT_PAGE_BYTES;
    for (size_t i = pages->first; i + system <= pages->end; i += system) {
        unsigned char *place = segment->base + i * TT_PAGE_BYTES;
        if (segment->sharing[i] == 0 || !tn_frames_forget(place, system * TT_PAGE_BYTES)) continue;
        if ((segment->protection[i] & PROTECTED) != 0)
            (void)syscall(SYS_mprotect, place, system * TT_PAGE_BYTES, (long)(segment->protection[i] & ~PROTECTED));
        for (size_t k = i; k < i + system; k++) {
            segment->sharing[k] = 0;
            segment->part[k] = TN_SPACE_PLAIN;
        }
    }
}

static void note_protection(const struct pages *pages, int protection) {
    uint8_t noted = protection == OPEN ? 0 : (uint8_t)((protection & (OPEN | PROT_EXEC)) | PROTECTED);
    for (size_t i = pages->first; i < pages->end; i++)
        if (pages->segment->sharing[i] != 0) pages->segment->protection[i] = noted;
}

/* A range that the program gives to the kernel. What is no whole number of pages the kernel makes one. */
struct change {
    uintptr_t start, end;
    bool ours, keeps_off;
};

static struct change begin_change(const void *start, size_t size) {
    uintptr_t from = (uintptr_t)start, system = tn_space_page_size();
    uintptr_t end = size > UINTPTR_MAX - from - system ? from : (from + size + system - 1) & ~(system - 1);
    struct change change = {.start = from & ~(system - 1), .end = end};
    struct pages pages;
    for (uintptr_t at = change.start; next_pages(&at, end, &pages);) {
        if (!change.ours) change.keeps_off = tt_compact_wait();
        change.ours = true;
        use_runs(&pages);
    }
    return change;
}

static void end_change(const struct change *change) {
    if (change->keeps_off) tt_compact_carry_on();
}

int tt_own_madvise(void *start, size_t size, int advice) {
    struct change change = begin_change(start, size);
    struct pages pages;
    bool drops = advice == MADV_DONTNEED || advice == MADV_FREE || advice == ADVICE_DONTNEED_LOCKED || advice == ADVICE_GUARD_INSTALL;
    drops = drops && change.ours && change.start == (uintptr_t)start;
    for (uintptr_t at = change.start; drops && next_pages(&at, change.end, &pages);) drop_shared(&pages);
    int result = (int)syscall(SYS_madvise, start, size, (long)advice);
    end_change(&change);
    return result;
}

int tt_own_mprotect(void *start, size_t size, int protection) {
    struct change change = begin_change(start, size);
    struct pages pages;
    int result = (int)syscall(SYS_mprotect, start, size, (long)protection);
    for (uintptr_t at = change.start; change.ours && result == 0 && next_pages(&at, change.end, &pages);)
        note_protection(&pages, protection);
    end_change(&change);
    return result;
}

int tt_own_mlock(const void *start, size_t size) {
    struct change change = begin_change(start, size);
    int result = (int)syscall(SYS_mlock, start, size);
    end_change(&change);
    return result;
}

/* Linux's, of which not every C library has functions. */
#if defined(SYS_mlock2) && defined(SYS_pkey_mprotect)
TT_EXPORT int mlock2(const void *start, size_t size, unsigned flags);
TT_EXPORT int pkey_mprotect(void *start, size_t size, int protection, int key);

int mlock2(const void *start, size_t size, unsigned flags) {
    struct change change = begin_change(start, size);
    int result = (int)syscall(SYS_mlock2, start, size, (unsigned long)flags);
    end_change(&change);
    return result;
}

int pkey_mprotect(void *start, size_t size, int protection, int key) {
    struct change change = begin_change(start, size);
    struct pages pages;
    int result = (int)syscall(SYS_pkey_mprotect, start, size, (long)protection, (long)key);
    for (uintptr_t at = change.start; change.ours && result == 0 && next_pages(&at, change.end, &pages);)
        note_protection(&pages, protection);
    end_change(&change);
    return result;
}
#endif

#endif
