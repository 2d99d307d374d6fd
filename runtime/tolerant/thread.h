/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A thread's heap. Objects that come from one site, or from all sites that are not watched, and are of one size class
 * form a bin; a bin hands out the slots of one word of a page's free bits, up to 64, before it looks for more. What a
 * thread frees goes into its own pages' free bits, and if they are the word that a bin is at, is the next to be handed
 * out. What it frees of other threads' pages it keeps until there is a batch of it, which goes into remote bits that
 * the owner collects.
 *
 * Heaps outlive their threads: a new thread takes over one that is idle, with all its pages.
 */
#ifndef TENURE_TOLERANT_THREAD_H
#define TENURE_TOLERANT_THREAD_H

#include "tenure/platform.h"
#include "tolerant/page.h"
#include "tolerant/size_class.h"

struct tt_site;
struct tt_recent;
struct tt_recent_slot;

/* What a free of a bin's object is beside the setting of a bit. */
enum tt_frees {
    TT_FREES_PLAIN,
    TT_FREES_CLAIMED, /* there are claimed slots, which nobody may free */
    TT_FREES_RECENT   /* what was freed last is on a list, and handed out first (recent.h) */
};

struct tt_bin {
    /* What each allocation and free asks of it. */
    uint64_t *word;        /* whose set bits are the next slots to be handed out: of a page, or `mask` */
    unsigned char *base;   /* of the slot that bit 0 stands for */
    size_t size;           /* of a slot */
    struct tt_recent_slot *recent_last; /* recent.h; NULL if there never was a list */
    struct tt_recent_slot *recent_full; /* what is the last when there is no room for another */
    uint64_t taken;        /* slots taken up, ever */
    uint64_t mask;         /* claimed slots, which are not set in their page */
    uint16_t claimed_slot; /* that the mask's bit 0 stands for */
    uint8_t frees;         /* enum tt_frees */
    bool cold;             /* much of it, as of the last look */
    struct tt_page *claimed; /* where they are, or were; NULL if that page is gone */
    struct tt_recent *recent;
    struct tt_page *page;  /* the current one: where the next slots come from that nobody has claimed; NULL if none */
    struct tt_page *room;  /* pages with free slots, most recent first */
    struct tt_page *empty; /* a site's pages without live objects */
    struct tt_site *site;  /* NULL: the common bin */
    struct tt_thread *thread;
    struct tt_bin *next_in_slot; /* in the thread's table of sites' bins */
    struct tt_bin *next_of_class; /* the thread's next bin of a site with slots of this size */
    struct tt_page *run_next;    /* the next unused page of the site's run; NULL once that was given back */
    uint32_t run_left;           /* pages */
    uint32_t run_pages;          /* how many the last run had */
    uint32_t pages;              /* in use, empty ones among them */
    uint32_t cold_pages;         /* as of the last look */
    uint64_t handed_small;       /* what `handed` was when it last was too small for runs */
    uint32_t empty_pages;
    uint32_t empty_low;          /* the fewest since the period began */
    uint32_t empty_many;         /* more than these are too many to wait for its end */
    uint64_t period_start;       /* milliseconds */
    uint32_t dead;               /* free slots in full and roomy pages, about */
    uint64_t handed;             /* slots ever given out, but for those that fronts have not told yet */
    uint64_t epoch_taken;        /* how many when its growth was last judged */
    uint32_t epoch_pages;        /* and its pages then */
    bool steady;                 /* it gives out slots and does not grow */
    uint8_t probes;              /* pages on which each free was counted, or is */
    uint16_t deaths;             /* on them */
    uint8_t size_class;
    uint8_t span;     /* pages of a run's spans */
    uint8_t run_span; /* of the last run's */
    uint16_t run_slots; /* of each of those spans */
    uint8_t step; /* of filling a fresh page, up to TT_BUMP_STEPS */
};

/* Whether much of the bin is cold: what dies there may lie beside what leaked, and nothing new is to take its place. */
#define TT_COLD_PART 16
TN_RACY static inline bool tt_bin_is_cold(const struct tt_bin *bin) {
    return __atomic_load_n(&bin->cold_pages, __ATOMIC_RELAXED) > bin->pages / TT_COLD_PART;
}

/* A fresh page is filled word by word, from its first slot's, and ends with what of the first word was left. */
#define TT_BUMP_STEPS (TT_SLOT_WORDS + 1)

/* Remembers for a calling context and size class which bin serves it. Without a bin: the context is a wrapper's, its
 * objects are told apart by the second caller too, and the count is 0. */
struct tt_front {
    uint32_t tag;  /* 0: none */
    int32_t count; /* allocations until the next sample */
    struct tt_bin *bin;
};

/* What the fast path does not ask of a front, apart from it: the fronts in use are few lines of memory, and few
 * pages. */
