/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/allocate.h"

#include <errno.h>
#include <string.h>

#include "prim/unwind.h"
#include "tolerant/bundled.h"
#include "tolerant/cold.h"
#include "tolerant/large.h"
#include "tolerant/misuse.h"
#include "tolerant/option.h"
#include "tolerant/sample.h"
#include "tolerant/site.h"

/* Allocations until a segregated context's second caller is looked at again. */
#define COUNT_SEGREGATED 1024
/* The sample of a context at which it is unwound, so that its second caller is known. */
#define SAMPLE_UNWOUND 2
/* The front is judged each time that it was missed so often for each of its places: it is too small, or unlucky, once
 * more than one allocation in so many misses it. In a small process it stays on one page for longer. */
#define MISSES_PER_PLACE 2
#define MISSES_SMALL 1024
#define MISS_PART 64
#define FRONT_GROWTH 4
/* A context is given the place back that it had lost once in so many times that it is found in the other one. */
#define RETURN_PERIOD 8
/* Of a front that has the most places: as it cannot grow, more is borne. */
#define MISS_PART_MOST 16
/* More than this is no bad luck of two contexts: there are too many. */
#define MISS_PART_TOO_MANY 8
#define REHASHES 4
/* Allocations for each unwinding that asks for whom one was. */
#define WITNESS_PERIOD 16384
/* Unwindings that a heap has to begin with, where there is to be a report: a short run's leak may be a small part of
 * what its context allocates. */
#define WITNESSES_FIRST 64
/* Farther than this from the stack pointer, a second caller is not looked for: a wrapper's frame is small. */
#define WRAPPER_FRAME_MOST 160
/* Calls of other wrappers until the one that calls then is the one that is looked up first. */
#define WRAPPED_UNTIL_PREFERRED 65536
/* Bins of sites: in a process of little memory so many, and one for so many pages in use, and those of which so many
 * bytes are known to live; in others so many, and one for so many pages. */
#define LITTLE_BYTES ((size_t)1 * 1024 * 1024)
#define BINS_FREE 12
#define PAGES_PER_BIN 128
#define BYTES_WORTH_BIN ((size_t)128 * 1024)
#define SITE_BINS_FREE 64
#define PAGES_PER_SITE_BIN 16

/* A process has no sites before it uses so much, and its contexts are asked again after so many allocations: a shell's
 * children, say, leak nothing that counts, and each page that they touch costs them a fault. */
#define SMALL_PROCESS_BYTES ((size_t)256 * 1024)
#define COUNT_SMALL 64

static _Atomic size_t site_bin_count;
/* The process is small until it uses so much; 0: it has. One that was forked may have that much more than it began
 * with. */
static _Atomic size_t small_until = SMALL_PROCESS_BYTES;

static size_t bytes_used(void) {
    return atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) +
           atomic_load_explicit(&tt_pages_now.large, memory_order_relaxed);
}

static bool is_small(void) {
    size_t until = atomic_load_explicit(&small_until, memory_order_relaxed);
    if (until == 0 || bytes_used() < until) return until != 0;
    atomic_store_explicit(&small_until, 0, memory_order_relaxed);
    return false;
}

/* Whether the process has been small from the beginning: then a few bins serve it, each four classes. */
static bool is_little(void) {
    return atomic_load_explicit(&small_until, memory_order_relaxed) == SMALL_PROCESS_BYTES && is_small();
}

void tt_allocate_after_fork(void) {
    if (!is_little()) atomic_store_explicit(&small_until, bytes_used() + SMALL_PROCESS_BYTES, memory_order_relaxed);
}

static void *out_of_memory(void) {
    errno = ENOMEM;
    return NULL;
}

/* Tells the front's allocations to its bin and the heap. */
static void settle_front(struct tt_thread *self, struct tt_front *front) {
    uint32_t served = tt_front_served(self, (size_t)(front - self->front));
    self->handed += served;
    if (front->bin != NULL) front->bin->handed += served;
    tt_front_rest(self, front)->start = front->count;
}

static void start_count(struct tt_thread *self, struct tt_front *front, int32_t count) {
    tt_front_rest(self, front)->start = front->count = count;
}

void tt_forget_fronts(struct tt_thread *thread) {
    size_t places = tt_front_places(thread);
    for (size_t i = 0; i < places; i++) settle_front(thread, &thread->front[i]);
    memset(thread->front, 0, places * sizeof *thread->front);
    memset(tt_front_rest(thread, &thread->front[places - 1]), 0, places * sizeof *thread->front_rest);
}

