/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * libscm's functions on top of our own. Clocks, regions and finalizers are numbers there: tables of this thread's
 * clocks and regions, and one of the process's finalizers.
 */
#include "tenure/libscm.h"

#include <errno.h>
#include <stdatomic.h>

#include "prim/thread.h"
#include "shortterm/date.h"
#include "shortterm/object.h"
#include "shortterm/region.h"
#include "shortterm/root.h"

/* Pointers by number, of one thread. */
struct table {
    void **entries;
    size_t used, room;
};

static TN_THREAD_LOCAL struct table clocks, regions;

static bool table_add(struct table *table, void *entry, int *number) {
    for (size_t i = 0; i < table->used; i++) {
        if (table->entries[i] != NULL) continue;
        table->entries[i] = entry;
        *number = (int)i;
        return true;
    }
    if (table->used == table->room) {
        size_t room = table->room == 0 ? 16 : table->room * 2;
        void **entries = stm_below.reallocate(table->entries, room * sizeof *entries);
        if (entries == NULL) return false;
        table->entries = entries;
        table->room = room;
    }
    *number = (int)table->used;
    table->entries[table->used++] = entry;
    return true;
}

static void *table_get(const struct table *table, unsigned long number) {
    return number < table->used ? table->entries[number] : NULL;
}

/* The region behind a number. A region of ours is gone when it expires; a number is not. */
struct numbered_region {
    stm_region *content; /* NULL: empty */
    uint64_t last;       /* the latest date on the thread's own clock */
    bool dated;
    bool elsewhere;      /* it has dates on other clocks, so that it cannot be told from the time whether they have passed */
    bool unregistered;
    uint32_t contents;   /* that will say when they expire */
};

static void release_number(struct numbered_region *region) {
    region->unregistered = true;
    if (region->contents == 0) stm_below.release(region);
}

/* The finalizer of an object that each content begins with. */
static int content_expired(void *object, void *argument) {
    struct numbered_region *region = argument;
    if (region->content == region_of(header_of(object))) region->content = NULL;
    region->contents--;
    if (region->unregistered) release_number(region);
    return 0;
}

static void forget_tables(void) {
    for (size_t i = 0; i < regions.used; i++) scm_unregister_region((int)i);
    /* A clock of a thread that ends can never tick again. */
    for (size_t i = 1; i < clocks.used; i++)
        if (clocks.entries[i] != NULL) (void)stm_clock_destroy(clocks.entries[i]);
    stm_below.release(regions.entries);
    stm_below.release(clocks.entries);
    regions = clocks = (struct table){0};
}

void *scm_malloc(size_t size) { return stm_malloc(size); }
void *scm_calloc(size_t count, size_t size) { return stm_calloc(count, size); }
void *scm_realloc(void *object, size_t size) { return stm_realloc(object, size); }
size_t scm_malloc_usable_size(void *object) { return stm_usable_size(object); }

void scm_free(void *object) {
    if (object == NULL) return;
    uint64_t shared = atomic_load_explicit(&header_of(object)->shared, memory_order_acquire);
    if (is_tagged(shared) && ((shared & SHARED_REGION) != 0 || stm_date_count(object) != 0)) return;
    stm_free(object);
}

void scm_refresh(void *object, unsigned int extension) { (void)stm_refresh(object, extension); }
void scm_tick(void) { stm_tick(); }
void scm_collect(void) { stm_collect(); }

int scm_register_clock(void) {
    int number;
    /* Number 0 is the thread's own clock. */
    if (clocks.used == 0) {
        if (tn_thread_at_end(forget_tables) != 0 || !table_add(&clocks, &clocks, &number)) return -1;
    }
    stm_clock *clock = stm_clock_create();
    if (clock == NULL) return -1;
    if (table_add(&clocks, clock, &number)) return number;
    (void)stm_clock_destroy(clock);
    return -1;
}

void scm_unregister_clock(const int clock) {
    stm_clock *named = clock > 0 ? table_get(&clocks, (unsigned long)clock) : NULL;
    if (named == NULL) return;
    clocks.entries[clock] = NULL;
    (void)stm_clock_destroy(named);
}

void scm_refresh_with_clock(void *object, unsigned int extension, const unsigned long clock) {
    stm_clock *named = clock > 0 ? table_get(&clocks, clock) : NULL;
    if (clock == 0) (void)stm_refresh(object, extension);
    else if (named != NULL) (void)stm_clock_refresh(named, object, extension);
}

void scm_tick_clock(const unsigned long clock) {
    stm_clock *named = clock > 0 ? table_get(&clocks, clock) : NULL;
    if (clock == 0) stm_tick();
    else if (named != NULL) (void)stm_clock_tick(named);
}

