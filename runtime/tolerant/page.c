/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/page.h"

#include "prim/lock.h"
#include "prim/space.h"
#include "prim/unwind.h"
#include "tolerant/large.h"

/* A segment is opened in steps of so many pages, less than a huge page. */
#define OPEN_STEP ((size_t)256)
#define METADATA_CHUNK ((size_t)512 * 1024)
/* Free pages keep their frames, for the next use, until a period has passed in which so many were not used; beyond
 * this and a quarter of what is in use they go back at once. */
#define DIRTY_MOST ((size_t)32 * 1024 * 1024)
#define PERIOD_MILLISECONDS 1000
/* Fewer are not worth a call; or, while the process comes to use more than it ever did, than so many, or than such a
 * part of those in use: they would be taken, and fault, one by one again. */
#define DIRTY_LEAST ((size_t)128 * 1024)
#define DIRTY_LEAST_GROWING ((size_t)32 * 1024)
#define DIRTY_GROWING_PART 128

/* What is kept of large objects may make the process larger than it ever was by such a part. */
#define KEPT_BEYOND_PART 6

/* Pages that get frames before they are needed: a part of those in use. */
#define AHEAD_PART 8
#define AHEAD_LEAST 2
#define AHEAD_MOST 8
/* In a process that uses more, none do: the kernel takes pages that are asked for so for used ones, and a control group
 * that is full of those is out of memory to it, where others are written to swap. */
#define AHEAD_USED_MOST ((size_t)4 * 1024 * 1024)

/* Sorted before other sparse tables, next to what is always used: address 0 is freed by everyone. */
__attribute__((section(".bss.map"))) struct tt_segment *_Atomic tt_map[TT_MAP_ENTRIES];
struct tt_pages_figures tt_pages_now;
_Atomic size_t tt_metadata_bytes;

static tn_lock lock = TN_LOCK_INITIALIZER;
static struct tt_segment *segments;
static struct tt_segment *_Atomic all_segments;
/* The least dirty bytes since the period began. */
static size_t dirty_low;
static uint64_t period_start;
static size_t dirty_most = DIRTY_MOST;

static tn_lock metadata_lock = TN_LOCK_INITIALIZER;
static unsigned char *metadata_cursor, *metadata_limit;

void *tt_metadata(size_t size) {
    size = (size + 63) & ~(size_t)63;
    tn_lock_acquire(&metadata_lock);
    if (size > (size_t)(metadata_limit - metadata_cursor)) {
        size_t chunk = size > METADATA_CHUNK / 4 ? size : METADATA_CHUNK;
        size_t page = tn_space_page_size();
        chunk = (chunk + page - 1) & ~(page - 1);
        unsigned char *fresh = tn_space_map(chunk, page);
        if (fresh == NULL || chunk == size) {
            tn_lock_release(&metadata_lock);
            if (fresh != NULL) atomic_fetch_add_explicit(&tt_metadata_bytes, chunk, memory_order_relaxed);
            return fresh;
        }
        if (chunk > METADATA_CHUNK) { /* a large piece of its own: what is left of the current chunk stays */
            tn_lock_release(&metadata_lock);
            atomic_fetch_add_explicit(&tt_metadata_bytes, chunk, memory_order_relaxed);
            return fresh;
        }
        metadata_cursor = fresh;
        metadata_limit = fresh + chunk;
    }
    void *piece = metadata_cursor;
    metadata_cursor += size;
    tn_lock_release(&metadata_lock);
    tt_touch(piece);
    atomic_fetch_add_explicit(&tt_metadata_bytes, size, memory_order_relaxed);
    return piece;
}

/* Address space of a segment: the whole of it, or the start where the process may have no more. The kernel places
 * mappings from above: below the description is room. */
static unsigned char *map_segment(const struct tt_segment *description, size_t *pages) {
    *pages = TT_SEGMENT_PAGES;
    unsigned char *base = tn_space_reserve_below(description, TT_SEGMENT_BYTES, TT_SEGMENT_BYTES);
    for (size_t bytes = TT_SEGMENT_BYTES / 2; base == NULL && bytes >= TT_SEGMENT_BYTES / 64; bytes /= 2) {
        *pages = bytes / TT_PAGE_BYTES;
        base = tn_space_reserve(bytes, TT_SEGMENT_BYTES, true);
    }
    return base;
}