struct tt_front_rest {
    int32_t start; /* what `count` was when allocations were last told to the bin and the heap */
    uint32_t key;  /* of the context; of a wrapper's, where the second caller is found */
};

/* An object of another thread's page that this thread freed, and where. */
struct tt_freed {
    unsigned char *object;
    uintptr_t address;
};
#define TT_FREED_MOST 128
/* A batch of what is freed holds about so many bytes, and no more than this part of what is in use. */
#define TT_FREED_BYTES ((size_t)64 * 1024)
#define TT_FREED_PART 128

/* Where a call's second caller is found: in functions that call malloc often, such as an xmalloc, the return address
 * lies at a fixed distance from the stack pointer at the call. */
struct tt_wrapper {
    uintptr_t address; /* to which the call returns */
    size_t offset;     /* of the second caller's return address from the stack pointer */
};

#define TT_HASH_FACTOR UINT64_C(0x9E3779B97F4A7C15)
#define TT_WRAPPER_BITS 8
/* Places of a front: those of a heap that is new, and the most. */
#define TT_FRONT_LEAST 128
#define TT_FRONT_BITS 11
#define TT_FRONT_MOST ((size_t)1 << TT_FRONT_BITS)
#define TT_SITE_BIN_SLOTS 256

/* What a small program uses takes few pages: those with the front's first places, and with the end of what is apart
 * from it and the first bins. After a fork, parent and child copy each of them. */
struct tt_thread {
    uintptr_t small_most;  /* the largest size that the fast path allocates, and 1; 0: nobody's */
    size_t front_mask;     /* the front's places less 1 */
    uintptr_t depth_mask;  /* all ones; 0 once depth told too many contexts apart */
    uintptr_t second_mask; /* the same of wrappers' callers */
    uint64_t hash_factor;  /* of contexts' places in the front; odd */
    struct tt_wrapper wrapper; /* the one whose second caller is part of the first look-up's hash; address 0: none */
    struct tt_thread *next; /* all heaps */
    struct tt_thread *next_idle;
    uintptr_t stack_base;           /* where the thread's stack depth is counted from */
    uint32_t misses;                /* of the front, for depth_mask */
    uint32_t rehashed;              /* times, since the thread began */
    uint32_t random;                /* the last number drawn, for samples */
    uint64_t handed;                /* allocations that fronts told of: with the others, the heap's allocation time */
    unsigned uncollected;           /* times that remote frees were left for later */
    size_t leave_at;                /* bytes in use when bins' empty current pages are next looked for */
    unsigned leave_next;            /* the slot of site_bins at which they are until then */
    uint64_t handed_before;         /* when `misses` was last 0 */
    uint64_t witnesses;             /* that were asked for in this heap */
    uint64_t witnessed;             /* when the last was: `handed` */
    uint64_t allocations_before;    /* of the heap, as of the last look */
    uint32_t refills;               /* of sites' bins */
    unsigned thin;                  /* more where refills found few slots lately, fewer where they found many, up to THIN_MOST */
    bool replaces;                  /* whether that says that the thread replaces objects at random */
    uint32_t wrapped;               /* allocations through other wrappers than that one */
    bool has_recent;                /* whether a bin ever had a list of what was freed last */
    bool has_sites;                 /* whether a site ever had a bin */
    bool knows_wrappers;            /* whether there ever was one */
    bool busy;                      /* in an unwinding of ours */
    bool fallback;                  /* shared under a lock by threads that have none */
    unsigned freed_count;
    unsigned freed_most; /* in the batch */
    unsigned common_count;
    uint8_t common_of[TT_CLASSES]; /* where the class's common bin is, and 1; 0: it has none yet */
    _Alignas(64) struct tt_page *_Atomic remote; /* pages that others freed slots of */
    _Alignas(64) struct tt_front front[TT_FRONT_MOST];
    struct tt_bin *class_sites[TT_CLASSES]; /* the bins of sites, by class */
    unsigned char apart[128]; /* so that what follows ends in the page in which the bins begin, as far as a small front needs it */
    struct tt_front_rest front_rest[TT_FRONT_MOST]; /* that of the first place last */
    struct tt_bin common[TT_CLASSES]; /* in the order of their first use */
    struct tt_bin *site_bins[TT_SITE_BIN_SLOTS];
    struct tt_wrapper wrappers[(size_t)1 << TT_WRAPPER_BITS];
    struct tt_freed freed[TT_FREED_MOST]; /* the batch of what was freed of other threads' pages */
};

static inline struct tt_front_rest *tt_front_rest(struct tt_thread *self, const struct tt_front *front) {
    return &self->front_rest[(TT_FRONT_MOST - 1) - (size_t)(front - self->front)];
}