void scm_global_refresh(void *object, unsigned int extension) { (void)stm_global_refresh(object, extension); }
void scm_global_tick(void) { (void)stm_global_tick(); }

int scm_create_region(void) {
    struct numbered_region *region = stm_below.allocate_zero(1, sizeof *region);
    int number;
    if (region == NULL) return -1;
    if (tn_thread_at_end(forget_tables) == 0 && table_add(&regions, region, &number)) return number;
    stm_below.release(region);
    return -1;
}

static struct numbered_region *region_numbered(int number) {
    return number >= 0 ? table_get(&regions, (unsigned long)number) : NULL;
}

/* What lives in the region; NULL if it is empty, or its dates have passed and it waits to be collected. */
static stm_region *content_of(struct numbered_region *region) {
    if (region->content != NULL && region->dated && !region->elsewhere && stm_time() > region->last) region->content = NULL;
    return region->content;
}

void scm_unregister_region(const int number) {
    struct numbered_region *region = region_numbered(number);
    if (region == NULL) return;
    regions.entries[number] = NULL;
    if (content_of(region) != NULL && !region->dated) {
        stm_region_free(region->content);
        region->contents--;
    }
    release_number(region);
}

/* A new content, with the object by which its end is noticed. */
static stm_region *fill(struct numbered_region *region) {
    stm_region *content = stm_region_create();
    if (content == NULL) return NULL;
    void *first = stm_region_malloc(content, 0);
    if (first == NULL || stm_set_finalizer(first, content_expired, region) != STM_OK) {
        stm_region_free(content);
        return NULL;
    }
    region->content = content;
    region->contents++;
    region->dated = region->elsewhere = false;
    return content;
}

void *scm_malloc_in_region(size_t size, const int number) {
    struct numbered_region *region = region_numbered(number);
    if (region == NULL) return NULL;
    stm_region *content = content_of(region);
    if (content == NULL) content = fill(region);
    if (content == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    return stm_region_malloc(content, size);
}

void scm_refresh_region(const int number, unsigned int extension) {
    struct numbered_region *region = region_numbered(number);
    stm_region *content = region != NULL ? content_of(region) : NULL;
    if (content == NULL || stm_region_refresh(content, extension) != STM_OK) return;
    uint64_t date = stm_time() + extension;
    if (!region->dated || date > region->last) region->last = date;
    region->dated = true;
}

void scm_refresh_region_with_clock(const int number, unsigned int extension, const unsigned long clock) {
    if (clock == 0) {
        scm_refresh_region(number, extension);
        return;
    }
    struct numbered_region *region = region_numbered(number);
    stm_region *content = region != NULL ? content_of(region) : NULL;
    stm_clock *named = table_get(&clocks, clock);
    if (content == NULL || named == NULL) return;
    if (stm_clock_region_refresh(named, content, extension) == STM_OK) region->dated = region->elsewhere = true;
}

void scm_global_refresh_region(const int number, unsigned int extension) {
    struct numbered_region *region = region_numbered(number);
    stm_region *content = region != NULL ? content_of(region) : NULL;
    if (content == NULL) return;
    if (stm_global_region_refresh(content, extension) == STM_OK) region->dated = region->elsewhere = true;
}

struct registered {
    int (*function)(void *object);
    struct registered *next;
    int number;
};
static _Atomic(struct registered *) finalizers;

int scm_register_finalizer(int (*finalizer)(void *object)) {
    struct registered *entry = stm_below.allocate(sizeof *entry);
    if (entry == NULL) return -1;
    entry->function = finalizer;
    entry->next = atomic_load_explicit(&finalizers, memory_order_acquire);
    do {
        entry->number = entry->next != NULL ? entry->next->number + 1 : 0;
    } while (!atomic_compare_exchange_weak_explicit(&finalizers, &entry->next, entry, memory_order_acq_rel,
                                                    memory_order_acquire));
    return entry->number;
}

static int call_registered(void *object, void *argument) { return ((struct registered *)argument)->function(object); }

void scm_set_finalizer(void *object, int finalizer) {
    struct registered *entry = atomic_load_explicit(&finalizers, memory_order_acquire);
    while (entry != NULL && entry->number != finalizer) entry = entry->next;
    if (entry != NULL) (void)stm_set_finalizer(object, call_registered, entry);
}

void scm_register_thread(void) { (void)stm_root(); }

void scm_unregister_thread(void) {
    forget_tables();
    stm_thread_leave();
}

void scm_block_thread(void) { (void)stm_global_block(); }
void scm_resume_thread(void) { (void)stm_global_resume(); }
