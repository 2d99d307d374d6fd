/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Arenas: the storage of lexical and dynamic regions. Objects are born by moving a cursor and die
 * together. A region handle (`region_t`) is a `struct tn_arena *`; `heap_region` is one too, &tn_heap.
 *
 *     struct tn_arena r;
 *     tn_arena_enter(&r);
 *     struct node *n = tn_arena_alloc(&r, sizeof *n, _Alignof(struct node), &site_3);
 *     …
 *     tn_arena_exit(&r);   // on each way out; a throw does it by itself
 *
 * An arena is used by one thread at a time; &tn_heap by any number. Not for signal handlers.
 */
#ifndef TENURE_ARENA_H
#define TENURE_ARENA_H

#include "tenure/check.h"
#include "tenure/exception.h"
#include "tenure/platform.h"

struct tn_page;

struct tn_arena {
    struct tn_frame frame;
    char *cursor;          /* where the next object starts, a multiple of 8; NULL: always the slow path */
    char *limit;           /* end of the current page; no object reaches it */
    char *clean;           /* [max(cursor, clean), limit) is known to be zero */
    struct tn_page *pages; /* newest first, the current page first of all; NULL if none */
    size_t reserved;       /* bytes of all pages, headers included */
    size_t quota;          /* most bytes to reserve; 0 for the default */
};

/* frame.flags of an arena: which discipline it serves, for statistics and for &tn_heap. */
enum tn_arena_flags {
    TN_ARENA_LEXICAL = 0,
    TN_ARENA_DYNAMIC = 1,
    TN_ARENA_HEAP = 2
};

/* The handle of `H. Objects in it come from tn_heap_alloc. */
extern struct tn_arena tn_heap;

/* The part of allocation that is not inline: a new page, a large object, the heap, debug levels. */
TN_OUTLINE TN_FRESH_STORAGE void *tn_arena_alloc_slow(struct tn_arena *arena, size_t size, size_t align, int zeroed,
                                                      const struct tn_site *site);

/* Gives all pages back. */
void tn_arena_release(struct tn_arena *arena);

/* Storage for an object of size bytes (0 gives an address without storage), aligned to align, a power of
 * two; its contents are indeterminate. Raises Bad_alloc, or Region_Exhausted when the arena's
 * quota is used up. site may be NULL. */
TN_INLINE TN_FRESH_STORAGE void *tn_arena_alloc(struct tn_arena *arena, size_t size, size_t align,
                                                  const struct tn_site *site) {
    /* The cursor is always a multiple of 8, so that common alignments need no arithmetic here. Both
     * the test and &tn_heap rely on limit - cursor being 0 when there is no page: 0 <= size. */
    char *start = arena->cursor;
    size_t pad = align <= 8 ? 0 : (size_t)(0 - (uintptr_t)start) & (align - 1);
    size_t room = (uintptr_t)arena->limit - (uintptr_t)start;
    if (tn_unlikely(room <= pad || room - pad <= size)) return tn_arena_alloc_slow(arena, size, align, 0, site);
    start += pad;
    arena->cursor = start + ((size + 7) & ~(size_t)7);
    return start;
}

/* As tn_arena_alloc, and all bytes are zero. */
TN_INLINE TN_FRESH_STORAGE void *tn_arena_alloc_zero(struct tn_arena *arena, size_t size, size_t align,
                                                       const struct tn_site *site) {
    char *start = arena->cursor;
    size_t pad = align <= 8 ? 0 : (size_t)(0 - (uintptr_t)start) & (align - 1);
    size_t room = (uintptr_t)arena->limit - (uintptr_t)start;
    if (tn_unlikely(room <= pad || room - pad <= size)) return tn_arena_alloc_slow(arena, size, align, 1, site);
    start += pad;
    arena->cursor = start + ((size + 7) & ~(size_t)7);
    if (start < arena->clean) __builtin_memset(start, 0, size);
    return start;
}

/* Makes *arena an empty lexical arena and links it as the newest frame. */
TN_INLINE void tn_arena_enter(struct tn_arena *arena) {
    arena->frame.prev = tn_frames;
    arena->frame.kind = TN_FRAME_ARENA;
    arena->frame.flags = TN_ARENA_LEXICAL;
    arena->cursor = NULL;
    arena->limit = NULL;
    arena->clean = NULL;
    arena->pages = NULL;
    arena->reserved = 0;
    arena->quota = 0;
    tn_frames = &arena->frame;
}

/* Unlinks *arena, which is the newest frame, and frees its objects. */
TN_INLINE void tn_arena_exit(struct tn_arena *arena) {
    tn_frames = arena->frame.prev;
    if (arena->pages != NULL) tn_arena_release(arena);
}

/* Limits what arena may reserve, in bytes with page headers; 0 for the default (option region_quota). */
TN_INLINE void tn_arena_set_quota(struct tn_arena *arena, size_t bytes) { arena->quota = bytes; }

#endif