/* Places of the front that are in use; others may ask. */
static inline size_t tt_front_places(const struct tt_thread *thread) {
    return __atomic_load_n(&thread->front_mask, __ATOMIC_RELAXED) + 1;
}

/* Allocations that went through the front and were not told yet; of other threads' fronts about. */
TN_RACY static inline uint32_t tt_front_served(const struct tt_thread *thread, size_t i) {
    return (uint32_t)thread->front_rest[(TT_FRONT_MOST - 1) - i].start - (uint32_t)thread->front[i].count;
}

/* The calling thread's heap; TT_NOBODY before the first allocation and after the thread's end. */
extern TN_THREAD_LOCAL struct tt_thread *tt_self __attribute__((visibility("hidden")));

/* Of a heap with nothing in it only the start is ever read. */
extern uintptr_t tt_nobody_start __attribute__((visibility("hidden")));
#define TT_NOBODY ((struct tt_thread *)(void *)&tt_nobody_start)

/* The context of a call: where it returns to and the caller's stack pointer. */
struct tt_caller {
    uintptr_t address;
    uintptr_t stack;
};

/* The out-of-line half of allocation; NULL and ENOMEM if there is no memory. */
void *tt_allocate_slow(size_t size, uintptr_t address, uintptr_t stack);
/* The front's count ran out: it is a wrapper's, or a sample is due. */
void *tt_allocate_wrapped(size_t size, uintptr_t address, uintptr_t stack, struct tt_front *front);
/* Of a bin that hands out first what was freed last. */
void *tt_allocate_recent(struct tt_bin *bin);
/* What the bin had claimed is used up. */
void *tt_allocate_refill(struct tt_bin *bin);
/* Of freeing: all objects that are not live slots of the calling thread's pages. */
void tt_free_slow(void *object, uintptr_t address);

/* Frees what is a live slot, or a claimed one, of a bin whose frees are not plain. */
void tt_free_watchfully(struct tt_page *page, unsigned char *object, size_t slot, uintptr_t address);

/* Slots of a word of the page that the bin has claimed. */
static inline uint64_t tt_bin_claims(const struct tt_bin *bin, const struct tt_page *page, size_t w) {
    if (bin->claimed != page || bin->claimed_slot / 64 != w) return 0;
    return bin->mask << bin->claimed_slot % 64;
}

/* Called by a local free that reached the page's trigger. */
void tt_page_triggered(struct tt_page *page);

/* Puts a page that is not the bin's current one where its free slots say. */
void tt_page_place(struct tt_bin *bin, struct tt_page *page);

/* The thread's common bin of the class. */
struct tt_bin *tt_common_bin(struct tt_thread *thread, unsigned size_class);

void tt_bin_init(struct tt_bin *bin, struct tt_thread *thread, unsigned size_class, struct tt_site *site);

/* Frees what the calling thread has freed of other threads' pages. */
void tt_free_batch(struct tt_thread *self);

/* Tells the owner of a page that it has remote frees. */
void tt_page_notify(struct tt_segment *segment, size_t index, struct tt_thread *owner);

/* Claims slots for the bin, which has none. False if there is no memory. */
bool tt_bin_refill(struct tt_bin *bin);

/* Asked now and then of a bin that is allocated from: one that has enough slots where it is, of a thread that replaces
 * objects at random, does as the others do. */
void tt_bin_note_replaces(struct tt_bin *bin);

/* Empties the thread's fronts. */
void tt_forget_fronts(struct tt_thread *thread);

/* Makes a heap for the calling thread, or returns NULL if it can have none: it is ending, or there is no memory. */
struct tt_thread *tt_thread_attach(void);

/* A heap for threads that have none, locked; to be given back. NULL if there is no memory. */
struct tt_thread *tt_fallback_take(void);
void tt_fallback_give(void);

/* Gives back what of the heap, which is the calling thread's or nobody's, holds no object. */
void tt_heap_leave(struct tt_thread *thread);

/* The same of heaps whose threads have ended: others may have freed all that they left. */
void tt_threads_leave_idle(void);

/* Pages are told of all that was freed in the heap, which is the calling thread's. */
void tt_heap_forget_recent(struct tt_thread *thread);

/* All heaps, for reports. */
struct tt_thread *tt_threads_first(void);

/* The heap's own allocation time. */
uint64_t tt_thread_allocations(const struct tt_thread *thread);

/* Allocation time (papers/004…, §3): allocations in all heaps. */
uint64_t tt_threads_allocations(void);

void tt_threads_before_fork(void);
void tt_threads_after_fork(bool child);

/* In a process that was just forked. */
void tt_allocate_after_fork(void);

/* The number of the site that allocates a large object. */
uint32_t tt_large_site(uintptr_t address, uintptr_t stack);

#endif
