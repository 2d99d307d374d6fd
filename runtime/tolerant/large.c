/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/large.h"

#include "prim/lock.h"
#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/compact.h"
#include "tolerant/mapping_cache.h"

#define SPAN_MOST ((size_t)1024 * 1024)
#define SIZE_MOST ((size_t)PTRDIFF_MAX)
/* What is larger is as large as it was asked for. */
#define CLASSES_MOST ((size_t)32 * 1024 * 1024)
/* Seconds after which a freed mapping's frames may have been written to swap: to have them read again is dearer than
 * new ones. */
#define KEPT_AGE_MOST 10

struct mapping {
    uintptr_t start; /* 0: never used; 1: removed */
    size_t size;
    uint64_t birth;
    uint32_t site;
    uint32_t born;
    uint16_t parts; /* of the system's mappings, at most */
};

static tn_lock lock = TN_LOCK_INITIALIZER;
static struct mapping *table;
static size_t table_size, table_filled; /* removed entries count as filled */
_Atomic size_t tt_large_mapped_count;
static _Atomic uint64_t births;
static _Atomic uint64_t next_age; /* milliseconds: when what is kept is to be looked through */

uint64_t tt_large_last_birth(void) { return atomic_load_explicit(&births, memory_order_relaxed); }
static uint64_t next_birth(void) { return atomic_fetch_add_explicit(&births, 1, memory_order_relaxed) + 1; }

static size_t hash_of(uintptr_t start) { return (size_t)(((uint64_t)start >> 12) * UINT64_C(0x9E3779B97F4A7C15) >> 20); }

static struct mapping *find(uintptr_t start) {
    if (table_size == 0) return NULL;
    for (size_t i = hash_of(start) & (table_size - 1);; i = (i + 1) & (table_size - 1)) {
        if (table[i].start == start) return &table[i];
        if (table[i].start == 0) return NULL;
    }
}

static void place(struct mapping mapping) {
    size_t i = hash_of(mapping.start) & (table_size - 1);
    while (table[i].start > 1) i = (i + 1) & (table_size - 1);
    if (table[i].start == 0) table_filled++;
    table[i] = mapping;
}

/* Room for one more, at most half full. */
static bool make_room(void) {
    if ((table_filled + 1) * 2 <= table_size) return true;
    size_t live = atomic_load_explicit(&tt_large_mapped_count, memory_order_relaxed);
    size_t size = 64;
    while (size < 4 * (live + 1)) size *= 2;
    size_t bytes = size * sizeof *table;
    size_t page = tn_space_page_size();
    bytes = (bytes + page - 1) & ~(page - 1);
    struct mapping *old = table;
    size_t old_size = table_size;
    struct mapping *fresh = tn_space_map(bytes, page);
    if (fresh == NULL) return table_filled + 1 < table_size;
    tt_touch(fresh);
    table = fresh;
    table_size = size;
    table_filled = 0;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].start > 1) place(old[i]);
    if (old != NULL) tn_space_unmap(old, (old_size * sizeof *old + page - 1) & ~(page - 1));
    return true;
}

static size_t to_pages(size_t size) {
    size_t page = tn_space_page_size();
    return (size + page - 1) & ~(page - 1);
}

/* Eight sizes to each doubling, where mappings are kept for reuse: of what is not asked for there is only address
 * space, and one that was freed serves others of about its size as it is. */
static size_t to_class(size_t size) {
#if defined(TT_HARDENED)
    return to_pages(size); /* the page that may not be touched is to be close to the end */
#endif
    if (size <= SPAN_MOST || size > CLASSES_MOST) return to_pages(size);
    size_t step = (size_t)1 << (60 - __builtin_clzll((unsigned long long)(size - 1)));
    return to_pages((size + step - 1) & ~(step - 1));
}

/* Under the lock, where more is mapped: what is kept must not make the process larger than it ever was. */
static void note_most(void) {
    if (tt_pages_note_most()) return;
    size_t excess = tt_pages_excess();
    if (excess != 0) (void)tt_mapping_cache_give(excess);
}

