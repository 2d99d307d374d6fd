/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/allocate.h"

#include <errno.h>

#include "prim/unwind.h"
#include "tolerant/cold.h"
#include "tolerant/large.h"
#include "tolerant/misuse.h"
#include "tolerant/option.h"
#include "tolerant/sample.h"
#include "tolerant/site.h"

/* Allocations until a segregated context is looked at again. */
#define COUNT_SEGREGATED INT32_MAX
#define WINDOW 4096
/* Farther than this from the stack pointer, a second caller is not looked for: a wrapper's frame is small. */
#define WRAPPER_FRAME_MOST 160
/* Pages that the bins of sites may leave partly used: this many, and one for so many pages in use. */
#define SITE_BINS_FREE 64
#define PAGES_PER_SITE_BIN 16

static _Atomic size_t site_bin_count;

static void *out_of_memory(void) {
    errno = ENOMEM;
    return NULL;
}

/* The bin of the site in this heap, made if need be; the common bin while there are too many. */
static struct tt_bin *site_bin(struct tt_thread *self, struct tt_site *site, unsigned size_class) {
    struct tt_bin **slot = &self->site_bins[(site->number * TT_CLASSES + size_class) % TT_SITE_BIN_SLOTS];
    for (struct tt_bin *bin = *slot; bin != NULL; bin = bin->next_in_slot)
        if (bin->site == site && bin->size_class == size_class) return bin;
    size_t bins = atomic_load_explicit(&site_bin_count, memory_order_relaxed);
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) / TT_PAGE_BYTES;
    if (bins > SITE_BINS_FREE + used / PAGES_PER_SITE_BIN) return &self->common[size_class];
    struct tt_bin *bin = tt_metadata(sizeof *bin);
    if (bin == NULL) return &self->common[size_class];
    tt_bin_init(bin, self, size_class, site);
    bin->next_in_slot = *slot;
    *slot = bin;
    atomic_fetch_add_explicit(&site_bin_count, 1, memory_order_relaxed);
    return bin;
}

/* The site of the key's objects; NULL while they live in the common heap. */
static struct tt_site *site_of(struct tt_key *key) { return atomic_load_explicit(&key->site, memory_order_acquire); }

/* Notes where the second caller is found, if it is close; true if that was not known before. */
static __attribute__((no_sanitize("address"))) bool learn_wrapper(struct tt_thread *self, uintptr_t address,
                                                                  uintptr_t stack, uintptr_t second) {
    typedef uintptr_t TN_MAY_ALIAS word;
    struct tt_wrapper *wrapper = tt_wrapper_slot(self, address);
    if (wrapper->address != 0) return false;
    for (size_t offset = sizeof(word); offset <= WRAPPER_FRAME_MOST; offset += sizeof(word)) {
        if (*(const word *)(const void *)((const unsigned char *)stack + offset) != second) continue;
        wrapper->offset = offset;
        wrapper->address = address;
        return true;
    }
    return false;
}

/* Gives the key its site. The first time that a function's calls keep objects, only the place of its own caller is
 * learned: its callers are then counted one by one. */
static struct tt_site *segregate(struct tt_thread *self, struct tt_key *key, uintptr_t address, uintptr_t stack) {
    struct tt_site *site = site_of(key);
    if (site != NULL || self->busy) return site;
    uintptr_t addresses[TT_STACK_FRAMES];
    self->busy = true; /* what unwinding allocates has no site */
    unsigned frames = tn_unwind(address, addresses, TT_STACK_FRAMES);
    self->busy = false;
    if (frames > 1 && learn_wrapper(self, address, stack, addresses[1])) return NULL;
    site = tt_site_of(addresses, frames);
    atomic_store_explicit(&key->site, site, memory_order_release);
    return site;
}

/* The key of a context. */
static uint32_t key_of(struct tt_thread *self, uintptr_t address, uintptr_t stack) {
    if (self->busy || tt_option(TT_OPTION_SITES) == 0) return 0;
    uintptr_t depth = (self->stack_base - stack) & self->depth_mask;
    return tt_key_of(address, tt_second_caller(self, address, stack), depth);
}

static void point_front(struct tt_thread *self, struct tt_front *front, struct tt_key *key, unsigned size_class) {
    struct tt_site *site = key == NULL ? NULL : site_of(key);
    front->bin = site == NULL ? &self->common[size_class] : site_bin(self, site, size_class);
    if (front->bin->site != NULL || key == NULL)
        front->count = COUNT_SEGREGATED;
    else
        front->count = key->period - 1;
}

/* Once more than one allocation in 16 misses, as when a program allocates at very many depths of recursion or on many
 * stacks, the depth is left out of the thread's contexts. */
static void count_miss(struct tt_thread *self) {
    if (++self->misses < WINDOW) return;
    if ((self->handed - self->handed_before) / 16 < WINDOW) self->depth_mask = 0;
    self->misses = 0;
    self->handed_before = self->handed;
}