/* Under the lock. */
static struct tt_segment *add_segment(void) {
    struct tt_segment *segment = tn_space_map(TT_DESCRIPTION_BYTES, TT_DESCRIPTION_BYTES);
    bool whole = segment != NULL;
    if (segment == NULL) segment = tn_space_map_sparse(sizeof *segment, TT_DESCRIPTION_BYTES);
    if (segment == NULL) return NULL;
    if (segments == NULL) tn_space_keep_small(tt_map, sizeof tt_map);
    tn_space_keep_small(segment, whole ? TT_DESCRIPTION_BYTES : sizeof *segment); /* no part of a mapping: each costs a fork */
    segment->base = map_segment(segment, &segment->pages_mapped);
    if (segment->base != NULL && ((uintptr_t)segment->base >> TT_ADDRESS_BITS) == 0) {
        for (size_t i = segment->pages_mapped; i < TT_SEGMENT_PAGES; i++) segment->used[i / 64] |= (uint64_t)1 << (i % 64);
        segment->free_pages = (unsigned)segment->pages_mapped;
        segment->next = segments;
        segments = segment;
        segment->older = atomic_load_explicit(&all_segments, memory_order_relaxed);
        atomic_store_explicit(&all_segments, segment, memory_order_release);
        atomic_store_explicit(&tt_map[(uintptr_t)segment->base >> TT_SEGMENT_SHIFT], segment, memory_order_release);
        atomic_fetch_add_explicit(&tt_pages_now.mapped, segment->pages_mapped * TT_PAGE_BYTES, memory_order_relaxed);
        return segment;
    }
    if (segment->base != NULL) tn_space_unmap(segment->base, segment->pages_mapped * TT_PAGE_BYTES);
    tn_space_unmap(segment, sizeof *segment);
    return NULL;
}

static bool is_set(const uint64_t *bits, size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; }
static void set_bit(uint64_t *bits, size_t i) { bits[i / 64] |= (uint64_t)1 << (i % 64); }
static void clear_bit(uint64_t *bits, size_t i) { bits[i / 64] &= ~((uint64_t)1 << (i % 64)); }

/* The first free page (flip: ~0) or used one (flip: 0) at or after i; TT_SEGMENT_PAGES if there is none. */
static size_t next_page(const struct tt_segment *segment, size_t i, uint64_t flip) {
    while (i < TT_SEGMENT_PAGES) {
        uint64_t word = (segment->used[i / 64] ^ flip) >> (i % 64);
        if (word != 0) return i + (size_t)__builtin_ctzll(word);
        i = (i / 64 + 1) * 64;
    }
    return TT_SEGMENT_PAGES;
}

/* Where `count` free pages in a row begin, at a multiple of alignment; TT_SEGMENT_PAGES if nowhere. */
static size_t find_row(const struct tt_segment *segment, size_t count, size_t alignment) {
    if (segment->free_pages < count) return TT_SEGMENT_PAGES;
    size_t i = segment->first_free;
    for (;;) {
        i = next_page(segment, i, ~(uint64_t)0);
        i = (i + alignment - 1) & ~(alignment - 1);
        if (i + count > TT_SEGMENT_PAGES) return TT_SEGMENT_PAGES;
        size_t taken = next_page(segment, i, 0);
        if (taken >= i + count) return i;
        i = taken;
    }
}

/* Under the lock: pages that are taken for the first time get their frames together with the next few, as each fault by
 * itself costs about as much as the frame. What is large may be meant to stay empty. */
static void reach(struct tt_segment *segment, size_t at, size_t count, enum tt_page_kind kind) {
    size_t end = at + count;
    if (end <= segment->reached) return;
    segment->reached = (unsigned)end;
    if (end <= segment->with_frames) return;
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed), ahead = used / TT_PAGE_BYTES / AHEAD_PART;
    ahead = ahead < AHEAD_LEAST ? AHEAD_LEAST : ahead > AHEAD_MOST ? AHEAD_MOST : ahead;
    if (kind != TT_PAGE_LARGE && count <= AHEAD_LEAST && used < AHEAD_USED_MOST && end + ahead <= segment->pages_open) {
        size_t from = at > segment->with_frames ? at : segment->with_frames;
        end += ahead;
        tn_space_populate(segment->base + from * TT_PAGE_BYTES, (end - from) * TT_PAGE_BYTES);
    }
    segment->with_frames = (unsigned)end;
}

/* Under the lock: makes free pages from `from` to `end` part of the span that begins at `at`. Returns whether all are
 * zero. */