static void *map_object(size_t size, size_t alignment, uint32_t site, bool *zero) {
    size_t page = tn_space_page_size();
    if (alignment < page) alignment = page;
    size_t rounded = to_class(size);
    tn_lock_acquire(&lock);
    void *start = NULL;
    uint16_t parts = 1;
    if (make_room()) {
        start = tt_mapping_cache_take(&rounded, alignment, &parts);
        *zero = start == NULL;
        if (start == NULL) start = tn_space_map(rounded, alignment);
        /* Where address space is short, what is kept may be in the way. */
        if (start == NULL && tt_mapping_cache_give(SIZE_MOST) != 0) start = tn_space_map(rounded = to_pages(size), alignment);
        if (start != NULL) {
            place((struct mapping){(uintptr_t)start, rounded, next_birth(), site, tn_clock_seconds(), parts});
            atomic_fetch_add_explicit(&tt_pages_now.large, rounded, memory_order_relaxed);
            atomic_fetch_add_explicit(&tt_large_mapped_count, 1, memory_order_relaxed);
            note_most();
        }
    }
    tn_lock_release(&lock);
    return start;
}

void *tt_large_allocate(size_t size, size_t alignment, uint32_t site, bool *zero) {
    if (alignment > SIZE_MOST / 4 || size > SIZE_MOST - alignment) return NULL;
    if (size == 0) size = 1;
    if (alignment >= TT_PAGE_BYTES) site |= TT_LARGE_ALIGNED;
    if (size > SPAN_MOST || alignment > SPAN_MOST) return map_object(size, alignment, site, zero);
    size_t pages = (size + TT_PAGE_BYTES - 1) >> TT_PAGE_SHIFT;
    size_t aligned = alignment <= TT_PAGE_BYTES ? 1 : alignment >> TT_PAGE_SHIFT;
    struct tt_page *page = tt_pages_take(pages, aligned, TT_PAGE_LARGE, zero);
    if (page == NULL) return NULL;
    page->size = (uint32_t)pages;
    page->slots = 1;
    page->born = tn_clock_seconds();
    page->large.birth = next_birth();
    page->large.site = site;
    atomic_store_explicit(&page->large.views, TT_VIEWS_NONE, memory_order_relaxed);
    /* The last: by it who looks finds the object. */
    __atomic_store_n(&page->large.base, (uintptr_t)tt_page_base(page), __ATOMIC_RELEASE);
    return tt_page_base(page);
}

/* Whether a freed object's pages are plain memory, now that nobody makes them show other frames. Where the system
 * cannot undo that, the pages are not used again. */
static bool make_plain(struct tt_page *page) {
    struct tt_segment *segment = tt_page_segment(page);
    tn_lock_acquire(&lock);
    bool first = atomic_exchange_explicit(&page->large.views, TT_VIEWS_GONE, memory_order_relaxed) != TT_VIEWS_GONE;
    bool plain = first && tt_compact_restore(segment, tt_page_index(segment, page), page->span);
    tn_lock_release(&lock);
    return plain;
}

bool tt_large_free_span(struct tt_page *page, void *object) {
    if (page->large.base != (uintptr_t)object) return false;
    uint32_t views = TT_VIEWS_NONE;
    bool plain = atomic_compare_exchange_strong(&page->large.views, &views, TT_VIEWS_GONE);
    if (views == TT_VIEWS_GONE) return false;
    page->large.base = 0;
    if (plain || make_plain(page)) tt_pages_give(page);
    return true;
}

