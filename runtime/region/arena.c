/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The out-of-line half of arenas.
 *
 * An arena is either plain, and then the inline path of arena.h serves it from cursor to limit, or observed:
 * then cursor and limit stay NULL, each allocation comes here, and the cursor is the page's. So the inline path
 * costs the same whatever the debug level, and emitted code need not be compiled again to be observed.
 */
#include "tenure/arena.h"

#include <string.h>

#include "prim/option.h"
#include "prim/sanitize.h"
#include "region/guard.h"
#include "region/page.h"
#include "region/source.h"
#include "region/statistics.h"
#include "tenure/heap.h"

/* Larger objects raise at once; keeps the sums below from overflowing. */
#define OBJECT_MOST_BYTES ((size_t)PTRDIFF_MAX - ((size_t)1 << 20))

/* An object larger than this part of the largest page has a page of its own, so that the rest of the current
 * page stays in use. */
#define OWN_PAGE_PART 4

struct tn_arena tn_heap = {.frame = {.kind = TN_FRAME_ARENA, .flags = TN_ARENA_HEAP}};

static enum tn_region_kind kind_of(const struct tn_arena *arena) {
    return arena->frame.flags == TN_ARENA_DYNAMIC ? TN_KIND_DYNAMIC : TN_KIND_LEXICAL;
}

static enum tn_page_watch current_watch(void) {
    if (TN_ASAN || tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 3) return TN_PAGE_GUARDED;
    return tn_statistics_per_object() ? TN_PAGE_OBSERVED : TN_PAGE_PLAIN;
}

static size_t round_up_to_power(size_t size) { return size <= 1 ? 1 : (size_t)1 << (64 - __builtin_clzll(size - 1)); }

/* The size of the page that the arena takes next: what it has so far, plus one rounded up to a power of two, so
 * that at most half of what is reserved was never used, between the bounds that the options set. */
static size_t next_page_size(const struct tn_arena *arena) {
    size_t first = round_up_to_power((size_t)tn_option_get(TN_OPTION_PAGE_FIRST));
    size_t most = round_up_to_power((size_t)tn_option_get(TN_OPTION_PAGE_MOST));
    size_t size = round_up_to_power(arena->reserved + 1);
    if (size < first) size = first;
    return size > most ? most : size;
}

/* Takes a page of `wanted` bytes, or fewer but at least `need` if the quota asks for it. Raises if it cannot. */
static struct tn_page *take_page(struct tn_arena *arena, size_t wanted, size_t need, size_t object,
                                 const struct tn_site *site) {
    size_t quota = arena->quota != 0 ? arena->quota : (size_t)tn_option_get(TN_OPTION_REGION_QUOTA);
    if (quota != 0) {
        size_t left = arena->reserved < quota ? quota - arena->reserved : 0;
        if (need > left) tn_raise_exhausted(site, object, quota);
        while (wanted > left) wanted = wanted / 2 >= need ? wanted / 2 : need;
    }
    struct tn_page *page = tn_page_take(wanted);
    if (page == NULL) tn_raise_alloc(site, object);
    page->cursor = (char *)page + TN_PAGE_HEADER;
    page->newest = NULL;
    page->objects = 0;
    page->bytes = 0;
    page->watch = (uint8_t)current_watch();
    arena->reserved += page->size;
    tn_statistics_reserve(kind_of(arena), (int64_t)page->size);
    if (page->watch >= TN_PAGE_OBSERVED) tn_asan_poison(page->cursor, page->size - TN_PAGE_HEADER);
    return page;
}

/* A page with room for `room` bytes after its header. *own says whether it holds nothing else. */
static struct tn_page *page_for(struct tn_arena *arena, size_t room, size_t object, int *own,
                                const struct tn_site *site) {
    size_t need = TN_PAGE_HEADER + room;
    size_t next = next_page_size(arena);
    size_t most = (size_t)tn_option_get(TN_OPTION_PAGE_MOST);
    *own = need > next && need > most / OWN_PAGE_PART;
    size_t wanted = *own ? need : round_up_to_power(need > next ? need : next);
    return take_page(arena, wanted, need, object, site);
}

/* The current page stays first, so that its free room is not lost. */
static void link_page(struct tn_arena *arena, struct tn_page *page, int own) {
    if (own && arena->pages != NULL) {
        page->next = arena->pages->next;
        arena->pages->next = page;
    } else {
        page->next = arena->pages;
        arena->pages = page;
    }
}

