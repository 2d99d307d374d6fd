/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/date.h"

#include "shortterm/error.h"
#include "shortterm/mode.h"
#include "shortterm/settle.h"

int stm_date_check(const char *function, const void *object, unsigned extension) {
    unsigned limit = stm_extension_limit();
    if (extension <= limit) return STM_OK;
    return stm_error_report(STM_EXTENSION_TOO_LONG, function, object,
                            "the extension %u is above the limit %u (TENURE_STM_EXTENSION, stm_set_extension_limit)", extension,
                            limit);
}

/* The clock's ring has a list for the date. False if there is no memory. */
static bool reach_date(const struct date *date) {
    if (tn_likely(date->clock->lists != NULL && date->offset <= date->clock->mask)) return true;
    if (!stm_clock_grow(date->clock, date->offset)) return false;
    stm_root_set_reach(date->root);
    return true;
}

/* The list for the date, with room for a descriptor; NULL if there is no memory. */
static struct list *list_for(const struct date *date) {
    if (!reach_date(date)) return NULL;
    struct list *list = list_at(date->clock, date->offset);
    if (list->cursor == list->end && !stm_list_extend(date->root, list)) return NULL;
    return list;
}

static bool is_owner(const struct root *root, uint32_t local) { return local >> LOCAL_OWNER_SHIFT == root->number; }

/* Counts a date in the header. The descriptor's tag, or DESCRIPTOR_BITS if there are too many dates. */
static uintptr_t count_date(const struct date *date, struct header *header) {
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    if (date->own && is_owner(date->root, local) && (local & LOCAL_COUNT) != LOCAL_COUNT) {
        /* Back from 0: the owner may have said that it is done. */
        while ((shared & SHARED_DONE) != 0 &&
               !atomic_compare_exchange_weak_explicit(&header->shared, &shared, shared & ~SHARED_DONE, memory_order_acq_rel,
                                                      memory_order_acquire)) {
        }
        atomic_store_explicit(&header->local, (local | LOCAL_BIASED) + 1, memory_order_release);
        return 0;
    }
    uint64_t with;
    do {
        if ((shared & SHARED_COUNT) == SHARED_COUNT) return DESCRIPTOR_BITS;
        with = ((shared & ~SHARED_VERSION_MASK) | ((shared + SHARED_VERSION) & SHARED_VERSION_MASK)) + SHARED_ONE_DATE;
    } while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, with, memory_order_acq_rel,
                                                    memory_order_acquire));
    return DESCRIPTOR_SHARED;
}

int stm_date_give_region(const struct date *date, struct stm_region *region) {
    if (region->tag != REGION_TAG)
        return stm_error_report(STM_EXPIRED, date->function, region, "the region %p has expired", (void *)region);
    struct list *list = list_for(date);
    if (list == NULL) return STM_NO_MEMORY;
    uint64_t before = atomic_fetch_add_explicit(&region->count, 1, memory_order_relaxed);
    *list->cursor++ = (uintptr_t)region | DESCRIPTOR_REGION;
    stm_mode_region_dated(region, before == 0);
    if (!date->root->eager) stm_collect_some(date->root, date->root->bound);
    return STM_OK;
}

int stm_date_give(const struct date *date, void *object) {
    if (object == NULL) return stm_error_pointer(date->function, object, 0);
    if (mode() != 0 && !stm_mode_is_live(date->function, object)) return STM_EXPIRED;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    if (!is_tagged(shared)) return stm_error_pointer(date->function, object, shared);
    if ((shared & SHARED_REGION) != 0) return stm_date_give_region(date, region_of(header));
    struct list *list = list_for(date);
    if (list == NULL) return STM_NO_MEMORY;
    /* With a second date, the place of the first is no longer all there is to know. */
    if ((shared & SHARED_SCOPED) != 0) atomic_fetch_and_explicit(&header->shared, ~SHARED_SCOPED, memory_order_relaxed);
    bool first = mode() != 0 && stm_date_count(object) == 0;
    uintptr_t tag = count_date(date, header);
    if (tag == DESCRIPTOR_BITS) return STM_NO_MEMORY;
    *list->cursor++ = (uintptr_t)object | tag;
    stm_mode_dated(date, header, first);
    if (!date->root->eager) stm_collect_some(date->root, date->root->bound);
    return STM_OK;
}

static TN_OUTLINE int refresh_slow(void *object, unsigned extension, const void *site) {
    int error = stm_date_check("stm_refresh", object, extension);
    if (error != STM_OK) return error;
    struct root *root = stm_root();
    if (root == NULL) return STM_NO_MEMORY;
    stm_root_set_reach(root); /* the limit may have been raised */
    return stm_date_give(&(struct date){.root = root,
                                        .clock = &root->clock,
                                        .offset = extension,
                                        .own = true,
                                        .function = "stm_refresh",
                                        .site = site,
                                        .clock_name = "the thread's clock"},
                         object);
}

/* What the short path of a refresh came to. */
enum step { DATED, FULL, ANOTHER_WAY };

/* The short path: an object of this thread, on its clock. Nothing was done unless DATED; FULL: the list needs another
 * page. */
TN_INLINE enum step refresh_fast(struct root *root, void *object, unsigned extension) {
    if (tn_unlikely(extension >= atomic_load_explicit(&root->reach, memory_order_relaxed))) return ANOTHER_WAY;
    struct header *header = header_of(object);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    /* Equal but for the dates, of which there is room for one more. */
    uint32_t dates = local - (uint32_t)root->owner;
    if (tn_unlikely(!may_be_counted(shared) || dates >= LOCAL_DATES)) return ANOTHER_WAY;
    struct list *list = list_at(&root->clock, extension);
    uintptr_t *cursor = list->cursor;
    if (tn_unlikely(cursor == list->end)) return FULL;
    atomic_store_explicit(&header->local, (local | LOCAL_BIASED) + 1, memory_order_release);
    list->cursor = cursor + 1;
    *cursor = (uintptr_t)object;
    return DATED;
}

