/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The checked heap as compiled code calls it: objects are deleted anywhere, references to them are copied freely, and
 * a use of a reference whose object is gone is found. `tenure/checked.h` is the same for C programmers.
 *
 * A reference is a word of pointer type that is compared, copied and stored like one, and never followed. `tn_touch`
 * makes an address of it, or reports to the error handler (below), which does not return. NULL is the null reference.
 *
 * The address holds until this thread next deletes, polls or calls what may; with several threads no other thread's
 * delete ends it before this thread's next poll. A touch is a check like any other: what it showed stays true as long.
 *
 * The tagged form, which this header has: the reference carries the generation of its object's slot in bits 48 to 63,
 * and the word before the object, its header, carries the slot's current one. Slots are used again at once, under the next
 * generation; a slot whose generations are used up is never used again, so no two objects ever share an address and a
 * generation. Nothing moves. Always detects: dereferences, second deletes and deletes of interior references.
 *
 * Bit 47 of a reference says that its header is not just before it: `tn_interior` sets it, and large objects have it from the
 * start. Then the header is found through the table of spans. Why a reference without the bit may look just before
 * it: a span's slots never change their size or place, so that word has been a header ever since and nothing else.
 */
#ifndef TENURE_CHECKED_INLINE_H
#define TENURE_CHECKED_INLINE_H

#include <stdbool.h>

#include "tenure/check.h"
#include "tenure/platform.h"

/* Where a type's references to objects of this heap are. `size` bytes, of which `count` words at `offsets` are references or
 * NULL; an object that is larger repeats them every `size` bytes. Aligned as a pointer, and lives as long as the heap. NULL
 * in place of a layout says that nobody knows: right for unions of references and others, and for what C code fills. */
struct tn_layout {
    uint32_t size;
    uint32_t count;
    const uint32_t *offsets;
};

/* No reference at all: text and numbers. */
extern const struct tn_layout tn_layout_leaf;

enum tn_checked_kind {
    TN_CHECKED_NULL,            /* the reference is NULL */
    TN_CHECKED_DANGLING,        /* its object was deleted */
    TN_CHECKED_SECOND_DELETE,   /* delete of an object that was deleted */
    TN_CHECKED_INTERIOR_DELETE, /* delete of a reference to the middle of an object that lives */
    TN_CHECKED_FOREIGN,         /* no reference of this heap */
    TN_CHECKED_NO_MEMORY,       /* the system has none, or `size` is too large */
    TN_CHECKED_KINDS
};

/* What was done wrong. Places that are not known are NULL: those of allocation and delete are remembered only if the heap was
 * opened so, and then for the objects deleted most recently. */
struct tn_checked_error {
    enum tn_checked_kind kind;
    const void *reference;
    size_t size; /* of TN_CHECKED_NO_MEMORY */
    const struct tn_site *used, *allocated, *deleted;
};

/* What is called from now on, in the thread that did it, with no lock held. It does not return: it jumps away, throws or ends
 * the process. NULL brings back the default, which prints the error with its places and aborts. `error` lives as long as the
 * call. Returns what was called until now. */
typedef void (*tn_checked_handler)(const struct tn_checked_error *error);
tn_checked_handler tn_checked_on_error(tn_checked_handler handler);

/* The error's text without its places: "the object was deleted". */
const char *tn_checked_says(enum tn_checked_kind kind);

enum tn_checked_flags {
    TN_CHECKED_ZERO = 0, /* all bytes of the object are zero */
    TN_CHECKED_RAW = 1   /* the caller initialises all bytes at once, before it deletes, polls or allocates */
};

/* A new object: `size` bytes (0 counts as 1) at a multiple of `align`, a power of two up to 65536; 8 and below
 * cost nothing, 16 next to nothing, more takes whole pages. Never NULL. The heap opens itself at the first call. `site` is the
 * place in the source, for errors; it lives as long as the heap. */
void *tn_checked_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags, const struct tn_site *site)
    __attribute__((returns_nonnull));

/* Deletes the object; NULL is allowed. A reference to the middle is an error unless it is to the first byte. If the
 * object is pinned every touch from now on fails, and its memory lives until the last pin goes. */
void tn_checked_delete(const void *ref, const struct tn_site *site);

/* The layout that the object was made with. The reference was touched. */
const struct tn_layout *tn_checked_layout(const void *ref);

/* Keeps the object's memory where it is, even if it is deleted meanwhile: the address that is returned stays valid until as many
 * calls of tn_unpin. Touches as tn_touch does. */
void *tn_pin(const void *ref, const struct tn_site *site);
void tn_unpin(const void *ref);

/* Paths out of line. */
void *tn_tagged_touch_slow(uint64_t ref, const struct tn_site *site);
void tn_checked_poll_slow(void);
extern uint32_t tn_checked_polling; /* not 0 while some thread waits for the others to poll */

#define TN_REF_SHIFT 47
#define TN_REF_INDIRECT (UINT64_C(1) << TN_REF_SHIFT)

typedef uint64_t TN_MAY_ALIAS tn_checked_word;

/* The address of the object, or of the byte in its middle, that the reference is for. Reports NULL and objects that are gone. */
TN_INLINE void *tn_touch(const void *ref, const struct tn_site *site) {
    uint64_t word = (uint64_t)(uintptr_t)ref;
    uint64_t up = word << (63 - TN_REF_SHIFT);
    /* Positive: not NULL, and the header is just before. */
    if (tn_likely((int64_t)up > 0)) {
        uint64_t address = up >> (63 - TN_REF_SHIFT);
        uint64_t header = __atomic_load_n((const tn_checked_word *)(uintptr_t)address - 1, __ATOMIC_RELAXED);
        if (tn_likely((header ^ word) >> TN_REF_SHIFT == 0)) return (void *)(uintptr_t)address;
    }
    return tn_tagged_touch_slow(word, site);
}

/* The two halves of tn_touch: checks, and gives the reference to keep in place of the old one (where objects move that is the
 * newer); and the address for a reference that was just touched, which costs two shifts at most. */
TN_INLINE void *tn_fresh(const void *ref, const struct tn_site *site) {
    (void)tn_touch(ref, site);
    return (void *)(uintptr_t)ref;
}
TN_INLINE void *tn_address(const void *touched) {
    return (void *)(uintptr_t)((uint64_t)(uintptr_t)touched << (64 - TN_REF_SHIFT) >> (64 - TN_REF_SHIFT));
}

/* A reference to the byte `offset` bytes on, in the same object: `offset` is from its first byte's to its last byte's distance.
 * Needs no touch. The null reference has no middle: the caller checks. Leave it out where the offset is known to be 0. */
TN_INLINE void *tn_interior(const void *ref, size_t offset) {
    return (void *)(uintptr_t)(((uint64_t)(uintptr_t)ref + offset) | TN_REF_INDIRECT);
}

/* Whether two references are to the same byte of the same object, alive or gone. */
TN_INLINE bool tn_equal(const void *a, const void *b) {
    return (((uint64_t)(uintptr_t)a ^ (uint64_t)(uintptr_t)b) & ~TN_REF_INDIRECT) == 0;
}

/* To be called where a loop or a call chain runs long: lets other threads' work on the heap go on. One load where none waits. */
TN_INLINE void tn_poll(void) {
    if (tn_unlikely(__atomic_load_n(&tn_checked_polling, __ATOMIC_RELAXED) != 0)) tn_checked_poll_slow();
}

#endif
