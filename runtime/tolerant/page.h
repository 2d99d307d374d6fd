/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Pages of 4 KiB inside segments of 32 MiB, and the map from an address to the page that describes it. What
 * describes a page lies apart from it: no write into an object, live or freed, reaches it.
 *
 * A span is one or more pages that are used as one; its first page's description stands for all. States of a span:
 *
 *   kind            owner             who may change the free bits
 *   TT_PAGE_FREE    none              nobody
 *   TT_PAGE_SLOTS   a thread's heap   that thread; others set remote bits
 *   TT_PAGE_SAMPLE  none              who holds the samples' lock
 *   TT_PAGE_LARGE   none              (one object)
 *
 * What a thread reads of another's page when it frees an object there, who owns it, and what it writes, the remote
 * bits, lie in lines of memory that the owner seldom writes: neither waits for the other at each free.
 */
#ifndef TENURE_TOLERANT_PAGE_H
#define TENURE_TOLERANT_PAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/platform.h"

#define TT_PAGE_SHIFT 12
#define TT_PAGE_BYTES ((size_t)1 << TT_PAGE_SHIFT)
#define TT_SEGMENT_SHIFT 25
#define TT_SEGMENT_BYTES ((size_t)1 << TT_SEGMENT_SHIFT)
#define TT_SEGMENT_PAGES ((size_t)1 << (TT_SEGMENT_SHIFT - TT_PAGE_SHIFT))
#define TT_UNIT_PAGES 32 /* that come to share frames together */
#define TT_SLOT_WORDS 4
#define TT_SLOTS_MOST (TT_SLOT_WORDS * 64)
#define TT_ADDRESS_BITS TN_ADDRESS_BITS_USER

enum tt_page_kind { TT_PAGE_FREE, TT_PAGE_SLOTS, TT_PAGE_SAMPLE, TT_PAGE_LARGE };

/* Of a large object: whether pages of it are views of shared frames; whether that is about to change; whether it was
 * freed. */
enum tt_views { TT_VIEWS_NONE, TT_VIEWS_SOME, TT_VIEWS_CHANGE, TT_VIEWS_GONE };

struct tt_thread;
struct tt_bin;

/* The description of a page; 128 bytes. Free bits: a set bit is a slot that may be handed out. Slots that a bin has
 * claimed (its mask) are neither set nor live. Bits from `slots` on are clear. */
struct tt_page {
    /* What the owner's frees use, in a line of its own. */
    _Alignas(128) uint32_t reciprocal; /* 2^32 / size, rounded up */
    uint16_t slots;
    uint16_t until; /* how many frees from now the slow path is taken */
    uint16_t back;  /* pages from the span's first */
    uint16_t span;  /* pages */
    uint8_t kind;
    uint8_t listed;     /* enum list of bin.c */
    uint8_t first_slot; /* where the bump begins; it wraps */
    uint8_t clean;      /* all its bytes are known to be zero */
    uint64_t free[TT_SLOT_WORDS];
    struct tt_bin *bin;
    uint32_t size; /* of a slot; of a large object's span its pages */
    uint32_t born; /* seconds of the monotonic clock, when last taken from empty */
    union {
        struct {
            uint32_t *keys; /* a site key for each slot */
            uint32_t free;  /* slots */
        } sample;
        struct {
            uintptr_t base; /* TT_PAGE_LARGE: the object */
            uint64_t birth; /* large.h */
            uint32_t site;  /* who allocated it */
            _Atomic uint32_t views; /* enum tt_views */
        } large;
    };
    struct tt_page *next, *previous; /* in the bin's list of pages with room, or of empty pages */
    uint32_t run;                    /* page index of its run in the segment plus 1; 0: none */
    uint16_t former;                 /* the site whose objects it still holds beside its bin's; 0: none */
    uint16_t former_objects;         /* of that site, at most */
    uint16_t probe;                  /* its free slots when they were last counted, plus 1; 0: they are not. Of a page of
                                      * samples: whether it is one of those that are kept empty */
};
_Static_assert(sizeof(struct tt_page) == 128, "tt_free computes page addresses by shifts");