/* The rest of a collection in a refresh: more than a page has expired, or not just one is wanted. Returns STM_OK. */
static TN_OUTLINE int collect_rest(struct root *root) {
    if (!root->eager) stm_collect_some(root, root->bound);
    return STM_OK;
}

/* What a refresh or a lazy tick collects. Returns STM_OK. */
TN_INLINE int collect_one(struct root *root) {
    if (tn_likely(root->expired_top != root->expired_bottom && root->collects_one)) return settle_one(root);
    if (root->expired == NULL && root->expired_top == root->expired_bottom) return STM_OK;
    return collect_rest(root);
}

static TN_OUTLINE int refresh_full(struct root *root, void *object, unsigned extension, const void *site) {
    if (!stm_list_extend(root, list_at(&root->clock, extension))) return STM_NO_MEMORY;
    if (refresh_fast(root, object, extension) == DATED) return collect_one(root);
    return refresh_slow(object, extension, site);
}

int stm_refresh(void *object, unsigned extension) {
    struct root *root = stm_thread.fast;
    if (tn_unlikely(object == NULL)) return refresh_slow(object, extension, tn_caller());
    enum step step = refresh_fast(root, object, extension);
    if (tn_likely(step == DATED)) return collect_one(root);
    return step == FULL ? refresh_full(root, object, extension, tn_caller()) : refresh_slow(object, extension, tn_caller());
}

void *stm_malloc_refreshed(size_t size, unsigned extension) {
    void *object = stm_malloc(size);
    if (object == NULL) return NULL;
    struct root *root = stm_thread.fast;
    enum step step = refresh_fast(root, object, extension);
    if (tn_likely(step == DATED)) {
        (void)collect_one(root);
        return object;
    }
    int error = step == FULL ? refresh_full(root, object, extension, tn_caller()) : refresh_slow(object, extension, tn_caller());
    if (error == STM_OK) return object;
    stm_free(object);
    stm_object_errno(error);
    return NULL;
}

static TN_OUTLINE void tick_slow(void) {
    struct root *root = stm_root();
    if (root == NULL) return;
    root->ticks++;
    stm_clock_step(root, &root->clock);
    stm_collect_at_tick(root);
    stm_mode_ticked(root, &root->clock, 0);
}

void stm_tick(void) {
    struct root *root = stm_thread.fast;
    if (tn_unlikely(!root->collects_one)) {
        tick_slow();
        return;
    }
    root->ticks++;
    stm_clock_step(root, &root->clock);
    (void)collect_one(root);
}

uint64_t stm_time(void) {
    struct root *root = stm_root();
    return root != NULL ? root->clock.time : 0;
}

void stm_collect(void) {
    if (stm_thread.root != NULL) stm_collect_some(stm_thread.root, UINT64_MAX);
}

int stm_region_refresh(stm_region *region, unsigned extension) {
    int error = stm_date_check("stm_region_refresh", region, extension);
    if (error != STM_OK) return error;
    struct root *root = stm_root();
    if (root == NULL) return STM_NO_MEMORY;
    return stm_date_give_region(
        &(struct date){.root = root, .clock = &root->clock, .offset = extension, .own = true, .function = "stm_region_refresh"},
        region);
}

int stm_date_give_scoped(struct root *root, void *object, unsigned extension) {
    struct date date = {.root = root, .clock = &root->clock, .offset = extension, .own = true, .function = "stm_scope_begin"};
    if (!reach_date(&date)) return STM_NO_MEMORY;
    struct list *list = list_at(date.clock, extension);
    uintptr_t *slot = (uintptr_t *)list->hole;
    if (list->hole > HOLE_PINNED) {
        list->hole = *slot & ~(uintptr_t)DESCRIPTOR_BITS;
    } else {
        list = list_for(&date);
        if (list == NULL) return STM_NO_MEMORY;
        list->hole = HOLE_PINNED;
        slot = list->cursor++;
    }
    *slot = (uintptr_t)object;
    struct header *header = header_of(object);
    atomic_store_explicit(&header->local, root->number << LOCAL_OWNER_SHIFT | LOCAL_ONE_DATE, memory_order_relaxed);
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    atomic_store_explicit(&header->shared, shared | SHARED_SCOPED, memory_order_relaxed);
    extension_of(header)->slot = slot;
    extension_of(header)->date = (uint32_t)(root->clock.time + extension);
    stm_mode_dated(&date, header, true);
    if (!root->eager) stm_collect_some(root, root->bound);
    return STM_OK;
}

bool stm_date_take_scoped(struct root *root, struct header *header) {
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    if ((shared & (SHARED_SCOPED | SHARED_COUNT)) != SHARED_SCOPED) return false;
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed);
    if (root == NULL || local != (root->number << LOCAL_OWNER_SHIFT | LOCAL_ONE_DATE)) return false;
    struct extension *extension = extension_of(header);
    uintptr_t next = HOLE_PINNED;
    if (extension->date - (uint32_t)root->clock.time <= root->clock.mask) {
        struct list *list = &root->clock.lists[extension->date & root->clock.mask];
        next = list->hole;
        list->hole = (uintptr_t)extension->slot;
    }
    *extension->slot = next | DESCRIPTOR_HOLE;
    atomic_store_explicit(&header->local, local - 1, memory_order_relaxed);
    return true;
}
