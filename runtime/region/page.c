/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/page.h"

#include "prim/option.h"
#include "prim/sanitize.h"
#include "prim/thread.h"
#include "region/source.h"
#include "tenure/platform.h"

/* The free pages of a thread, by order. */
static TN_THREAD_LOCAL struct {
    struct tn_page *free[TN_PAGE_ORDERS];
    size_t bytes;
} cache;

static void to_system(struct tn_page *page) {
    tn_asan_unpoison(page, page->size);
    tn_source_give_page(page, page->size);
}

static void empty_cache(void) {
    for (int order = 0; order < TN_PAGE_ORDERS; order++) {
        while (cache.free[order] != NULL) {
            struct tn_page *page = cache.free[order];
            cache.free[order] = page->next;
            to_system(page);
        }
    }
    cache.bytes = 0;
}

struct tn_page *tn_page_take(size_t size) {
    unsigned order = 0;
    if ((size & (size - 1)) == 0 && size >> TN_PAGE_ORDERS == 0) {
        order = (unsigned)__builtin_ctzll(size);
        struct tn_page *page = cache.free[order];
        if (page != NULL) {
            cache.free[order] = page->next;
            cache.bytes -= size;
            page->next = NULL;
            return page;
        }
    }
    int zero;
    struct tn_page *page = (struct tn_page *)tn_source_take_page(size, &zero);
    if (page == NULL) return NULL;
    page->next = NULL;
    page->size = size;
    page->order = (uint8_t)order;
    page->zero = (uint8_t)zero;
    return page;
}

void tn_page_give(struct tn_page *page) {
    size_t most = (size_t)tn_option_get(TN_OPTION_PAGE_CACHE);
    if (page->order == 0 || page->size > most || cache.bytes > most - page->size ||
        tn_thread_at_end(empty_cache) != 0) {
        to_system(page);
        return;
    }
    page->zero = 0;
    page->next = cache.free[page->order];
    cache.free[page->order] = page;
    cache.bytes += page->size;
    tn_asan_poison((char *)page + TN_PAGE_HEADER, page->size - TN_PAGE_HEADER);
}