/* The description that a word of free bits is part of. */
static inline struct tt_page *tt_page_of_word(uint64_t *word) {
    return (struct tt_page *)(void *)((uintptr_t)word & ~(sizeof(struct tt_page) - 1)); /* NOLINT: descriptions are aligned by their size */
}

/* What threads freed of a page that is another's. */
struct tt_remote {
    _Alignas(64) _Atomic uint64_t freed[TT_SLOT_WORDS];
    struct tt_page *next;    /* in the owner's list */
    _Atomic uint8_t pending; /* in it */
};

/* Pages in a row that a site's bin fills one after the other, described at the index of the first. */
struct tt_run {
    struct tt_bin *bin;
    uint16_t pages;   /* 0: no run begins here */
    uint16_t started; /* pages that were used at least once */
    uint16_t live;    /* pages with live objects, or the bin's current one */
    uint8_t age;      /* looks since a reference was last seen, at most 255 */
    uint8_t state;    /* enum tt_run_state */
    uint8_t examined; /* its contents are known since it became cold */
    uint8_t span;     /* pages of its spans */
    uint32_t objects; /* that lived on it when it was filled or last counted, plus 1; 0: it was used since */
    uint32_t born;    /* seconds of the monotonic clock */
};

struct tt_segment {
    unsigned char *base;
    uint64_t used[TT_SEGMENT_PAGES / 64];
    uint64_t dirty[TT_SEGMENT_PAGES / 64]; /* free, and not zero */
    unsigned free_pages;
    unsigned first_free; /* no page before it is free */
    unsigned reached; /* no page from here on was ever taken, but some may have frames */
    unsigned with_frames; /* nor have any from here on */
    size_t pages_mapped, pages_open;
    struct tt_segment *next;  /* those with room first */
    struct tt_segment *older; /* fixed once published */
    _Atomic bool freed_remotely; /* whether any remote bit was ever set */
    /* Each page's owner and the class of its slots (tt_heap_word); 0: none. */
    _Alignas(64) _Atomic uintptr_t heaps[TT_SEGMENT_PAGES];
    struct tt_remote remotes[TT_SEGMENT_PAGES];
    struct tt_run runs[TT_SEGMENT_PAGES];
    uint8_t sharing[TT_SEGMENT_PAGES]; /* how many pages show the same frame; 0: its own */
    uint64_t content[TT_SEGMENT_PAGES]; /* of an examined run's pages: a number made of what lives there; 0: unknown */
    uint8_t part[TT_SEGMENT_PAGES]; /* enum tn_space_part: how the page's mapping was set apart */
    uint8_t protection[TT_SEGMENT_PAGES]; /* of pages that share frames: what the program made of it (change.c) */
    _Alignas(128) struct tt_page pages[TT_SEGMENT_PAGES];
};

/* One entry for each segment that the address space could hold: address space, not memory. */
#define TT_MAP_ENTRIES ((size_t)1 << (TT_ADDRESS_BITS - TT_SEGMENT_SHIFT))
extern struct tt_segment *_Atomic tt_map[TT_MAP_ENTRIES] __attribute__((visibility("hidden")));

/* The segment whose range the address lies in; NULL if it is none of ours. */
static inline struct tt_segment *tt_segment_of(const void *address) {
    uintptr_t at = (uintptr_t)address >> TT_SEGMENT_SHIFT;
    if (__builtin_expect(at >= TT_MAP_ENTRIES, 0)) return NULL;
    return atomic_load_explicit(&tt_map[at], memory_order_relaxed);
}

/* The segment that the address is memory of: where address space is short a segment is less than its range, and what
 * lies behind it is somebody else's. */