/* The site of the key's objects; NULL while they live in the common heap. */
static struct tt_site *site_of(struct tt_key *key) { return atomic_load_explicit(&key->site, memory_order_acquire); }

/* Whether the key's objects of the class are to have a bin of their own. Each such bin has some pages that are partly
 * used. In a process of little memory a few may be had by any; then there have to be many pages of what the key is
 * known to have. */
static bool is_worth_bin(struct tt_key *key, unsigned size_class) {
    size_t bins = atomic_load_explicit(&site_bin_count, memory_order_relaxed);
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    if (used >= LITTLE_BYTES) return bins <= SITE_BINS_FREE + used / TT_PAGE_BYTES / PAGES_PER_SITE_BIN;
    if (bins < BINS_FREE + used / TT_PAGE_BYTES / PAGES_PER_BIN || key->period == 1) return true;
    return tt_key_objects(key) * tt_class_size(size_class) >= BYTES_WORTH_BIN;
}

/* The bin of the key's site in this heap, made if need be; the common bin while there are too many. */
static struct tt_bin *site_bin(struct tt_thread *self, struct tt_key *key, unsigned size_class) {
    struct tt_site *site = site_of(key);
    struct tt_bin **slot = &self->site_bins[(site->number * TT_CLASSES + size_class) % TT_SITE_BIN_SLOTS];
    for (struct tt_bin *bin = *slot; bin != NULL; bin = bin->next_in_slot)
        if (bin->site == site && bin->size_class == size_class) return bin;
    if (!is_worth_bin(key, size_class)) return tt_common_bin(self, size_class);
    struct tt_bin *bin = tt_metadata(sizeof *bin);
    if (bin == NULL) return tt_common_bin(self, size_class);
    tt_bin_init(bin, self, size_class, site);
    bin->next_in_slot = *slot;
    *slot = bin;
    self->has_sites = true;
    bin->next_of_class = self->class_sites[size_class];
    self->class_sites[size_class] = bin;
    atomic_fetch_add_explicit(&site_bin_count, 1, memory_order_relaxed);
    return bin;
}

/* From now on this thread's calls from there are told apart by their second caller. What the front remembers of them is
 * of all callers together. */
static void learn_wrapper(struct tt_thread *self, uintptr_t address, size_t offset) {
    struct tt_wrapper *wrapper = tt_wrapper_slot(self, address);
    if (wrapper->address == address) return;
    *wrapper = (struct tt_wrapper){.address = address, .offset = offset};
    self->knows_wrappers = true;
    if (self->wrapper.address == 0) self->wrapper = *wrapper;
    tt_forget_fronts(self);
}

static unsigned unwind(struct tt_thread *self, uintptr_t address, uintptr_t *addresses, unsigned most) {
    self->busy = true; /* what unwinding allocates has no site */
    unsigned frames = tn_unwind(address, addresses, most);
    self->busy = false;
    return frames;
}

/* Notes where the context's second caller is found, if it is close. */
static void find_second(struct tt_thread *self, struct tt_key *key, uintptr_t address, uintptr_t stack) {
    uintptr_t addresses[2];
    if (self->busy || unwind(self, address, addresses, 2) < 2) return;
    for (size_t offset = sizeof(uintptr_t); offset <= WRAPPER_FRAME_MOST; offset += sizeof(uintptr_t)) {
        if (tt_second_caller(stack, offset) != addresses[1]) continue;
        key->second = addresses[1];
        __atomic_store_n(&key->offset, (uint16_t)offset, __ATOMIC_RELEASE);
        return;
    }
}

/* Whether the function's calls come from another caller than was noted: then it is a wrapper, and its callers are
 * counted one by one from now on. */
static bool is_wrapper(struct tt_thread *self, struct tt_key *key, uintptr_t address, uintptr_t stack) {
    uint16_t offset = __atomic_load_n(&key->offset, __ATOMIC_ACQUIRE);
    if (offset == 0 || self->second_mask == 0) return false;
    if (!atomic_load_explicit(&key->wrapper, memory_order_relaxed)) {
        if (tt_second_caller(stack, offset) == key->second) return false;
        atomic_store_explicit(&key->wrapper, true, memory_order_relaxed);
    }
    learn_wrapper(self, address, offset);
    return true;
}

