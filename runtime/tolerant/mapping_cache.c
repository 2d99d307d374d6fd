/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A few mappings in a table that is searched from end to end: who asks for a mebibyte or more writes at least 256 pages
 * of it.
 *
 * What is asked for is cut from the smallest mapping that has room, and the rest stays; freed, the two become one
 * again. Where none has room, it is gathered: the system moves the frames of several to addresses in a row, which costs
 * a fraction of what it costs to clear new ones, and only what is missing has to be cleared. What was gathered is
 * several of the system's mappings. It is moved again only where the system moves several at once (Linux 6.17), and
 * what is in too many parts is not kept: their number is bounded.
 */
#include "tolerant/mapping_cache.h"

#include "prim/space.h"
#include "tolerant/page.h"

#define KEPT 32
/* Beyond them in the table, those that the system would not take back, as it has too many mappings; without frames. */
#define STRANDED 60
/* What may be kept: twice the largest mapping that was freed, as the next may be about as large; between these. glibc's
 * malloc goes by the same rule (mallopt(3), M_MMAP_THRESHOLD). */
#define KEPT_BYTES_LEAST ((size_t)16 * 1024 * 1024)
#define KEPT_BYTES_MOST ((size_t)64 * 1024 * 1024)

/* The system's mappings that what is kept may be made of, and those of an object that is gathered. */
#define PARTS_MOST 32
/* To gather less is not worth the calls. */
#define PIECE_LEAST ((size_t)64 * 1024)
/* One that lacks no more than such a part is made larger instead. */
#define GROWN_PART 8

struct kept {
    uintptr_t start;
    size_t size;    /* 0: none */
    uint16_t parts; /* of the system's mappings, at most */
};

static TN_SPARSE struct kept table[KEPT + STRANDED];
static size_t used;    /* entries from `used` on were never used */
static size_t largest; /* that was freed */
static size_t low;     /* the fewest bytes that were kept since tt_mapping_cache_age */
static bool moves_one; /* the system moves only one of its mappings at a time */

static size_t kept_bytes(void) { return atomic_load_explicit(&tt_pages_now.kept, memory_order_relaxed); }

static void count(size_t more, size_t less) {
    if (more > less)
        atomic_fetch_add_explicit(&tt_pages_now.kept, more - less, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&tt_pages_now.kept, less - more, memory_order_relaxed);
    if (kept_bytes() < low) low = kept_bytes();
}

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

/* Of an entry's parts those of its first bytes: about, where there are several. */
static uint16_t parts_of(const struct kept *kept, size_t bytes) {
    return (uint16_t)(1 + (kept->parts - 1u) * bytes / kept->size);
}

/* Takes the first *size bytes of an entry that has more. */
static void *cut(struct kept *kept, size_t *size, uint16_t *parts) {
    unsigned char *start = (unsigned char *)kept->start;
    size_t rest = kept->size - *size;
    if (is_stranded(kept)) {
        *size = kept->size;
        *parts = kept->parts;
        kept->size = 0;
        return start;
    }
    *parts = parts_of(kept, *size);
    if (rest != 0) kept->parts = parts_of(kept, rest);
    count(0, *size);
    kept->start += *size;
    kept->size = rest;
    return start;
}

/* Makes the entry's first bytes those at `to`, which is mapped. False if they were not: then the entry is as it was, or
 * has new frames, or is gone; what is at `to` is mapped, or *lost. */
static bool move(struct kept *kept, size_t bytes, void *to, bool *lost) {
    uint16_t parts = kept->parts;
    if (tn_space_move((unsigned char *)kept->start, bytes, to)) {
        count(0, bytes);
        if (kept->size != bytes) kept->parts = parts_of(kept, kept->size - bytes);
        kept->start += bytes;
        kept->size -= bytes;
        return true;
    }
    if (parts == 1) return false;
    moves_one = true;
    *lost = !tn_space_renew(to, bytes);
    if (!tn_space_renew((unsigned char *)kept->start, kept->size)) {
        count(0, kept->size);
        kept->size = 0;
    }
    kept->parts = 1;
    return false;
}

/* The largest that may be moved, beside those that were tried. */
static struct kept *next_piece(uint64_t tried, unsigned parts_left) {
    struct kept *most = NULL;
    for (struct kept *kept = table; kept < table + used && kept < table + KEPT; kept++) {
        bool may = (tried >> (kept - table) & 1) == 0 && kept->parts <= (moves_one ? 1 : parts_left);
        if (may && kept->size >= PIECE_LEAST && (most == NULL || kept->size > most->size)) most = kept;
    }
    return most;
}

/* What is kept, in a row; the last of it is new where there is not enough. */
static void *gather(size_t size, uint16_t *parts) {
    unsigned char *start = tn_space_map(size, tn_space_page_size());
    size_t filled = 0;
    bool lost = false;
    struct kept *kept;
    *parts = 1;
    for (uint64_t tried = 0; start != NULL && !lost && filled < size && (kept = next_piece(tried, PARTS_MOST - *parts)) != NULL;
         tried |= (uint64_t)1 << (kept - table)) {
        size_t bytes = kept->size < size - filled ? kept->size : size - filled;
        uint16_t own = parts_of(kept, bytes);
        if (!move(kept, bytes, start + filled, &lost)) continue;
        filled += bytes;
        *parts = (uint16_t)(*parts + own);
    }
    if (start == NULL || (filled != 0 && !lost)) return start;
    (void)tn_space_unmap(start, size);
    return NULL;
}

/* The largest made larger, if it is nearly enough or all that there is: it stays one mapping. */
static void *grow(size_t size) {
    struct kept *kept = next_piece(0, 1);
    if (kept == NULL || (size - kept->size > size / GROWN_PART && kept_bytes() - kept->size >= PIECE_LEAST)) return NULL;
    void *start = tn_space_resize((unsigned char *)kept->start, kept->size, size, true);
    if (start == NULL) return NULL;
    count(0, kept->size);
    kept->size = 0;
    return start;
}

void *tt_mapping_cache_take(size_t *size, size_t alignment, uint16_t *parts) {
    *parts = 1;
    struct kept *kept = best_fit(*size, alignment);
    if (kept != NULL) return cut(kept, size, parts);
    /* Of little there is little to gain. */
    if (alignment > tn_space_page_size() || kept_bytes() < *size / 4) return NULL;
    void *start = grow(*size);
    return start != NULL ? start : gather(*size, parts);
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
    *entry = (struct kept){(uintptr_t)start, size, 1};
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

bool tt_mapping_cache_keep(void *object, size_t size, uint16_t parts) {
    if (size > largest) largest = size;
    size_t most = kept_bytes_most();
    if (size > most || parts > PARTS_MOST) return false;
    if (kept_bytes() + size > most) (void)tt_mapping_cache_give(kept_bytes() + size - most);
    uintptr_t start = (uintptr_t)object;
    count(size, 0);
    /* One on each side at most. */
    for (struct kept *beside; (beside = neighbour(start, size)) != NULL; beside->size = 0) {
        if (beside->start < start) start = beside->start;
        size += beside->size;
        parts = (uint16_t)(parts + beside->parts);
    }
    struct kept *entry = free_entry(0, KEPT);
    if (entry == NULL) {
        entry = least_kept();
        (void)give(entry, entry->size);
    }
    *entry = (struct kept){start, size, parts};
    return true;
}

void tt_mapping_cache_age(void) {
    if (low != 0) (void)tt_mapping_cache_give(low);
    low = kept_bytes();
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
