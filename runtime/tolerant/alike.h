/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Large objects that are cold: their pages that hold the same bytes come to share a frame. As in compaction
 * (compact.h), each is a private view of a frame that nobody writes to again; rows of pages first, then halves of rows,
 * and so on.
 *
 * What a program may do to pages of its own is harder to undo than to see: nothing is shared unless its `madvise` and
 * `mprotect` come to us (change.h), nor when it called them since the look began, nor of objects that have pages of any
 * other kind already. Objects above a mebibyte, which realloc may have the kernel move, are left out. Who frees an
 * object waits while its pages are being changed (large.h).
 */
#ifndef TENURE_TOLERANT_ALIKE_H
#define TENURE_TOLERANT_ALIKE_H

#include <stddef.h>
#include <stdint.h>

/* Pages that are known at one look, and pages of a row. */
#define TT_ALIKE_PAGES_MOST ((size_t)65536)
#define TT_ALIKE_ROW ((size_t)16)
#define TT_ALIKE_BYTES ((size_t)64 * 1024)

struct tt_alike_object {
    unsigned char *start;
    size_t size;
    uint64_t birth;
};

/* Zero at first, and large: of the memory little is touched where there are few pages. */
struct tt_alike {
    const struct tt_alike_object *objects;
    size_t page_bytes, budget;
    size_t page_count, unit_count, head_count;
    struct tt_alike_page {
        uint64_t number; /* made of its bytes */
        uint32_t object, at; /* at: pages from the object's first */
        uint32_t shared;
    } pages[TT_ALIKE_PAGES_MOST];
    struct tt_alike_unit {
        uint64_t number;
        uint32_t first, pages; /* first: of `pages` above */
        uint32_t next;         /* with the same number; plus 1 */
        uint32_t members;      /* of a first unit */
    } units[TT_ALIKE_PAGES_MOST];
    uint32_t heads[2 * TT_ALIKE_PAGES_MOST]; /* by number: unit plus 1 */
    _Alignas(64) unsigned char bytes[TT_ALIKE_BYTES];
};

/* A page of an object, at a multiple of the system's pages from its first whole one, that has a frame of its own with
 * these bytes. Pages come in order. */
void tt_alike_note(struct tt_alike *alike, uint32_t object, size_t at, const void *bytes);

/* Lets pages that were noted share frames. */
void tt_alike_share(struct tt_alike *alike);

#endif