static bool use_pages(struct tt_segment *segment, size_t at, size_t from, size_t end, enum tt_page_kind kind) {
    size_t dirty = 0, count = end - from;
    for (size_t i = from; i < end; i++) {
        set_bit(segment->used, i);
        if (is_set(segment->dirty, i)) {
            clear_bit(segment->dirty, i);
            dirty++;
        }
        segment->pages[i].back = (uint16_t)(i - at);
        segment->pages[i].kind = (uint8_t)kind;
    }
    reach(segment, from, count, kind);
    segment->free_pages -= (unsigned)count;
    if (from == segment->first_free) segment->first_free = (unsigned)end;
    size_t now = atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) - dirty * TT_PAGE_BYTES;
    atomic_store_explicit(&tt_pages_now.dirty, now, memory_order_relaxed);
    if (now < dirty_low) dirty_low = now;
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    atomic_store_explicit(&tt_pages_now.used, used + count * TT_PAGE_BYTES, memory_order_relaxed);
    return dirty == 0;
}

/* Under the lock. */
static struct tt_page *take_at(struct tt_segment *segment, size_t at, size_t count, enum tt_page_kind kind, bool *zero) {
    bool clean = use_pages(segment, at, at, at + count, kind);
    struct tt_page *page = &segment->pages[at];
    page->span = (uint16_t)count;
    page->listed = 0;
    page->clean = clean;
    page->run = 0;
    page->former = 0;
    page->probe = 0;
    page->bin = NULL;
    *zero = clean;
    return page;
}

/* Under the lock. Pages up to `end` may be used; false if the system refuses. */
static bool open_until(struct tt_segment *segment, size_t end) {
    if (end <= segment->pages_open) return true;
    size_t now = (end + OPEN_STEP - 1) & ~(OPEN_STEP - 1);
    if (now > segment->pages_mapped) now = segment->pages_mapped;
    size_t bytes = (now - segment->pages_open) * TT_PAGE_BYTES;
    if (!tn_space_open(segment->base + segment->pages_open * TT_PAGE_BYTES, bytes)) return false;
    segment->pages_open = now;
    return true;
}

/* Under the lock: from the first segment that has such a row. */
static struct tt_page *take_from(struct tt_segment *first, size_t count, size_t alignment, enum tt_page_kind kind,
                                 bool *zero) {
    for (struct tt_segment *segment = first; segment != NULL; segment = segment->next) {
        size_t at = find_row(segment, count, alignment);
        if (at != TT_SEGMENT_PAGES && open_until(segment, at + count)) return take_at(segment, at, count, kind, zero);
    }
    return NULL;
}

static size_t resident_now(void) {
    return atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) +
           atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) +
           atomic_load_explicit(&tt_pages_now.large, memory_order_relaxed);
}

bool tt_pages_within_most(size_t more) {
    return resident_now() + atomic_load_explicit(&tt_pages_now.kept, memory_order_relaxed) + more <=
           atomic_load_explicit(&tt_pages_now.most, memory_order_relaxed);
}

bool tt_pages_note_most(void) {
    bool within = tt_pages_within_most(0);
    size_t now = resident_now();
    if (now > atomic_load_explicit(&tt_pages_now.most, memory_order_relaxed))
        atomic_store_explicit(&tt_pages_now.most, now, memory_order_relaxed);
    return within;
}

size_t tt_pages_excess(void) {
    size_t kept = atomic_load_explicit(&tt_pages_now.kept, memory_order_relaxed);
    size_t most = atomic_load_explicit(&tt_pages_now.most, memory_order_relaxed);
    size_t now = resident_now() + kept, allowed = most + most / KEPT_BEYOND_PART;
    if (now <= allowed) return 0;
    return now - allowed < kept ? now - allowed : kept;
}

/* Where more is mapped: gives back what is kept of large objects and would make the process larger than it ever was. */
static void shed_kept(void) {
    size_t excess = tt_pages_excess();
    if (excess != 0) (void)tt_large_trim(excess);
}

/* The last page of the row of pages that ends at or before i and is marked; TT_SEGMENT_PAGES if there is none. */
static size_t last_marked(const uint64_t *bits, size_t i) {
    for (size_t w = i / 64 + 1; w-- > 0;) {
        uint64_t word = w == i / 64 ? bits[w] << (63 - i % 64) >> (63 - i % 64) : bits[w];
        if (word != 0) return w * 64 + 63 - (size_t)__builtin_clzll(word);
    }
    return TT_SEGMENT_PAGES;
}