/* Gives the key its site. */
static struct tt_site *segregate(struct tt_thread *self, struct tt_key *key, uintptr_t address) {
    struct tt_site *site = site_of(key);
    if (site != NULL || self->busy) return site;
    uintptr_t addresses[TT_STACK_FRAMES];
    site = tt_site_of(addresses, unwind(self, address, addresses, TT_STACK_FRAMES));
    atomic_store_explicit(&key->site, site, memory_order_release);
    return site;
}

/* The key of a context; 0 if it has none. */
static uint32_t key_of(struct tt_thread *self, uintptr_t address, uintptr_t second, uintptr_t stack) {
    if (self->busy || tt_option(TT_OPTION_SITES) == 0 || is_small()) return 0;
    return tt_key_of(address, second & self->second_mask, (self->stack_base - stack) & self->depth_mask);
}

/* Where the second caller is found; 0 if the address is not known for a wrapper's. */
static size_t wrapper_offset(struct tt_thread *self, uintptr_t address) {
    if (!self->knows_wrappers) return 0;
    if (self->wrapper.address == address) return self->wrapper.offset;
    const struct tt_wrapper *wrapper = tt_wrapper_slot(self, address);
    return wrapper->address == address ? wrapper->offset : 0;
}

/* Allocations until the next sample: from half of the period to one and a half, at random, or a program that allocates
 * in a rhythm would be asked at the same beat each time, and never about what it keeps. */
static int32_t until_sample(struct tt_thread *self, unsigned period) {
    self->random = self->random * UINT32_C(1664525) + UINT32_C(1013904223);
    return (int32_t)(period / 2 + (unsigned)((uint64_t)self->random * period >> 32));
}

static void point_front(struct tt_thread *self, struct tt_front *front, struct tt_key *key, unsigned size_class) {
    struct tt_site *site = key == NULL ? NULL : site_of(key);
    settle_front(self, front);
    /* The last of four: what is aligned by its class's size is by this one's. */
    if (site == NULL && is_little()) size_class |= 3;
    front->bin = site == NULL ? tt_common_bin(self, size_class) : site_bin(self, key, size_class);
    unsigned period = COUNT_SEGREGATED;
    if (key == NULL && is_small())
        period = COUNT_SMALL;
    else if (key != NULL && front->bin->site == NULL)
        period = key->period;
    start_count(self, front, until_sample(self, period));
    if (self->replaces) tt_bin_note_replaces(front->bin);
}

/* Of a front that has grown as far as it may: two contexts that are used all the time may have one place, and others
 * are tried. If that does not help, as when a program allocates at very many depths of recursion or on many stacks, the
 * depth is left out of the thread's contexts; if that is not enough, so are second callers. */
static void tell_less_apart(struct tt_thread *self, bool too_many) {
    if (!too_many && self->rehashed++ < REHASHES) {
        tt_forget_fronts(self);
        self->hash_factor = (self->hash_factor + 2) * TT_HASH_FACTOR;
        return;
    }
    if (self->depth_mask == 0) {
        self->second_mask = 0;
        self->wrapper.address = 0;
    }
    self->depth_mask = 0;
}

/* Counts a context that the front does not know; true if the front is another now. */
static bool count_miss(struct tt_thread *self) {
    size_t places = tt_front_places(self);
    uint32_t most = (uint32_t)(places < TT_FRONT_MOST ? places * MISSES_PER_PLACE : places);
    if (most < MISSES_SMALL && is_small()) most = MISSES_SMALL;
    if (++self->misses < most) return false;
    uint64_t handed = tt_thread_allocations(self), since = handed - self->handed_before;
    bool changes = since / (places < TT_FRONT_MOST ? MISS_PART : MISS_PART_MOST) < self->misses;
    if (changes && places < TT_FRONT_MOST) {
        tt_forget_fronts(self);
        __atomic_store_n(&self->front_mask, places * FRONT_GROWTH - 1, __ATOMIC_RELAXED);
    } else if (changes) {
        tell_less_apart(self, since / MISS_PART_TOO_MANY < self->misses);
    }
    self->misses = 0;
    self->handed_before = handed;
    return changes;
}

/* Where a context that gave up its place in the front to another is looked for. */
static struct tt_front *other_place(struct tt_thread *self, const struct tt_front *front) {
    return &self->front[(size_t)(front - self->front) ^ self->front_mask];
}

