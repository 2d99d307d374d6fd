/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/harden.h"

#if defined(TT_HARDENED)

#include <errno.h>
#include <string.h>

#include "prim/signal.h"
#include "prim/space.h"
#include "tolerant/bundled.h"
#include "tolerant/large.h"
#include "tolerant/misuse.h"

#define FILLING 0xA5
#define FILLING_MOST 16
/* Of a freed slot so many bytes are filled, behind the word that says who freed it. */
#define DEAD UINT64_C(0xDFDFDFDFDFDFDFDF)
#define DEAD_MOST 40

struct tail {
    uint64_t mark;
    uintptr_t place; /* where the object was allocated, or freed */
};

/* Of a large object, its last page. */
static size_t guard_of(size_t slot) { return slot > TT_SMALL_MOST ? tn_space_page_size() : 0; }

static struct tail *tail_of(void *object, size_t slot) {
    return (struct tail *)(void *)((unsigned char *)object + slot - guard_of(slot) - sizeof(struct tail));
}

/* Slack in the low half, then the kind; what is above depends on where the tail is, so that no other bytes pass for
 * it. */
static uint64_t mark_of(const struct tail *tail, enum tt_kind kind, size_t slack) {
    uint64_t hash = ((uint64_t)(uintptr_t)tail ^ UINT64_C(0x5851F42D4C957F2D)) * UINT64_C(0x9E3779B97F4A7C15);
    return (hash >> 40) << 40 | (uint64_t)kind << 32 | (uint32_t)slack;
}

static enum tt_kind kind_of(uint64_t mark) { return (enum tt_kind)(mark >> 32 & 0xFF); }

static bool is_mark(const struct tail *tail) { return tail->mark == mark_of(tail, kind_of(tail->mark), (uint32_t)tail->mark); }

static unsigned char *end_of(const struct tail *tail) { return (unsigned char *)(uintptr_t)tail - (uint32_t)tail->mark; }

static size_t filling_of(uint64_t mark) { return (uint32_t)mark < FILLING_MOST ? (uint32_t)mark : FILLING_MOST; }

static bool is_filled(const unsigned char *from, unsigned char byte, size_t count) {
    unsigned char other = 0;
    for (size_t i = 0; i < count; i++) other |= from[i] ^ byte;
    return other == 0;
}

typedef uint64_t TN_MAY_ALIAS word;

/* The end of a freed slot's words that are filled, which begin behind its first. */
static word *dead_end(void *object, size_t slot) {
    size_t most = slot - sizeof(struct tail);
    return (word *)object + (most < sizeof(word) + DEAD_MOST ? most : sizeof(word) + DEAD_MOST) / sizeof(word);
}

static bool is_dead(void *object, size_t slot) {
    word other = 0;
    for (word *at = (word *)object + 1; at < dead_end(object, slot); at++) other |= *at ^ DEAD;
    return other == 0;
}

static void set_tail(void *object, size_t slot, enum tt_kind kind, size_t size, uintptr_t address) {
    struct tail *tail = tail_of(object, slot);
    tail->mark = mark_of(tail, kind, (size_t)((unsigned char *)tail - (unsigned char *)object) - size);
    tail->place = address;
    unsigned char *end = end_of(tail);
    for (size_t i = filling_of(tail->mark); i > 0; i--) end[i - 1] = FILLING;
}

/* Whether it is a slot of a bin's page: its tail is of its own time (bin.c clears those of a page that it begins). */
static bool is_slot(const void *object) {
    struct tt_segment *segment = tt_segment_holding(object);
    size_t index = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT;
    return segment != NULL && tt_word_class(atomic_load_explicit(&segment->heaps[index], memory_order_relaxed)) != 0;
}

/* A slot that was handed out before holds what its free left. */
static void check_dead(void *object, size_t slot, uintptr_t address) {
    const struct tail *tail = tail_of(object, slot);
    if (kind_of(tail->mark) != TT_KIND_FREED || !is_mark(tail)) return;
    if (*(word *)object == tail->place && is_dead(object, slot)) return;
    tt_misuse_at(TT_MISUSE_WRITE_AFTER_FREE, object, address, tail->place);
}

