/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The checked heap as compiled code calls it: objects are deleted anywhere, references to them are copied freely, and
 * a use of a reference whose object is gone is found. `tenure/checked.h` is the same for C programmers.
 *
 * A reference is a word of pointer type that is copied and stored like one, and never followed. `tn_touch` makes an address of it,
 * or reports to the error handler (below), which does not return. NULL is the null reference.
 *
 * The address holds until this thread next deletes, polls or calls what may; with several threads no other thread's
 * delete ends it before this thread's next poll. A touch is a check like any other: what it showed stays true as long.
 *
 * The heap has forms, one for a whole program, chosen by TN_CHECKED_FORM; all have these calls:
 *
 * | form    | a use of an object that is gone                    | memory                                                  |
 * |---------|----------------------------------------------------|---------------------------------------------------------|
 * | tagged  | always raises                                      | slots used again at once; nothing moves                 |
 * | moving  | raises, or works as if the object were still there | bump allocation; what lives is moved together           |
 * | strict  | always raises                                      | as moving                                               |
 *
 * A fourth is for tests of what calls it: trapping is strict, moves all objects wherever it may, and lets every access to where an object
 * was before end the program, so that a touch that was left out, or an address that was kept too long, is found.
 *
 * What each has inline: tenure/checked_tagged.h and tenure/checked_moving.h.
 */
#ifndef TENURE_CHECKED_INLINE_H
#define TENURE_CHECKED_INLINE_H

#include <stdbool.h>

#include "tenure/check.h"
#include "tenure/platform.h"

#define TN_CHECKED_TAGGED 1
#define TN_CHECKED_MOVING 2
#define TN_CHECKED_STRICT 3
#define TN_CHECKED_TRAPPING 4
#ifndef TN_CHECKED_FORM
#define TN_CHECKED_FORM TN_CHECKED_TAGGED
#endif

/* A function of the form that was chosen. */
#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
#define TN_OF_FORM(name) tn_tagged_##name
#else
#define TN_OF_FORM(name) tn_moving_##name
#endif

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
    TN_CHECKED_RAW = 1,  /* the caller initialises all bytes at once, before it deletes, polls or allocates */
    TN_CHECKED_OPEN_STRICT = 2, /* the heap, if it is not open yet, becomes a strict one */
    TN_CHECKED_OPEN_TRAPPING = 4 /* or a trapping one, which is strict */
};

/* Each form's part. */
#define TN_CHECKED_OBJECTS(form)                                                                                        \
    void *tn_##form##_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,                    \
                          const struct tn_site *site) __attribute__((returns_nonnull));                                 \
    void tn_##form##_delete(const void *ref, const struct tn_site *site);                                               \
    const struct tn_layout *tn_##form##_layout(const void *ref);                                                        \
    void *tn_##form##_pin(const void *ref, const struct tn_site *site);                                                 \
    void tn_##form##_unpin(const void *ref);                                                                            \
    void tn_##form##_poll(void);                                                                                        \
    void *tn_##form##_touch(uint64_t ref, const struct tn_site *site); /* what the inline part leaves over */
TN_CHECKED_OBJECTS(tagged)
TN_CHECKED_OBJECTS(moving)

/* A new object: `size` bytes (0 counts as 1) at a multiple of `align`, a power of two up to 65536; 8 and below
 * cost nothing, 16 next to nothing, more takes whole pages. Never NULL. The heap opens itself at the first call. `site` is the
 * place in the source, for errors; it lives as long as the heap. Ends no address. */
TN_INLINE void *tn_checked_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags,
                               const struct tn_site *site) {
    if (TN_CHECKED_FORM >= TN_CHECKED_STRICT) flags |= TN_CHECKED_OPEN_STRICT;
    if (TN_CHECKED_FORM == TN_CHECKED_TRAPPING) flags |= TN_CHECKED_OPEN_TRAPPING;
    return TN_OF_FORM(new)(size, align, layout, flags, site);
}

/* Deletes the object; NULL is allowed. A reference to the middle is an error unless it is to the first byte. If the
 * object is pinned its memory lives until the last pin goes. */
TN_INLINE void tn_checked_delete(const void *ref, const struct tn_site *site) { TN_OF_FORM(delete)(ref, site); }

/* The layout that the object was made with. The reference was touched. */
TN_INLINE const struct tn_layout *tn_checked_layout(const void *ref) { return TN_OF_FORM(layout)(ref); }

/* Keeps the object's memory where it is, even if it is deleted meanwhile: the address that is returned stays valid until as many
 * calls of tn_unpin, with this reference or any other to the object. Touches as tn_touch does. */
TN_INLINE void *tn_pin(const void *ref, const struct tn_site *site) { return TN_OF_FORM(pin)(ref, site); }
TN_INLINE void tn_unpin(const void *ref) { TN_OF_FORM(unpin)(ref); }

/* To be called where a loop or a call chain runs long: lets work on the heap go on, this thread's and others'. One load where
 * there is none. */
extern uint32_t tn_checked_polling;
TN_INLINE void tn_poll(void) {
    if (tn_unlikely(__atomic_load_n(&tn_checked_polling, __ATOMIC_RELAXED) != 0)) TN_OF_FORM(poll)();
}

typedef uint64_t TN_MAY_ALIAS tn_checked_word;

/* The form's tn_touch, tn_fresh, tn_address, tn_interior and tn_equal. tn_touch gives the address of the object, or of the byte in its
 * middle, that the reference is for, and reports NULL and objects that are gone. tn_fresh and tn_address are its halves: tn_fresh
 * checks, and gives the reference to keep in place of the old one (where objects move that is the newer); tn_address gives the
 * address for a reference that was just touched. tn_interior gives the reference to the byte `offset` bytes on in the same
 * object, needs no touch, and is not for NULL; it may be left out where the offset is known to be 0. tn_equal says whether two
 * references are to the same byte of the same object; of objects that are gone it may say no. */
#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
#include "tenure/checked_tagged.h"
#else
#include "tenure/checked_moving.h"
#endif

#endif