/* Makes room for another context in the front. */
static void displace(struct tt_thread *self, struct tt_front *front) {
    struct tt_front *other = other_place(self, front);
    if (front->tag == 0) return;
    settle_front(self, other);
    *other = *front;
    *tt_front_rest(self, other) = *tt_front_rest(self, front);
    *front = (struct tt_front){0};
    *tt_front_rest(self, front) = (struct tt_front_rest){0};
}

/* The other place of a context that is not in its own, which counts one if that is to be; NULL if it is not there. Now
 * and then the two places' contexts change about, so that the one that is used more comes to have the first. */
static struct tt_front *find_displaced(struct tt_thread *self, struct tt_front *front, uint32_t tag, bool counts) {
    struct tt_front *other = other_place(self, front), mine = *other;
    if (mine.tag != tag || mine.bin == NULL) return NULL;
    if (counts) mine.count--;
    if ((uint32_t)mine.count % RETURN_PERIOD != 0) {
        other->count = mine.count;
        return other;
    }
    struct tt_front_rest rest = *tt_front_rest(self, other);
    *other = *front;
    *tt_front_rest(self, other) = *tt_front_rest(self, front);
    *front = mine;
    *tt_front_rest(self, front) = rest;
    return front;
}

static void fill_front(struct tt_thread *self, struct tt_front *front, uint32_t tag, uint32_t key, unsigned size_class) {
    if (front->tag != tag) displace(self, front);
    settle_front(self, front);
    front->bin = NULL;
    front->tag = tag;
    tt_front_rest(self, front)->key = key;
    point_front(self, front, tt_key_at(key), size_class);
}

/* The place in the front of a wrapper's call with that second caller. */
static struct tt_front *second_front(struct tt_thread *self, uintptr_t address, uintptr_t stack, uintptr_t second, unsigned size_class,
                                     uint32_t *tag) {
    uint64_t context = tt_context(self, address, stack) ^ (second & self->second_mask);
    uint64_t hash = tt_front_hash(context, size_class, self->hash_factor);
    *tag = tt_front_tag(hash);
    return tt_front_slot(self, hash);
}

/* The context's place in the front, filled. The front of a wrapper's calls leads to that of its second caller. counts:
 * the allocation is to be counted where the fast path did not come to it. */
static struct tt_front *front_of(struct tt_thread *self, uintptr_t address, uintptr_t stack, unsigned size_class, bool counts) {
    uint64_t hash = tt_front_hash(tt_context(self, address, stack), size_class, self->hash_factor);
    uint32_t tag = tt_front_tag(hash);
    struct tt_front *front = tt_front_slot(self, hash);
    if (front->tag == tag && front->bin != NULL) return front;
    struct tt_front *displaced = find_displaced(self, front, tag, counts);
    if (displaced != NULL) return displaced;
    size_t offset = wrapper_offset(self, address);
    uintptr_t second = 0;
    if (offset != 0) second = tt_second_caller(stack, offset);
    if (offset != 0 && address != self->wrapper.address) {
        bool came_by = front->tag == tag; /* the fast path, as far as the second caller's */
        if (front->tag != tag) displace(self, front);
        settle_front(self, front);
        *front = (struct tt_front){.tag = tag};
        *tt_front_rest(self, front) = (struct tt_front_rest){.key = (uint32_t)offset};
        front = second_front(self, address, stack, second, size_class, &tag);
        if (!came_by && front->tag == tag && front->bin != NULL && counts) front->count--;
    }
    if (front->tag == tag && front->bin != NULL) return front;
    if (offset != 0 && (displaced = find_displaced(self, front, tag, counts)) != NULL) return displaced;
    if (count_miss(self)) return front_of(self, address, stack, size_class, counts);
    fill_front(self, front, tag, key_of(self, address, second, stack), size_class);
    return front;
}

/* Whether the allocation is to have a witness: the first, second, fourth … time that a context's count runs out, so
 * that contexts of few allocations are heard too, and as often as unwinding may cost. */
static bool wants_witness(struct tt_thread *self, struct tt_key *key) {
    uint32_t times = ++key->sampled;
    uint64_t first = tt_option_report() != NULL ? WITNESSES_FIRST : 0;
    if (self->busy || self->handed / WITNESS_PERIOD + first <= self->witnesses) return false;
    if (self->witnesses >= first && (times & (times - 1)) != 0 && self->handed < self->witnessed + 2 * WITNESS_PERIOD) return false;
    self->witnesses++;
    self->witnessed = self->handed;
    return true;
}