void *tt_harden_allocate(enum tt_kind kind, size_t alignment, size_t size, uintptr_t address, uintptr_t stack) {
    if (tt_bundled()) return tt_allocate_aligned(alignment, size, address, stack);
    size_t whole;
    if (__builtin_add_overflow(size, sizeof(struct tail), &whole) ||
        (whole > TT_SMALL_MOST && __builtin_add_overflow(whole, tn_space_page_size(), &whole))) {
        errno = ENOMEM;
        return NULL;
    }
    void *object = tt_allocate_aligned(alignment, whole, address, stack);
    if (object == NULL) return NULL;
    size_t slot = tt_live_size(object), guard = guard_of(slot);
    if (is_slot(object)) check_dead(object, slot, address);
    set_tail(object, slot, kind, size, address);
    if (guard != 0) {
        /* What is written past the object's end reaches the tail before it reaches the guard. */
        unsigned char *page = (unsigned char *)object + slot - guard;
        memcpy(page, &address, sizeof address);
        (void)tn_space_close(page, guard);
    }
    return object;
}

/* The tail of a live object, which is whole; NULL if no live object of ours starts there. */
static struct tail *tail_checked(void *object, uintptr_t address, size_t *slot) {
    *slot = tt_bundled() ? 0 : tt_object_size(object);
    if (*slot == 0) return NULL;
    struct tail *tail = tail_of(object, *slot);
    if (!is_mark(tail) || kind_of(tail->mark) == TT_KIND_FREED || !is_filled(end_of(tail), FILLING, filling_of(tail->mark)))
        tt_misuse_at(TT_MISUSE_OVERFLOW, object, address, tail->place);
    return tail;
}

void tt_harden_release(enum tt_kind kind, void *object, uintptr_t address) {
    size_t slot;
    if (object == NULL) return;
    struct tail *tail = tail_checked(object, address, &slot);
    if (tail != NULL && kind_of(tail->mark) != kind) tt_misuse_at(TT_MISUSE_MISMATCH, object, address, tail->place);
    if (tail != NULL && guard_of(slot) != 0) {
        tail->mark = 0;
        (void)tn_space_open((unsigned char *)object + slot - guard_of(slot), guard_of(slot));
    } else if (tail != NULL) {
        tail->mark = mark_of(tail, TT_KIND_FREED, 0);
        tail->place = address;
        *(word *)object = address;
        for (word *at = (word *)object + 1; at < dead_end(object, slot); at++) *at = DEAD;
    }
    tt_release(object, address);
}

size_t tt_harden_size(void *object) {
    size_t slot;
    const struct tail *tail = tail_checked(object, 0, &slot);
    return tail == NULL ? 0 : (size_t)(end_of(tail) - (unsigned char *)object);
}

bool tt_harden_resize(void *object, size_t size, uintptr_t address) {
    size_t slot;
    struct tail *tail = tail_checked(object, address, &slot);
    if (tail == NULL || size > (size_t)((unsigned char *)tail - (unsigned char *)object) || size < slot / 2) return false;
    set_tail(object, slot, kind_of(tail->mark), size, address);
    return true;
}

struct search {
    uintptr_t at;
    unsigned char *object; /* NULL: none */
    size_t slot;
};

static void look_at(const struct tt_large *large, void *context) {
    struct search *search = context;
    uintptr_t start = (uintptr_t)large->start;
    if (guard_of(large->size) == 0 || search->at < start + large->size - guard_of(large->size) || search->at >= start + large->size) return;
    search->object = large->start;
    search->slot = large->size;
}

/* Of an access that the system refused: whether it was to a page at a large object's end. */
static void on_fault(uintptr_t address, uintptr_t instruction) {
    struct search search = {.at = address};
    tt_large_each(look_at, &search);
    if (search.object == NULL) return;
    size_t guard = guard_of(search.slot);
    uintptr_t place = 0;
    unsigned char *page = search.object + search.slot - guard;
    if (tn_space_open(page, guard)) memcpy(&place, page, sizeof place);
    tt_misuse_at(TT_MISUSE_GUARD, search.object, instruction, place);
}

void tt_harden_page(unsigned char *start, size_t size, unsigned slots) {
    for (unsigned i = 0; i < slots; i++) tail_of(start + i * size, size)->mark = 0;
}

void tt_harden_start(void) { tn_signal_install_fault(on_fault); }

#endif