static char *align_up(char *p, size_t align) { return p + ((size_t)(0 - (uintptr_t)p) & (align - 1)); }

static void *plain_alloc(struct tn_arena *arena, struct tn_page *page, int own, size_t size, size_t align,
                         int zeroed) {
    char *start = align_up(page->cursor, align < 8 ? 8 : align);
    if (!own) {
        char *limit = (char *)page + (page->size & ~(size_t)7);
        arena->cursor = start + ((size + 7) & ~(size_t)7);
        arena->limit = limit;
        arena->clean = page->zero ? page->cursor : limit;
    }
    return zeroed && !page->zero ? memset(start, 0, size) : start;
}

/* Bytes that an observed object may need at most beyond its own. */
static size_t observed_extra(size_t align) { return TN_GUARD_BEFORE + TN_GUARD_AFTER + align; }

static void *observed_alloc(struct tn_arena *arena, struct tn_page *page, size_t size, size_t align, int zeroed) {
    int guarded = page->watch == TN_PAGE_GUARDED;
    char *start = align_up(page->cursor + (guarded ? TN_GUARD_BEFORE : 0), align < 8 ? 8 : align);
    char *end = start + ((size + 7) & ~(size_t)7);
    tn_asan_unpoison(start, size);
    if (zeroed) {
        memset(start, 0, size);
    } else if (tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2) {
        memset(start, TN_FILL_BORN, size);
    }
    if (guarded) {
        tn_guard_place(page, start, size);
        end += TN_GUARD_AFTER;
    }
    page->cursor = end;
    page->objects++;
    page->bytes += size;
    tn_statistics_objects(kind_of(arena), 1, (int64_t)size);
    return start;
}

static int has_room(const struct tn_page *page, size_t size, size_t align) {
    size_t used = (size_t)(page->cursor - (const char *)page);
    return page->size - used > size + observed_extra(align);
}

void *tn_arena_alloc_slow(struct tn_arena *arena, size_t size, size_t align, int zeroed, const struct tn_site *site) {
    if (arena->frame.flags == TN_ARENA_HEAP || tn_source_is_heap_only()) return tn_heap_alloc(size, align, site);
    if (size > OBJECT_MOST_BYTES) tn_raise_alloc(site, size);
    struct tn_page *current = arena->pages;
    if (current != NULL && current->watch >= TN_PAGE_OBSERVED && has_room(current, size, align))
        return observed_alloc(arena, current, size, align, zeroed);

    int own;
    struct tn_page *page = page_for(arena, size + observed_extra(align) + 8, size, &own, site);
    link_page(arena, page, own);
    if (page->watch == TN_PAGE_PLAIN) return plain_alloc(arena, page, own, size, align, zeroed);
    /* The rest of a plain page is given up when observation begins in the middle of an arena's life. */
    arena->cursor = arena->limit = arena->clean = NULL;
    if (page->watch == TN_PAGE_GUARDED) (void)tn_guard_validate(arena->pages);
    return observed_alloc(arena, page, size, align, zeroed);
}

void tn_arena_release(struct tn_arena *arena) {
    struct tn_page *page = arena->pages;
    enum tn_region_kind kind = kind_of(arena);
    int fill = tn_option_get(TN_OPTION_DEBUG_LEVEL) >= 2;
    (void)tn_guard_validate(page);
    int64_t objects = 0, bytes = 0, reserved = 0;
    arena->pages = NULL;
    arena->cursor = arena->limit = arena->clean = NULL;
    arena->reserved = 0;
    while (page != NULL) {
        struct tn_page *next = page->next;
        objects += page->objects;
        bytes += (int64_t)page->bytes;
        reserved += (int64_t)page->size;
        if (fill) {
            tn_asan_unpoison((char *)page + TN_PAGE_HEADER, page->size - TN_PAGE_HEADER);
            memset((char *)page + TN_PAGE_HEADER, TN_FILL_DEAD, page->size - TN_PAGE_HEADER);
        }
        tn_page_give(page);
        page = next;
    }
    if (objects != 0) tn_statistics_objects(kind, -objects, -bytes);
    tn_statistics_reserve(kind, -reserved);
}

int64_t tn_arenas_validate(void) {
    int64_t objects = 0;
    for (const struct tn_frame *frame = tn_frames; frame != NULL; frame = frame->prev)
        if (frame->kind == TN_FRAME_ARENA) objects += tn_guard_validate(((const struct tn_arena *)frame)->pages);
    return objects;
}