/* Callers beyond those that tell sites apart, and wrappers that hide them, are known of single objects: those that live
 * on say for whom the site grows. NULL if the object is to come from the bin. */
static void *witness(struct tt_thread *self, struct tt_key *key, uintptr_t address, unsigned size_class) {
    if (!wants_witness(self, key)) return NULL;
    uintptr_t addresses[TT_WITNESS_STACK];
    unsigned frames = unwind(self, address, addresses, TT_WITNESS_STACK);
    uint32_t stands = tt_witness_add(site_of(key), tt_class_size(size_class), addresses, frames);
    if (stands == 0) return NULL;
    void *object = tt_sample_allocate(size_class, stands);
    if (object == NULL) tt_witness_gone(stands);
    return object;
}

/* The context's count ran out: one object on a page of samples, and perhaps a heap of its own from now on. NULL if the
 * object is to come from the bin of its front, which may be another now. */
static void *sample(struct tt_thread *self, struct tt_front *front, uintptr_t address, uintptr_t stack,
                    unsigned size_class) {
    uint32_t index = tt_front_rest(self, front)->key;
    struct tt_key *key = tt_key_at(index);
    if (key == NULL) {
        settle_front(self, front);
        if (is_small())
            start_count(self, front, until_sample(self, COUNT_SMALL));
        else
            front->bin = NULL; /* it is filled anew: there may be keys by now */
        return NULL;
    }
    if (is_wrapper(self, key, address, stack)) return NULL;
    if (site_of(key) != NULL) {
        point_front(self, front, key, size_class);
        return witness(self, key, address, size_class);
    }
    uint32_t mark;
    if (tt_key_sampled(key, index, size_class, &mark) && is_worth_bin(key, size_class)) {
        (void)segregate(self, key, address);
        key->sampled = 0;
        point_front(self, front, key, size_class);
        return NULL;
    }
    settle_front(self, front);
    start_count(self, front, until_sample(self, key->period));
    if (key->sampled == SAMPLE_UNWOUND && wrapper_offset(self, address) == 0) find_second(self, key, address, stack);
    void *object = tt_sample_allocate(size_class, mark);
    if (object == NULL) tt_key_released(mark);
    return object;
}

void *tt_allocate_refill(struct tt_bin *bin) {
    if (!tt_bin_refill(bin)) return out_of_memory();
    return tt_take_first(bin, *bin->word);
}

static void *take_word(struct tt_bin *bin) { return *bin->word == 0 ? tt_allocate_refill(bin) : tt_take_first(bin, *bin->word); }

void *tt_allocate_recent(struct tt_bin *bin) {
    if (tn_unlikely(__atomic_load_n(&bin->cold, __ATOMIC_RELAXED))) tt_recent_shorten(bin, 0);
    void *recent = tt_recent_take(bin);
    return tn_likely(recent != NULL) ? recent : take_word(bin);
}

static void *take(struct tt_bin *bin) { return bin->frees == TT_FREES_RECENT ? tt_allocate_recent(bin) : take_word(bin); }

/* Calls of one wrapper are told apart in one look-up. The more often another is called, the sooner it takes that
 * place. */
static void prefer_wrapper(struct tt_thread *self, uintptr_t address) {
    size_t offset = wrapper_offset(self, address);
    if (offset == 0 || self->second_mask == 0) return;
    self->wrapper = (struct tt_wrapper){address, offset};
    tt_forget_fronts(self);
}

void *tt_allocate_wrapped(size_t size, uintptr_t address, uintptr_t stack, struct tt_front *front) {
    if (tn_likely(front->bin == NULL)) {
        struct tt_thread *self = tt_self;
        uint32_t tag;
        front->count = 0;
        if (tn_unlikely(++self->wrapped % WRAPPED_UNTIL_PREFERRED == 0)) {
            prefer_wrapper(self, address);
            return tt_allocate_slow(size, address, stack);
        }
        uintptr_t second = tt_second_caller(stack, tt_front_rest(self, front)->key);
        front = second_front(self, address, stack, second, tt_class_of(size), &tag);
        if (tn_likely(front->tag == tag && tt_count_down(front) >= 0)) {
            struct tt_bin *bin = front->bin; /* there is one, or the count would be used up */
            return take(bin);
        }
    }
    return tt_allocate_slow(size, address, stack);
}