/* Where the system's pages are larger than ours, their frames can go when nothing in them is used. */
static size_t discard_system_pages(struct tt_segment *s, size_t group, size_t keep) {
    size_t given = 0;
    for (size_t i = TT_SEGMENT_PAGES; i >= group; i -= group) {
        size_t first = i - group, dirty = 0;
        if (atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) <= keep) break;
        if (next_page(s, first, 0) < i) continue;
        for (size_t k = first; k < i; k++) dirty += is_set(s->dirty, k);
        if (dirty == 0 || !tn_space_discard(s->base + first * TT_PAGE_BYTES, group * TT_PAGE_BYTES)) continue;
        for (size_t k = first; k < i; k++) clear_bit(s->dirty, k);
        atomic_fetch_sub_explicit(&tt_pages_now.dirty, dirty * TT_PAGE_BYTES, memory_order_relaxed);
        given += dirty * TT_PAGE_BYTES;
    }
    return given;
}

/* Under the lock: gives frames of dirty free pages back until no more than `keep` bytes are dirty. The lowest pages,
 * which are taken first, keep theirs longest. */
static size_t discard_dirty(size_t keep) {
    size_t given = 0, group = tn_space_page_size() / TT_PAGE_BYTES;
    for (struct tt_segment *s = segments; s != NULL; s = s->next) {
        if (group > 1) {
            given += discard_system_pages(s, group, keep);
            continue;
        }
        size_t i = TT_SEGMENT_PAGES - 1, last;
        while (atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) > keep &&
               (last = last_marked(s->dirty, i)) < TT_SEGMENT_PAGES) {
            size_t first = last;
            while (first > 0 && is_set(s->dirty, first - 1)) first--;
            size_t bytes = (last - first + 1) * TT_PAGE_BYTES;
            if (tn_space_discard(s->base + first * TT_PAGE_BYTES, bytes)) {
                for (size_t k = first; k <= last; k++) clear_bit(s->dirty, k);
                atomic_fetch_sub_explicit(&tt_pages_now.dirty, bytes, memory_order_relaxed);
                given += bytes;
            }
            if (first == 0) break;
            i = first - 1;
        }
    }
    return given;
}

/* Under the lock: what is kept may have to go, as more is in use than ever was. */
static bool note_taken(void) {
    if (tt_pages_note_most()) return true;
    size_t part = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) / DIRTY_GROWING_PART;
    if (atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) >= (part > DIRTY_LEAST_GROWING ? part : DIRTY_LEAST_GROWING)) {
        (void)discard_dirty(part / 2);
        dirty_low = 0;
    }
    return false;
}

struct tt_page *tt_pages_take(size_t count, size_t alignment, enum tt_page_kind kind, bool *zero) {
    tn_lock_acquire(&lock);
    struct tt_page *page = take_from(segments, count, alignment, kind, zero);
    if (page == NULL) {
        struct tt_segment *segment = add_segment();
        /* Where address space is short, a segment may be too small. */
        if (segment != NULL) page = take_from(segment, count, alignment, kind, zero);
    }
    bool within = note_taken();
    tn_lock_release(&lock);
    if (!within) shed_kept();
    return page;
}

bool tt_pages_extend(struct tt_page *page, size_t count) {
    struct tt_segment *segment = tt_page_segment(page);
    size_t at = tt_page_index(segment, page);
    tn_lock_acquire(&lock);
    size_t end = at + page->span;
    bool room = at + count <= TT_SEGMENT_PAGES && next_page(segment, end, 0) >= at + count, within = true;
    room = room && open_until(segment, at + count);
    if (room) {
        (void)use_pages(segment, at, end, at + count, (enum tt_page_kind)page->kind);
        page->span = (uint16_t)count;
        within = note_taken();
    }
    tn_lock_release(&lock);
    if (!within) shed_kept();
    return room;
}

/* Under the lock: what was not used for a period goes back to the system. */
static void shed_dirty(size_t dirty) {
    size_t most = dirty_most;
    if (most == DIRTY_MOST) most += atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) / 4;
    uint64_t now = tn_clock_coarse_milliseconds();
    if (dirty > most) {
        (void)discard_dirty(most / 2);
    } else if (now - period_start < PERIOD_MILLISECONDS) {
        return;
    } else if (dirty_low >= DIRTY_LEAST) {
        (void)discard_dirty(dirty - dirty_low);
    }
    period_start = now;
    dirty_low = atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed);
}