static void fill_front(struct tt_thread *self, struct tt_front *front, uint64_t tag, uintptr_t address, uintptr_t stack,
                       unsigned size_class) {
    count_miss(self);
    front->tag = tag;
    front->key = key_of(self, address, stack);
    point_front(self, front, tt_key_at(front->key), size_class);
}

/* The context's count ran out: one object on a page of samples, and perhaps a heap of its own from now on. NULL if the
 * object is to come from the front's bin. */
static void *sample(struct tt_thread *self, struct tt_front *front, uintptr_t address, uintptr_t stack,
                    unsigned size_class) {
    struct tt_key *key = tt_key_at(front->key);
    if (key == NULL || site_of(key) != NULL) {
        point_front(self, front, key, size_class);
        return NULL;
    }
    if (tt_key_sampled(key)) {
        (void)segregate(self, key, address, stack);
        point_front(self, front, key, size_class);
        return NULL;
    }
    front->count = key->period - 1;
    return tt_sample_allocate(size_class, front->key);
}

/* Makes the next slots that the bin has claimed its row, and takes the first; the mask is not 0. */
static void *next_row(struct tt_bin *bin) {
    unsigned skipped = (unsigned)__builtin_ctzll(bin->mask);
    uint64_t mask = bin->mask >> skipped;
    unsigned char *object = bin->limit + skipped * bin->size;
    unsigned length = mask == ~(uint64_t)0 ? 64 : (unsigned)__builtin_ctzll(~mask);
    bin->mask = length == 64 ? 0 : mask >> length;
    bin->limit = object + length * bin->size;
    bin->cursor = object + bin->size;
    return object;
}

static void *take(struct tt_bin *bin) {
    for (;;) {
        if ((size_t)(bin->limit - bin->cursor) >= bin->size) {
            void *object = bin->cursor;
            bin->cursor += bin->size;
            return object;
        }
        if (bin->mask != 0) return next_row(bin);
        if (!tt_bin_refill(bin)) return out_of_memory();
    }
}

void *tt_allocate_row(struct tt_bin *bin) { return bin->mask != 0 ? next_row(bin) : take(bin); }

static void *allocate_fallback(unsigned size_class) {
    struct tt_thread *fallback = tt_fallback_take();
    if (fallback == NULL) return out_of_memory();
    void *object = take(&fallback->common[size_class]);
    tt_fallback_give();
    return object;
}

/* Who allocates a large object: unwound at its context's first. */
uint32_t tt_large_site(uintptr_t address, uintptr_t stack) {
    struct tt_thread *self = tt_self;
    if (self == &tt_nobody) self = tt_thread_attach();
    if (self == NULL) return 0;
    struct tt_key *key = tt_key_at(key_of(self, address, stack));
    struct tt_site *site = key == NULL ? NULL : segregate(self, key, address, stack);
    return site == NULL ? 0 : site->number;
}

void *tt_allocate_slow(size_t size, uintptr_t address, uintptr_t stack) {
    if (size > TT_SMALL_MOST) {
        bool zero;
        tt_cold_tick();
        void *object = tt_large_allocate(size, 1, tt_large_site(address, stack), &zero);
        return object != NULL ? object : out_of_memory();
    }
    unsigned size_class = tt_class_of(size);
    struct tt_thread *self = tt_self;
    if (self == &tt_nobody && (self = tt_thread_attach()) == NULL) return allocate_fallback(size_class);
    uint64_t tag = tt_front_tag(self, address, stack, size_class);
    struct tt_front *front = tt_front_slot(self, tag);
    if (front->tag != tag || front->bin->size_class != size_class)
        fill_front(self, front, tag, address, stack, size_class);
    if (front->count < 0) {
        void *object = sample(self, front, address, stack, size_class);
        if (object != NULL) return object;
    }
    return take(front->bin);
}

static void free_remote(struct tt_page *page, struct tt_thread *owner, unsigned slot, void *object, uintptr_t address) {
    uint64_t bit = (uint64_t)1 << (slot & 63);
    tt_note_free(object, address);
    uint64_t before = atomic_fetch_or_explicit(&page->remote[slot >> 6], bit, memory_order_release);
    if ((before & bit) != 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
    tt_page_notify(page, owner);
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
    case TT_PAGE_SLOTS: {
        struct tt_thread *owner = atomic_load_explicit(&page->owner, memory_order_acquire);
        unsigned slot = tt_slot_at(page, within);
        if (owner == NULL || slot >= page->slots) break;
        if ((tt_bits(&page->free[slot >> 6]) >> (slot & 63) & 1) != 0) tt_misuse(TT_MISUSE_DOUBLE_FREE, object, address);
        free_remote(page, owner, slot, object, address);
        return;
    }
    default: break;
    }
    tt_misuse(TT_MISUSE_INVALID_FREE, object, address);
}

void tt_free_slow(void *object, uintptr_t address) {
    if (object == NULL) return;
    int error = errno;
    struct tt_segment *segment = tt_segment_of(object);
    if (segment != NULL)
        free_in_segment(segment, object, address);
    else if (!tt_large_free_mapping(object))
        tt_misuse(TT_MISUSE_FOREIGN_FREE, object, address);
    errno = error;
}