static void *allocate_fallback(unsigned size_class) {
    struct tt_thread *fallback = tt_fallback_take();
    if (fallback == NULL) return out_of_memory();
    void *object = take(tt_common_bin(fallback, size_class));
    tt_fallback_give();
    return object;
}

/* Who allocates a large object: unwound at its context's first. */
uint32_t tt_large_site(uintptr_t address, uintptr_t stack) {
    struct tt_thread *self = tt_self;
    tt_cold_tick(tn_clock_coarse_milliseconds());
    if (self == TT_NOBODY) self = tt_thread_attach();
    if (self == NULL) return 0;
    size_t offset = wrapper_offset(self, address);
    uintptr_t second = offset == 0 ? 0 : tt_second_caller(stack, offset);
    struct tt_key *key = tt_key_at(key_of(self, address, second, stack));
    struct tt_site *site = key == NULL ? NULL : segregate(self, key, address);
    self->handed++;
    if (site == NULL) return 0;
    atomic_fetch_add_explicit(&site->large_allocated, 1, memory_order_relaxed);
    return site->number;
}

void *tt_allocate_slow(size_t size, uintptr_t address, uintptr_t stack) {
    if (tn_unlikely(tt_bundled())) return tt_bundled_allocate(size);
    if (size > TT_SMALL_MOST) {
        bool zero;
        void *object = tt_large_allocate(size, 1, tt_large_site(address, stack), &zero);
        return object != NULL ? object : out_of_memory();
    }
    unsigned size_class = tt_class_of(size);
    struct tt_thread *self = tt_self;
    if (self == TT_NOBODY && (self = tt_thread_attach()) == NULL) return allocate_fallback(size_class);
    bool may_be_counted = tt_class_size(size_class) <= TT_TABLE_MOST; /* by the fast path, if it came to the front */
    struct tt_front *front = front_of(self, address, stack, size_class, may_be_counted);
    if (!may_be_counted) front->count--;
    if (tt_front_served(self, (size_t)(front - self->front)) == 0) tt_front_rest(self, front)->start++; /* but of a front that was not there yet */
    if (front->count < 0) {
        if (self->replaces) tt_cold_tick(tn_clock_coarse_milliseconds()); /* which refills do otherwise */
        const struct tt_bin *before = front->bin; /* which the allocation is told to */
        void *object = sample(self, front, address, stack, size_class);
        if (object != NULL) return object;
        front = front_of(self, address, stack, size_class, false);
        if (front->bin != before) front->bin->handed++;
    }
    return take(front->bin);
}

/* Sets the bit of a live slot. */
static void set_free(struct tt_page *page, size_t slot) {
    uint64_t *word = &page->free[slot >> 6];
    tt_bits_set(word, *word | (uint64_t)1 << (slot & 63));
    if (tn_unlikely(--page->until == 0)) tt_page_triggered(page);
}