void tt_pages_give(struct tt_page *page) {
    struct tt_segment *segment = tt_page_segment(page);
    size_t at = tt_page_index(segment, page);
    size_t count = page->span;
    tn_lock_acquire(&lock);
    for (size_t i = at; i < at + count; i++) {
        atomic_store_explicit(&segment->heaps[i], 0, memory_order_relaxed);
        clear_bit(segment->used, i);
        set_bit(segment->dirty, i);
        segment->pages[i].back = 0;
        segment->pages[i].kind = TT_PAGE_FREE;
    }
    segment->free_pages += (unsigned)count;
    if (at < segment->first_free) segment->first_free = (unsigned)at;
    size_t used = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed);
    atomic_store_explicit(&tt_pages_now.used, used - count * TT_PAGE_BYTES, memory_order_relaxed);
    size_t dirty = atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed) + count * TT_PAGE_BYTES;
    atomic_store_explicit(&tt_pages_now.dirty, dirty, memory_order_relaxed);
    if (dirty > DIRTY_LEAST) shed_dirty(dirty);
    tn_lock_release(&lock);
}

void tt_pages_limit(size_t bytes) {
    tn_lock_acquire(&lock);
    dirty_most = bytes < DIRTY_LEAST ? DIRTY_LEAST : bytes < DIRTY_MOST ? bytes : DIRTY_MOST;
    tn_lock_release(&lock);
}

/* By a flag that the neighbours' mappings have not. What was set apart before, for what is there no more, keeps its
 * flag. */
TN_RACY bool tt_pages_set_apart(struct tt_segment *segment, void *start, size_t size) {
    size_t at = (size_t)((unsigned char *)start - segment->base) >> TT_PAGE_SHIFT, pages = size >> TT_PAGE_SHIFT;
    uint8_t *flag = &segment->part[at];
    uint8_t left = at == 0 ? TN_SPACE_PLAIN : flag[-1];
    uint8_t right = at + pages == TT_SEGMENT_PAGES ? TN_SPACE_PLAIN : flag[pages];
    bool same = true;
    for (size_t i = 1; i < pages; i++) same = same && flag[i] == flag[0];
    if (same && flag[0] != left && flag[0] != right) return true;
    uint8_t other = left == TN_SPACE_PART || right == TN_SPACE_PART ? TN_SPACE_OTHER_PART : TN_SPACE_PART;
    if (!tn_space_part(start, size, other)) return false;
    for (size_t i = 0; i < pages; i++) flag[i] = other;
    return true;
}

TN_RACY void tt_pages_join(struct tt_segment *segment, void *start, size_t size) {
    size_t at = (size_t)((unsigned char *)start - segment->base) >> TT_PAGE_SHIFT, pages = size >> TT_PAGE_SHIFT;
    uint8_t *flag = &segment->part[at];
    if (at == 0 || flag[-1] == TN_SPACE_PLAIN || flag[-1] == flag[0]) return;
    if (!tn_space_part(start, size, (enum tn_space_part)flag[-1])) return;
    for (size_t i = 1; i < pages; i++) flag[i] = flag[-1];
    flag[0] = flag[-1];
}

size_t tt_pages_trim(bool all) {
    tn_lock_acquire(&lock);
    size_t given = discard_dirty(all ? 0 : DIRTY_LEAST);
    tn_lock_release(&lock);
    return given;
}

struct tt_segment *tt_segments_first(void) { return atomic_load_explicit(&all_segments, memory_order_acquire); }

TN_RACY size_t tt_page_next_used(const struct tt_segment *segment, size_t i) {
    while (i < TT_SEGMENT_PAGES) {
        uint64_t word = segment->used[i / 64] >> (i % 64);
        if (word != 0) return i + (size_t)__builtin_ctzll(word);
        i = (i / 64 + 1) * 64;
    }
    return TT_SEGMENT_PAGES;
}

TN_RACY size_t tt_page_next_run(const struct tt_segment *segment, size_t i) {
    do i = tt_page_next_used(segment, i);
    while (i < TT_SEGMENT_PAGES && segment->runs[i].pages == 0 && ++i < TT_SEGMENT_PAGES);
    return i;
}

TN_RACY void tt_pages_each(void (*visit)(struct tt_page *page, void *context), void *context) {
    for (struct tt_segment *s = tt_segments_first(); s != NULL; s = s->older)
        for (size_t i = 0; (i = tt_page_next_used(s, i)) < TT_SEGMENT_PAGES;) {
            size_t pages = s->runs[i].pages;
            if (pages == 0 && s->pages[i].kind != TT_PAGE_FREE && s->pages[i].back == 0) visit(&s->pages[i], context);
            i += pages != 0 ? pages : 1;
        }
}

void tt_pages_before_fork(void) {
    tn_lock_acquire(&lock);
    tn_lock_acquire(&metadata_lock);
}

void tt_pages_after_fork(bool child) {
    if (child) {
        tn_lock_renew(&metadata_lock);
        tn_lock_renew(&lock);
        return;
    }
    tn_lock_release(&metadata_lock);
    tn_lock_release(&lock);
}
