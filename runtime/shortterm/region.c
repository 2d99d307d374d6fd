/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/region.h"

#include <errno.h>
#include <string.h>

#include "shortterm/error.h"
#include "shortterm/mode.h"
#include "shortterm/root.h"

/* What a page of the usual size takes from the allocator below, a little less than a power of two. */
#define PAGE_BYTES ((size_t)32 * 1024 - 64)

/* A larger object has a page of its own. */
#define INSIDE_MOST (PAGE_BYTES / 4)

/* Free pages that a root keeps. */
#define POOLED_MOST 64U

_Static_assert(sizeof(struct region_page) == 16, "objects in a page are aligned");

static struct region_page *take_page(struct root *root) {
    struct region_page *page = root != NULL ? root->region_pages : NULL;
    if (page != NULL) {
        root->region_pages = page->next;
        root->region_pooled--;
        return page;
    }
    page = stm_below.allocate(PAGE_BYTES);
    if (page == NULL) return NULL;
    page->bytes = PAGE_BYTES;
    return page;
}

stm_region *stm_region_create(void) {
    struct region_page *page = take_page(stm_root());
    if (page == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    struct stm_region *region = (struct stm_region *)(void *)(page + 1);
    page->next = NULL;
    *region = (struct stm_region){.cursor = (char *)(region + 1),
                                  .limit = (char *)page + PAGE_BYTES,
                                  .pages = page,
                                  .last = page,
                                  .bytes = PAGE_BYTES,
                                  .tag = REGION_TAG};
    stm_mode_region_grown(region, PAGE_BYTES);
    return region;
}

/* Another page behind the first one, which holds the region itself: the cursor's, or one object's own. */
static struct region_page *add_page(struct stm_region *region, size_t bytes) {
    struct region_page *page;
    if (bytes == PAGE_BYTES) {
        page = take_page(stm_thread.root);
    } else {
        page = stm_below.allocate(bytes);
        if (page != NULL) page->bytes = bytes;
    }
    if (page == NULL) return NULL;
    page->next = NULL;
    region->last->next = page;
    region->last = page;
    region->bytes += bytes;
    stm_mode_region_grown(region, bytes);
    return page;
}

static inline void *put_header(struct stm_region *region, char *place, size_t size) {
    memcpy(place, &region, sizeof region);
    struct header *header = (struct header *)(void *)place;
    uint64_t bytes = size < SHARED_REGION_SIZE ? size : SHARED_REGION_SIZE;
    atomic_store_explicit(&header->shared, SHARED_TAG | SHARED_REGION | bytes, memory_order_relaxed);
    return object_of(header);
}

size_t stm_region_object_bytes(const void *object) {
    return (size_t)(atomic_load_explicit(&header_of(object)->shared, memory_order_relaxed) & SHARED_REGION_SIZE);
}

static TN_OUTLINE void *allocate_slow(struct stm_region *region, size_t size) {
    if (region->tag != REGION_TAG) {
        (void)stm_error_report(STM_EXPIRED, "stm_region_malloc", region, "the region %p has expired", (void *)region);
        return NULL;
    }
    if (size <= INSIDE_MOST) {
        struct region_page *page = add_page(region, PAGE_BYTES);
        if (page != NULL) {
            region->cursor = (char *)(page + 1);
            region->limit = (char *)page + PAGE_BYTES;
            return stm_region_malloc(region, size);
        }
    } else if (size <= OBJECT_MOST) {
        struct region_page *page = add_page(region, sizeof *page + HEADER_BYTES + size);
        if (page != NULL) return put_header(region, (char *)(page + 1), size);
    }
    errno = ENOMEM;
    return NULL;
}

void *stm_region_malloc(stm_region *region, size_t size) {
    size_t room = (size_t)(region->limit - region->cursor);
    if (tn_unlikely(size > room || ((size + 15) & ~(size_t)15) + HEADER_BYTES > room)) return allocate_slow(region, size);
    char *place = region->cursor;
    region->cursor = place + HEADER_BYTES + ((size + 15) & ~(size_t)15);
    return put_header(region, place, size);
}

bool stm_region_set_finalizer(struct stm_region *region, struct header *header, stm_finalizer finalizer, void *argument) {
    struct finalizer_node *node = region->finalizers;
    while (node != NULL && node->object != object_of(header)) node = node->next;
    if (node == NULL) {
        node = stm_region_malloc(region, sizeof *node);
        if (node == NULL) return false;
        node->object = object_of(header);
        node->next = region->finalizers;
        region->finalizers = node;
    }
    node->function = finalizer;
    node->argument = argument;
    return true;
}

void stm_region_release(struct root *root, struct stm_region *region, bool short_term) {
    /* Finalizers find a region that has expired, and cannot give it another date. */
    region->tag = 0;
    bool nested = root != NULL && root_set_collecting(root, true);
    for (struct finalizer_node *node = short_term ? region->finalizers : NULL; node != NULL; node = node->next)
        if (node->function != NULL) (void)node->function(node->object, node->argument);
    if (root != NULL) (void)root_set_collecting(root, nested);
    stm_mode_region_gone(region, short_term);
    region->cursor = region->limit = NULL;
    struct region_page *page = region->pages;
    while (page != NULL) {
        struct region_page *next = page->next;
        if (root != NULL && page->bytes == PAGE_BYTES && root->region_pooled < POOLED_MOST) {
            page->next = root->region_pages;
            root->region_pages = page;
            root->region_pooled++;
        } else {
            stm_below.release(page);
        }
        page = next;
    }
}

void stm_region_trim(struct root *root) {
    while (root->region_pages != NULL) {
        struct region_page *page = root->region_pages;
        root->region_pages = page->next;
        stm_below.release(page);
    }
    root->region_pooled = 0;
}

void stm_region_free(stm_region *region) {
    if (region == NULL) return;
    if (region->tag != REGION_TAG) {
        (void)stm_error_report(STM_EXPIRED, "stm_region_free", region, "the region %p has expired", (void *)region);
        return;
    }
    uint64_t dates = atomic_load_explicit(&region->count, memory_order_acquire);
    if (dates != 0)
        (void)stm_error_report(STM_FREED_SHORT_TERM, "stm_region_free", region, "the region %p has %llu expiration dates",
                               (void *)region, (unsigned long long)dates);
    else
        stm_region_release(stm_thread.root, region, false);
}

size_t stm_region_date_count(const stm_region *region) {
    return (size_t)atomic_load_explicit(&((struct stm_region *)(uintptr_t)region)->count, memory_order_relaxed);
}