/* Of a bin that has claimed others of its slots, or whose list of what was freed last is full. */
void tt_free_watchfully(struct tt_page *page, unsigned char *object, size_t slot, uintptr_t address) {
    struct tt_bin *bin = page->bin;
    if (bin->frees == TT_FREES_RECENT) {
        /* While the slot's bit is not set: the page is not found to hold nothing. */
        tt_recent_shorten(bin, TT_RECENT_MOST / 2);
        uint64_t *word = &page->free[slot >> 6], bit = (uint64_t)1 << (slot & 63);
        tt_note_free(object, address);
        tt_bits_set(word, *word | bit);
        tt_recent_add(bin, object, word, bit);
        return;
    }
    if ((tt_bin_claims(bin, page, slot >> 6) >> (slot & 63) & 1) != 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    tt_note_free(object, address);
    set_free(page, slot);
}

/* Sets the remote bit of an object of another thread's page, and returns its size. The owner's bits are looked at in
 * passing: of a page that is being used they may be out of date, and what that misses the owner sees when it
 * collects. */
static size_t free_remote(struct tt_segment *segment, unsigned char *object, uintptr_t address) {
    size_t offset = (uintptr_t)object & (TT_SEGMENT_BYTES - 1);
    size_t index = offset >> TT_PAGE_SHIFT;
    uintptr_t heap = atomic_load_explicit(&segment->heaps[index], memory_order_acquire);
    size_t first = index - tt_word_back(heap);
    struct tt_page *page = &segment->pages[first];
    unsigned slot = tt_slot_at(page, offset - (first << TT_PAGE_SHIFT));
    /* It was someone's when the object was freed: where the page is nobody's by now, somebody else freed it too. */
    if (heap == 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    if (slot >= page->slots) tt_misuse(TT_MISUSE_INVALID_FREE, object, address);
    if ((tt_bits(&page->free[slot >> 6]) >> (slot & 63) & 1) != 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    if (!atomic_load_explicit(&segment->freed_remotely, memory_order_relaxed))
        atomic_store_explicit(&segment->freed_remotely, true, memory_order_relaxed);
    uint64_t bit = (uint64_t)1 << (slot & 63);
    size_t size = page->size; /* once its bit is set, the page may become another */
    tt_note_free(object, address);
    uint64_t before = atomic_fetch_or(&segment->remotes[first].freed[slot >> 6], bit);
    if ((before & bit) != 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    tt_page_notify(segment, first, tt_heap_of(heap));
    return size;
}

/* The lines of all pages are asked for before the first is written: the processor waits for many at a time. */
void tt_free_batch(struct tt_thread *self) {
    unsigned count = self->freed_count;
    size_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        struct tt_segment *segment = tt_segment_of(self->freed[i].object);
        size_t index = ((uintptr_t)self->freed[i].object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
        index -= tt_word_back(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed));
        tn_prefetch_to_write(&segment->remotes[index]);
        __builtin_prefetch(&segment->pages[index], 0);
    }
    self->freed_count = 0;
    for (unsigned i = 0; i < count; i++) {
        struct tt_freed *freed = &self->freed[i];
        bytes += free_remote(tt_segment_of(freed->object), freed->object, freed->address);
    }
    size_t part = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) / TT_FREED_PART;
    size_t most = count == 0 ? TT_FREED_MOST : (part < TT_FREED_BYTES ? part : TT_FREED_BYTES) / (bytes / count);
    self->freed_most = most > TT_FREED_MOST ? TT_FREED_MOST : most < 1 ? 1 : (unsigned)most;
}

/* Adds an object of another thread's page to the batch. */
static void free_later(struct tt_segment *segment, unsigned char *object, uintptr_t address) {
    struct tt_thread *self = tt_self;
    if (self == TT_NOBODY) {
        (void)free_remote(segment, object, address);
        return;
    }
    tn_prefetch_to_write(object);
    self->freed[self->freed_count++] = (struct tt_freed){object, address};
    if (self->freed_count >= self->freed_most) tt_free_batch(self);
}

/* An object in a segment. */
static void free_in_segment(struct tt_segment *segment, void *object, uintptr_t address) {
    size_t offset = (uintptr_t)object & (TT_SEGMENT_BYTES - 1);
    size_t index = offset >> TT_PAGE_SHIFT;
    size_t back = segment->pages[index].back;
    struct tt_page *page = &segment->pages[index - back];
    size_t within = offset - ((index - back) << TT_PAGE_SHIFT);
    switch (page->kind) {
    case TT_PAGE_LARGE:
        if (!tt_large_free_span(page, object)) tt_misuse(TT_MISUSE_INVALID_FREE, object, address);
        return;
    case TT_PAGE_SAMPLE:
        switch (tt_sample_free(page, tt_slot_at(page, within))) {
        case TT_SAMPLE_FREED: return;
        case TT_SAMPLE_DOUBLE: tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
        case TT_SAMPLE_INVALID: break;
        }
        break;
    case TT_PAGE_SLOTS:
        /* One of this thread's, or of nobody: it would not be here if it were as it should be. */
        if (tt_slot_at(page, within) < page->slots) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
        break;
    default: break;
    }
    tt_misuse(TT_MISUSE_INVALID_FREE, object, address);
}

void tt_free_slow(void *object, uintptr_t address) {
    if (object == NULL) return;
    int error = errno;
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment != NULL) {
        size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
        struct tt_thread *owner = tt_heap_of(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed));
        if (owner != NULL && owner != tt_self)
            free_later(segment, object, address);
        else
            free_in_segment(segment, object, address);
    } else if (!tt_large_free_mapping(object) && !tt_bundled_free(object)) {
        tt_misuse(TT_MISUSE_FOREIGN_FREE, object, address);
    }
    errno = error;
}
