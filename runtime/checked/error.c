/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "checked/error.h"

#include <stdatomic.h>
#include <stdio.h>

#include "prim/abort.h"
#include "prim/lock.h"
#include "prim/memory.h"

const struct tn_layout tn_layout_leaf = {8, 0, NULL};

static const char *const texts[TN_CHECKED_KINDS] = {
    [TN_CHECKED_NULL] = "the reference is NULL",
    [TN_CHECKED_DANGLING] = "the object was deleted",
    [TN_CHECKED_SECOND_DELETE] = "the object was deleted already",
    [TN_CHECKED_INTERIOR_DELETE] = "the reference is to the middle of an object",
    [TN_CHECKED_FOREIGN] = "this is no reference to an object of this heap",
    [TN_CHECKED_NO_MEMORY] = "no memory",
};

const char *tn_checked_says(enum tn_checked_kind kind) { return texts[kind]; }

/* One line, cut off where the buffer ends. */
static void print_line(const char *text, const struct tn_site *site) {
    char line[512];
    int length;
    if (site == NULL)
        length = snprintf(line, sizeof line, "%s\n", text);
    else
        length = snprintf(line, sizeof line, "  %s at %s:%u%s%s\n", text, site->file, (unsigned)site->line,
                          site->function != NULL ? " in " : "", site->function != NULL ? site->function : "");
    if (length < 0) return;
    tn_os_write_error(line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
}

static void print_and_abort(const struct tn_checked_error *error) {
    char text[128];
    if (error->kind == TN_CHECKED_NO_MEMORY)
        (void)snprintf(text, sizeof text, "checked heap: no memory for %zu bytes", error->size);
    else
        (void)snprintf(text, sizeof text, "checked heap: %s", texts[error->kind]);
    print_line(text, NULL);
    if (error->used != NULL) print_line("used", error->used);
    if (error->allocated != NULL) print_line("allocated", error->allocated);
    if (error->deleted != NULL) print_line("deleted", error->deleted);
    tn_os_abort();
}

static _Atomic(tn_checked_handler) current = print_and_abort;

tn_checked_handler tn_checked_on_error(tn_checked_handler handler) {
    return atomic_exchange(&current, handler != NULL ? handler : print_and_abort);
}

bool tn_checked_remembers;

/* Deletes by a hash of the reference: 2^17 entries, one for each value of the hash. */
#define ENTRIES (UINT64_C(1) << 17)
struct entry {
    uint64_t base;
    const struct tn_site *allocated, *deleted;
};
static struct entry *entries;
static tn_lock entries_lock = TN_LOCK_INITIALIZER;

bool tn_deletes_open(void) {
    entries = tn_os_map(ENTRIES * sizeof *entries);
    tn_checked_remembers = entries != NULL;
    return entries != NULL;
}

void tn_deletes_close(void) {
    if (entries != NULL) tn_os_unmap(entries, ENTRIES * sizeof *entries);
    entries = NULL;
    tn_checked_remembers = false;
}

/* Multiplicative hashing by the golden ratio. */
static struct entry *entry_of(uint64_t base) { return &entries[(base * UINT64_C(0x9E3779B97F4A7C15)) >> 47]; }

void tn_deletes_add(uint64_t base, const struct tn_site *allocated, const struct tn_site *deleted) {
    tn_lock_acquire(&entries_lock);
    *entry_of(base) = (struct entry){base, allocated, deleted};
    tn_lock_release(&entries_lock);
}

uint64_t (*tn_checked_base)(const void *ref);

_Noreturn void tn_checked_raise(enum tn_checked_kind kind, const void *ref, size_t size, const struct tn_site *used,
                                const struct tn_site *allocated) {
    struct tn_checked_error error = {kind, ref, size, used, allocated, NULL};
    if (entries != NULL && (kind == TN_CHECKED_DANGLING || kind == TN_CHECKED_SECOND_DELETE)) {
        uint64_t base = tn_checked_base(ref);
        tn_lock_acquire(&entries_lock);
        const struct entry *entry = entry_of(base);
        if (entry->base == base) {
            error.allocated = entry->allocated;
            error.deleted = entry->deleted;
        }
        tn_lock_release(&entries_lock);
    }
    atomic_load(&current)(&error);
    tn_os_abort(); /* a handler does not return */
}