bool tt_large_free_mapping(void *object) {
    if (((uintptr_t)object & (TT_PAGE_BYTES - 1)) != 0 || (uintptr_t)object <= 1) return false;
    tn_lock_acquire(&lock);
    struct mapping *mapping = find((uintptr_t)object);
    if (mapping == NULL) {
        tn_lock_release(&lock);
        return false;
    }
    size_t size = mapping->size;
    mapping->start = 1;
    atomic_fetch_sub_explicit(&tt_pages_now.large, size, memory_order_relaxed);
    atomic_fetch_sub_explicit(&tt_large_mapped_count, 1, memory_order_relaxed);
    bool done = tn_clock_seconds() - mapping->born <= KEPT_AGE_MOST && tt_mapping_cache_keep(object, size, mapping->parts);
    tn_lock_release(&lock);
    if (done || tn_space_unmap(object, size)) return true;
    tn_lock_acquire(&lock);
    (void)tt_mapping_cache_strand(object, size);
    tn_lock_release(&lock);
    return true;
}

size_t tt_large_size(void *object) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment != NULL) {
        struct tt_page *page = &segment->pages[((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT];
        if (page->kind != TT_PAGE_LARGE || page->back != 0 || page->large.base != (uintptr_t)object) return 0;
        return page->size * TT_PAGE_BYTES;
    }
    tn_lock_acquire(&lock);
    struct mapping *mapping = (uintptr_t)object > 1 ? find((uintptr_t)object) : NULL;
    size_t size = mapping == NULL ? 0 : mapping->size;
    tn_lock_release(&lock);
    return size;
}

static bool extend_span(struct tt_segment *segment, void *object, size_t size) {
    struct tt_page *page = &segment->pages[((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT];
    size_t pages = (size + TT_PAGE_BYTES - 1) >> TT_PAGE_SHIFT;
    if (size > SPAN_MOST || pages <= page->span || !tt_pages_extend(page, pages)) return false;
    page->size = (uint32_t)pages;
    return true;
}

void *tt_large_resize(void *object, size_t size) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment != NULL) return extend_span(segment, object, size) ? object : NULL;
    if (size <= SPAN_MOST || size > SIZE_MOST) return NULL;
    size_t page = tn_space_page_size();
    size_t rounded = (size + page - 1) & ~(page - 1);
    tn_lock_acquire(&lock);
    struct mapping *mapping = make_room() ? find((uintptr_t)object) : NULL;
    void *now = NULL;
    if (mapping != NULL) {
        now = rounded == mapping->size ? object : tn_space_resize(object, mapping->size, rounded, true);
        if (now != NULL) {
            struct mapping moved = {(uintptr_t)now, rounded, mapping->birth, mapping->site, mapping->born, mapping->parts};
            atomic_fetch_add_explicit(&tt_pages_now.large, rounded - mapping->size, memory_order_relaxed);
            note_most();
            if (now == object) {
                mapping->size = rounded;
            } else {
                mapping->start = 1;
                place(moved);
            }
        }
    }
    tn_lock_release(&lock);
    return now;
}

void tt_large_each_mapping(tt_large_visitor *visit, void *context) {
    if (!tn_lock_try(&lock)) return;
    for (size_t i = 0; i < table_size; i++) {
        const struct mapping *m = &table[i];
        if (m->start > 1) visit(&(struct tt_large){(unsigned char *)m->start, m->size, m->birth, m->site, m->born}, context);
    }
    tn_lock_release(&lock);
}

struct visit {
    tt_large_visitor *visit;
    void *context;
};

TN_RACY static void visit_span(struct tt_page *page, void *context) {
    const struct visit *visit = context;
    if (page->kind != TT_PAGE_LARGE || page->large.base != (uintptr_t)tt_page_base(page)) return;
    size_t size = page->size * TT_PAGE_BYTES;
    visit->visit(&(struct tt_large){tt_page_base(page), size, page->large.birth, page->large.site, page->born}, visit->context);
}

void tt_large_each(tt_large_visitor *visit, void *context) {
    struct visit spans = {visit, context};
    tt_pages_each(visit_span, &spans);
    tt_large_each_mapping(visit, context);
}

TN_RACY static struct tt_page *span_at(struct tt_segment *segment, void *object) {
    struct tt_page *page = &segment->pages[((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT];
    return page->kind == TT_PAGE_LARGE && page->back == 0 && page->large.base == (uintptr_t)object ? page : NULL;
}

TN_RACY static bool is_span(struct tt_segment *segment, void *object, size_t size, uint64_t birth) {
    const struct tt_page *page = span_at(segment, object);
    return page != NULL && page->large.birth == birth && page->size * TT_PAGE_BYTES == size;
}

TN_RACY bool tt_large_is_live(void *object, size_t size, uint64_t birth) {
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment != NULL) return is_span(segment, object, size, birth);
    if (!tn_lock_try(&lock)) return true;
    const struct mapping *mapping = find((uintptr_t)object);
    bool live = mapping != NULL && mapping->birth == birth && mapping->size == size;
    tn_lock_release(&lock);
    return live;
}

/* The memory of spans is never unmapped, and what others put there meanwhile is looked at again before it matters. */
bool tt_large_keep(void *object, size_t size, uint64_t birth) {
    struct tt_segment *segment = tt_segment_holding(object);
    tn_lock_acquire(&lock);
    const struct mapping *mapping = segment == NULL ? find((uintptr_t)object) : NULL;
    if (segment == NULL ? mapping != NULL && mapping->birth == birth && mapping->size == size
                        : is_span(segment, object, size, birth))
        return true;
    tn_lock_release(&lock);
    return false;
}

bool tt_large_begin_views(void *object, size_t size, uint64_t birth) {
    struct tt_segment *segment = tt_segment_holding(object);
    struct tt_page *page = segment == NULL ? NULL : span_at(segment, object);
    if (page == NULL) return false;
    uint32_t views = TT_VIEWS_NONE;
    bool begun = atomic_compare_exchange_strong(&page->large.views, &views, TT_VIEWS_CHANGE);
    if (!begun && views == TT_VIEWS_CHANGE) return true;
    if (!begun && (views != TT_VIEWS_SOME || !atomic_compare_exchange_strong(&page->large.views, &views, TT_VIEWS_CHANGE)))
        return false;
    /* From now on it is not freed; it may have been, before. */
    if (is_span(segment, object, size, birth)) return true;
    tt_large_end_views(object, size);
    return false;
}

TN_RACY void tt_large_end_views(void *object, size_t size) {
    struct tt_segment *segment = tt_segment_holding(object);
    size_t at = ((uintptr_t)object & (TT_SEGMENT_BYTES - 1)) >> TT_PAGE_SHIFT, shown = 0;
    for (size_t i = at; i < at + size / TT_PAGE_BYTES; i++) shown += segment->sharing[i] != 0;
    uint32_t change = TT_VIEWS_CHANGE;
    (void)atomic_compare_exchange_strong(&segment->pages[at].large.views, &change, shown != 0 ? TT_VIEWS_SOME : TT_VIEWS_NONE);
}

void tt_large_lock(void) { tn_lock_acquire(&lock); }
void tt_large_let_go(void) { tn_lock_release(&lock); }

bool tt_large_set_apart(void *object, size_t size) {
    struct tt_segment *segment = tt_segment_holding(object);
    return segment == NULL || tt_pages_set_apart(segment, object, size);
}

void tt_large_age(uint64_t milliseconds) {
    if (milliseconds < atomic_load_explicit(&next_age, memory_order_relaxed) || !tn_lock_try(&lock)) return;
    atomic_store_explicit(&next_age, milliseconds + KEPT_AGE_MOST * 1000, memory_order_relaxed);
    tt_mapping_cache_age();
    tn_lock_release(&lock);
}

size_t tt_large_trim(size_t bytes) {
    tn_lock_acquire(&lock);
    size_t given = tt_mapping_cache_give(bytes);
    tn_lock_release(&lock);
    return given;
}

void tt_large_before_fork(void) { tn_lock_acquire(&lock); }
void tt_large_after_fork(bool child) {
    if (child)
        tn_lock_renew(&lock);
    else
        tn_lock_release(&lock);
}
