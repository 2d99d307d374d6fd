/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Pages: the blocks of memory that arenas cut objects from. They come from the program's
 * source of storage; a thread keeps some free ones. Thread safe; not for signal
 * handlers. A page may be given back by another thread than the one that took it.
 */
#ifndef TENURE_REGION_PAGE_H
#define TENURE_REGION_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct tn_object;

struct tn_page {
    struct tn_page *next;
    size_t size;              /* bytes, this header included */
    char *cursor;             /* observed pages: where free room begins */
    struct tn_object *newest; /* guarded pages: the object last born */
    uint32_t objects;         /* observed pages: how many were born */
    uint8_t order;            /* size is 1 << order and the page may be kept; 0: neither */
    uint8_t zero;             /* all bytes after the header are zero */
    uint8_t watch;            /* enum tn_page_watch */
    size_t bytes;             /* observed pages: what the objects asked for */
};

/* How objects of a page are born; each level includes the one before it. */
enum tn_page_watch {
    TN_PAGE_PLAIN,    /* by the inline path, nobody counts */
    TN_PAGE_OBSERVED, /* one by one, counted, and from debug level 2 filled */
    TN_PAGE_GUARDED   /* with a header and a canary each */
};

/* Where room for objects begins: the first multiple of 16 after the header. */
#define TN_PAGE_HEADER ((sizeof(struct tn_page) + 15) & ~(size_t)15)

#define TN_PAGE_ORDERS 32

/* A page of `size` bytes, header included, or NULL. A power of two comes from the thread's free pages if it
 * can. Only next, size, order and zero are set. */
struct tn_page *tn_page_take(size_t size);

/* Gives a page back; its contents are lost. */
void tn_page_give(struct tn_page *page);

#endif