static inline struct tt_segment *tt_segment_holding(const void *address) {
    struct tt_segment *segment = tt_segment_of(address);
    size_t index = ((uintptr_t)address & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    return segment == NULL || index >= segment->pages_mapped ? NULL : segment;
}

/* Set bits; the compilers' own would be a call where the processor need not have an instruction. */
static inline unsigned tt_count_bits(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(bits * UINT64_C(0x0101010101010101) >> 56);
}

static inline size_t tt_page_index(const struct tt_segment *segment, const struct tt_page *page) {
    return (size_t)(page - segment->pages);
}

/* The segment of a description: those of a segment lie in one aligned block. */
#define TT_DESCRIPTION_BYTES ((size_t)2 * 1024 * 1024)
_Static_assert(sizeof(struct tt_segment) <= TT_DESCRIPTION_BYTES, "tt_page_segment masks an address");
static inline struct tt_segment *tt_page_segment(const struct tt_page *page) {
    return (struct tt_segment *)((uintptr_t)page & ~(uintptr_t)(TT_DESCRIPTION_BYTES - 1)); /* NOLINT: of a block */
}

/* Heaps lie at multiples of this, and spans of slots have fewer pages. */
#define TT_BACK_MOST 64
/* Above what addresses have. A description has as many bytes as fit above this bit: what is shifted out of the
 * difference of two words leaves the distance of two descriptions. */
#define TT_WORD_CLASS_SHIFT 57
#define TT_APART_SHIFT (64 - TT_WORD_CLASS_SHIFT)
_Static_assert(sizeof(struct tt_page) == (size_t)1 << TT_APART_SHIFT, "tt_word_apart tells a distance of descriptions");
_Static_assert(TT_ADDRESS_BITS <= TT_WORD_CLASS_SHIFT, "a heap's address leaves room for the class");

/* Of a page of the heap's, so many pages from its span's first: all that a free asks of the owner, and what tells an
 * object's size. */
static inline uintptr_t tt_heap_word(const struct tt_thread *heap, size_t back, unsigned size_class) {
    return ((uintptr_t)heap + back) | ((uintptr_t)size_class + 1) << TT_WORD_CLASS_SHIFT;
}

static inline size_t tt_word_back(uintptr_t word) { return word & (TT_BACK_MOST - 1); }

/* The class of the slots, and 1; 0: none. */
static inline unsigned tt_word_class(uintptr_t word) { return (unsigned)(word >> TT_WORD_CLASS_SHIFT); }

static inline struct tt_thread *tt_heap_of(uintptr_t word) {
    word &= ((uintptr_t)1 << TT_WORD_CLASS_SHIFT) - TT_BACK_MOST;
    return (struct tt_thread *)word; /* NOLINT: an address that was stored */
}

/* How far the page's description lies behind its span's first, in bytes; TT_APART_MOST or more of a page that is not
 * the heap's. */
#define TT_APART_MOST ((uintptr_t)TT_BACK_MOST << TT_APART_SHIFT)
static inline uintptr_t tt_word_apart(uintptr_t word, const struct tt_thread *heap) {
    return (word - (uintptr_t)heap) << TT_APART_SHIFT;
}
static inline struct tt_page *tt_page_before(struct tt_page *page, uintptr_t apart) {
    return (struct tt_page *)(void *)((unsigned char *)page - apart);
}
static inline size_t tt_bytes_before(uintptr_t apart) { return apart << (TT_PAGE_SHIFT - TT_APART_SHIFT); }

/* Whose span begins at the page; NULL if nobody's does. */
static inline struct tt_thread *tt_page_owner(struct tt_segment *segment, const struct tt_page *page) {
    uintptr_t word = atomic_load_explicit(&segment->heaps[tt_page_index(segment, page)], memory_order_acquire);
    return tt_word_back(word) == 0 ? tt_heap_of(word) : NULL;
}

/* Free slots of a page, as its owner sees them. */
TN_RACY static inline unsigned tt_page_free(const struct tt_page *page) {
    unsigned count = 0;
    for (unsigned w = 0; w * 64 < page->slots; w++)
        count += tt_count_bits(__atomic_load_n(&page->free[w], __ATOMIC_RELAXED));
    return count;
}

/* What other threads freed of the page and its owner has not taken in; 0 without a look while nobody ever did. */
static inline uint64_t tt_page_freed_remotely(struct tt_segment *segment, const struct tt_page *page, unsigned w) {
    if (!atomic_load_explicit(&segment->freed_remotely, memory_order_relaxed)) return 0;
    return atomic_load_explicit(&segment->remotes[tt_page_index(segment, page)].freed[w], memory_order_acquire);
}

/* The first byte that the page describes. */
static inline unsigned char *tt_page_base(const struct tt_page *page) {
    const struct tt_segment *segment = tt_page_segment(page);
    return segment->base + tt_page_index(segment, page) * TT_PAGE_BYTES;
}

/* Takes `count` pages in a row, at a multiple of `alignment` pages, as one span of that kind; NULL if the system has
 * no memory. *zero tells whether all bytes are known to be zero. */
struct tt_page *tt_pages_take(size_t count, size_t alignment, enum tt_page_kind kind, bool *zero);

/* Makes a span of a large object one of `count` pages, which are more, where the pages behind it are free. */
bool tt_pages_extend(struct tt_page *page, size_t count);

/* Whether what is in use, with so many bytes more and with what is kept, is no more than the most that ever was. */
bool tt_pages_within_most(size_t more);

/* Notes how much is in use; false if that, with what is kept, is more than ever was. */
bool tt_pages_note_most(void);

/* How many bytes of freed large mappings are kept beyond that, and a little more: those are to go. */
size_t tt_pages_excess(void);

/* Gives a span back. */
void tt_pages_give(struct tt_page *page);

/* Makes pages of the segment a mapping of their own. At most two more mappings.
 * One caller at a time. False if the kernel refuses. */
bool tt_pages_set_apart(struct tt_segment *segment, void *start, size_t size);

/* Lets the kernel join the mapping of what was set apart with the one before it, if nobody needs to tell them apart. */
void tt_pages_join(struct tt_segment *segment, void *start, size_t size);

/* Gives frames of free pages back to the system, all of them or down to what is kept for reuse. Returns bytes. */
size_t tt_pages_trim(bool all);

/* Free pages keep frames for no more than so many bytes. */
void tt_pages_limit(size_t bytes);

/* The segments, newest first, linked by `older`. */
struct tt_segment *tt_segments_first(void);

/* The first page in use at or after i; TT_SEGMENT_PAGES if there is none. Descriptions of pages that nobody uses are
 * not touched: they have no frames, or had theirs written to swap. */
size_t tt_page_next_used(const struct tt_segment *segment, size_t i);

/* The first page, at or after i, at which a run begins; TT_SEGMENT_PAGES if there is none. */
size_t tt_page_next_run(const struct tt_segment *segment, size_t i);

/* Calls visit for each span in use that is part of no run, in no order. Other threads go on: what is read may be torn,
 * never invalid. */
void tt_pages_each(void (*visit)(struct tt_page *page, void *context), void *context);

/* Figures in bytes; read without a lock. What is kept for reuse, the dirty pages and freed mappings of large objects,
 * may not raise the most that the process ever had in use: it goes back to the system before that grows. */
struct tt_pages_figures {
    _Atomic size_t mapped, used, dirty;
    _Atomic size_t large, kept; /* mappings of large objects, and freed ones */
    _Atomic size_t most;        /* of used, dirty and large together */
};
extern struct tt_pages_figures tt_pages_now __attribute__((visibility("hidden")));

/* Writes to a page that is zero and about to be read and written: the read would be a fault, and the write another. */
static inline void tt_touch(void *zero) { *(volatile unsigned char *)zero = 0; }

/* Memory for descriptions, zero, never given back; NULL if the system has none. Multiple of 16 bytes. */
void *tt_metadata(size_t size);
extern _Atomic size_t tt_metadata_bytes __attribute__((visibility("hidden")));

void tt_pages_before_fork(void);
void tt_pages_after_fork(bool child);

#endif
