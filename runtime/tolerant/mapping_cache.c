/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A few mappings in a table that is searched from end to end: who asks for a mebibyte or more writes at least 256 pages of it.
 *
 * What is asked for is cut from the smallest mapping that has room, and the rest stays; freed, the two become one again. Where none
 * has room, the largest is made larger: the system moves its frames to where there is place, and only what is added has to be cleared.
 * A mapping that has come to be several of the kernel's own cannot be made larger; then a new one serves.
 */
#include "tolerant/mapping_cache.h"

#include "prim/space.h"
#include "tolerant/page.h"

#define KEPT 32
/* Beyond them in the table, those that the system would not take back, as it has too many mappings; without frames. */
#define STRANDED 60
/* What may be kept: twice the largest mapping that was freed, as the next may be about as large; between these. glibc's malloc goes by
 * the same rule (mallopt(3), M_MMAP_THRESHOLD). */
#define KEPT_BYTES_LEAST ((size_t)16 * 1024 * 1024)
#define KEPT_BYTES_MOST ((size_t)64 * 1024 * 1024)

struct kept {
    uintptr_t start;
    size_t size; /* 0: none */
};

static TN_SPARSE struct kept table[KEPT + STRANDED];
static size_t used;    /* entries from `used` on were never used */
static size_t largest; /* that was freed */

static void count(size_t more, size_t less) {
    if (more > less)
        atomic_fetch_add_explicit(&tt_pages_now.kept, more - less, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&tt_pages_now.kept, less - more, memory_order_relaxed);
}

static size_t kept_bytes(void) { return atomic_load_explicit(&tt_pages_now.kept, memory_order_relaxed); }

static bool is_stranded(const struct kept *kept) { return kept >= table + KEPT; }

/* A free entry among those from `first` up to `end`, or NULL. */
static struct kept *free_entry(size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        if (table[i].size != 0) continue;
        if (i >= used) used = i + 1;
        return &table[i];
    }
    return NULL;
}

/* What cannot be cut serves only where little of it is wasted. */
static bool has_room(const struct kept *kept, size_t size, size_t alignment) {
    if (kept->size < size || (kept->start & (alignment - 1)) != 0) return false;
    return !is_stranded(kept) || kept->size <= size + size / 4;
}

/* The smallest that has room, or NULL. */
static struct kept *best_fit(size_t size, size_t alignment) {
    struct kept *best = NULL;
    for (struct kept *kept = table; kept < table + used; kept++)
        if (has_room(kept, size, alignment) && (best == NULL || kept->size < best->size)) best = kept;
    return best;
}

static struct kept *largest_kept(void) {
    struct kept *most = NULL;
    for (struct kept *kept = table; kept < table + used && kept < table + KEPT; kept++)
        if (kept->size != 0 && (most == NULL || kept->size > most->size)) most = kept;
    return most;
}

/* Takes the first *size bytes of an entry that has more. */
static void *cut(struct kept *kept, size_t *size) {
    unsigned char *start = (unsigned char *)kept->start;
    size_t rest = kept->size - *size;
    if (is_stranded(kept)) {
        *size = kept->size;
        kept->size = 0;
        return start;
    }
    count(0, *size);
    kept->start += *size;
    kept->size = rest;
    return start;
}

void *tt_mapping_cache_take(size_t *size, size_t alignment) {
    struct kept *kept = best_fit(*size, alignment);
    if (kept != NULL) return cut(kept, size);
    kept = alignment <= tn_space_page_size() ? largest_kept() : NULL;
    /* Of little there is little to gain. */
    if (kept == NULL || kept->size < *size / 4) return NULL;
    void *start = tn_space_resize((unsigned char *)kept->start, kept->size, *size, true);
    if (start == NULL) return NULL;
    count(0, kept->size);
    kept->size = 0;
    return start;
}

/* An entry that ends where the mapping begins, or begins where it ends. */
static struct kept *neighbour(uintptr_t start, size_t size) {
    for (struct kept *kept = table; kept < table + used && kept < table + KEPT; kept++)
        if (kept->size != 0 && (kept->start + kept->size == start || start + size == kept->start)) return kept;
    return NULL;
}

static struct kept *least_kept(void) {
    struct kept *least = NULL;
    for (struct kept *kept = table; kept < table + used && kept < table + KEPT; kept++)
        if (kept->size != 0 && (least == NULL || kept->size < least->size)) least = kept;
    return least;
}

bool tt_mapping_cache_strand(void *start, size_t size) {
    struct kept *entry = free_entry(KEPT, KEPT + STRANDED);
    if (entry == NULL) return false;
    *entry = (struct kept){(uintptr_t)start, size};
    return true;
}

/* Gives the end of a mapping back. */
static size_t give(struct kept *kept, size_t bytes) {
    unsigned char *at = (unsigned char *)kept->start + kept->size - bytes;
    kept->size -= bytes;
    count(0, bytes);
    if (!tn_space_unmap(at, bytes)) (void)tt_mapping_cache_strand(at, bytes);
    return bytes;
}

static size_t kept_bytes_most(void) {
    size_t twice = 2 * largest < KEPT_BYTES_MOST ? 2 * largest : KEPT_BYTES_MOST;
    return twice > KEPT_BYTES_LEAST ? twice : KEPT_BYTES_LEAST;
}

bool tt_mapping_cache_keep(void *object, size_t size) {
    if (size > largest) largest = size;
    size_t most = kept_bytes_most();
    if (size > most) return false;
    if (kept_bytes() + size > most) (void)tt_mapping_cache_give(kept_bytes() + size - most);
    uintptr_t start = (uintptr_t)object;
    count(size, 0);
    /* One on each side at most. */
    for (struct kept *beside; (beside = neighbour(start, size)) != NULL; beside->size = 0) {
        if (beside->start < start) start = beside->start;
        size += beside->size;
    }
    struct kept *entry = free_entry(0, KEPT);
    if (entry == NULL) {
        entry = least_kept();
        (void)give(entry, entry->size);
    }
    *entry = (struct kept){start, size};
    return true;
}

size_t tt_mapping_cache_give(size_t bytes) {
    size_t given = 0, page = tn_space_page_size();
    /* Small ones first, which serve fewest. */
    for (struct kept *least; given < bytes && (least = least_kept()) != NULL;) {
        size_t wanted = bytes - given;
        given += give(least, wanted < least->size ? (wanted + page - 1) & ~(page - 1) : least->size);
    }
    return given;
}
