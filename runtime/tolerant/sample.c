/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/sample.h"

#include "prim/lock.h"
#include "tolerant/allocate.h"
#include "tolerant/site.h"

static tn_lock lock = TN_LOCK_INITIALIZER;
/* Pages with free slots, by class. */
static struct tt_page *room[TT_CLASSES];
/* Pages on which no sample lives, and that are kept for the next: the classes of the last few. */
#define KEPT_MOST 4
#define LITTLE_BYTES ((size_t)5 * 1024 * 1024)
static struct tt_page *kept[KEPT_MOST];
static unsigned kept_next;
/* Arrays of keys of pages that were given back, by number of slots. */
static TN_SPARSE uint32_t *spare_keys[TT_SLOTS_MOST + 1];

static uint32_t *take_keys(unsigned slots) {
    uint32_t *keys = spare_keys[slots];
    if (keys == NULL) return tt_metadata((slots < 2 ? 2 : slots) * sizeof *keys);
    __builtin_memcpy(&spare_keys[slots], keys, sizeof spare_keys[0]);
    return keys;
}

static void give_keys(uint32_t *keys, unsigned slots) {
    __builtin_memcpy(keys, &spare_keys[slots], sizeof spare_keys[0]);
    spare_keys[slots] = keys;
}

static void link_room(struct tt_page *page, unsigned size_class) {
    page->previous = NULL;
    page->next = room[size_class];
    if (page->next != NULL) page->next->previous = page;
    room[size_class] = page;
    page->listed = 1;
}

static void unlink_room(struct tt_page *page, unsigned size_class) {
    if (page->previous != NULL)
        page->previous->next = page->next;
    else
        room[size_class] = page->next;
    if (page->next != NULL) page->next->previous = page->previous;
    page->listed = 0;
}

static void give_page(struct tt_page *page, unsigned size_class) {
    unlink_room(page, size_class);
    give_keys(page->sample.keys, page->slots);
    tt_pages_give(page);
}

/* A page on which no sample lives any more takes the place of the one that has been kept longest. */
static void keep(struct tt_page *page) {
    struct tt_page **place = &kept[kept_next++ % KEPT_MOST], *longest = *place;
    *place = page;
    page->probe = 1;
    if (longest != NULL) give_page(longest, tt_class_of(longest->size));
}

/* One that is kept is used again. */
static void forget_kept(struct tt_page *page) {
    for (unsigned i = 0; i < KEPT_MOST; i++)
        if (kept[i] == page) kept[i] = NULL;
    page->probe = 0;
}

static struct tt_page *new_page(unsigned size_class) {
    size_t size = tt_class_size(size_class);
    size_t pages = (size + TT_PAGE_BYTES - 1) / TT_PAGE_BYTES;
    size_t slots = pages * TT_PAGE_BYTES / size;
    uint32_t *keys = take_keys((unsigned)slots);
    if (keys == NULL) return NULL;
    bool zero;
    struct tt_page *page = tt_pages_take(pages, 1, TT_PAGE_SAMPLE, &zero);
    if (page == NULL) {
        give_keys(keys, (unsigned)slots);
        return NULL;
    }
    page->size = (uint32_t)size;
    page->reciprocal = (uint32_t)((((uint64_t)1 << 32) + size - 1) / size);
    page->slots = (uint16_t)slots;
    page->sample.free = (uint32_t)slots;
    page->sample.keys = keys;
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
        uint64_t word = slots >= (w + 1) * 64 ? ~(uint64_t)0 : slots > w * 64 ? ((uint64_t)1 << (slots - w * 64)) - 1 : 0;
        tt_bits_set(&page->free[w], word);
    }
    link_room(page, size_class);
    return page;
}

/* In a process of little memory, samples of many classes share a page: they lie in slots of the next power of two. */
static unsigned slot_class(unsigned size_class) {
    if (atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) >= LITTLE_BYTES) return size_class;
    unsigned low = size_class;
    for (unsigned bits = 1; bits < 8; bits *= 2) low |= low >> bits;
    return size_class >= 16 ? size_class | 7 : low | 1;
}

void *tt_sample_allocate(unsigned size_class, uint32_t key) {
    size_class = slot_class(size_class);
    tn_lock_acquire(&lock);
    struct tt_page *page = room[size_class];
    if (page == NULL) page = new_page(size_class);
    void *object = NULL;
    if (page != NULL) {
        unsigned w = 0;
        while (page->free[w] == 0) w++;
        unsigned slot = w * 64 + (unsigned)__builtin_ctzll(page->free[w]);
        tt_bits_set(&page->free[w], page->free[w] & (page->free[w] - 1));
        page->sample.keys[slot] = key;
        if (page->probe != 0) forget_kept(page);
        if (--page->sample.free == 0) unlink_room(page, size_class);
        object = tt_page_base(page) + slot * page->size;
    }
    tn_lock_release(&lock);
    return object;
}

enum tt_sample_end tt_sample_free(struct tt_page *page, unsigned slot) {
    enum tt_sample_end end = TT_SAMPLE_FREED;
    tn_lock_acquire(&lock);
    uint64_t bit = (uint64_t)1 << (slot & 63);
    if (page->kind != TT_PAGE_SAMPLE || slot >= page->slots) {
        end = TT_SAMPLE_INVALID;
    } else if ((page->free[slot >> 6] & bit) != 0) {
        end = TT_SAMPLE_DOUBLE;
    } else {
        tt_bits_set(&page->free[slot >> 6], page->free[slot >> 6] | bit);
        uint32_t index = page->sample.keys[slot]; /* a mark, or a witness's key */
        if ((index & TT_KEY_WITNESS) != 0)
            tt_witness_gone(index);
        else
            tt_key_released(index);
        unsigned size_class = tt_class_of(page->size);
        if (page->sample.free++ == 0) link_room(page, size_class);
        if (page->sample.free == page->slots) keep(page);
    }
    tn_lock_release(&lock);
    return end;
}

void tt_samples_leave(void) {
    tn_lock_acquire(&lock);
    for (unsigned i = 0; i < KEPT_MOST; i++) {
        if (kept[i] != NULL) give_page(kept[i], tt_class_of(kept[i]->size));
        kept[i] = NULL;
    }
    tn_lock_release(&lock);
}

void tt_samples_before_fork(void) { tn_lock_acquire(&lock); }
void tt_samples_after_fork(bool child) {
    if (child)
        tn_lock_renew(&lock);
    else
        tn_lock_release(&lock);
}
