/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The header of an object (papers/003…, §2.3), and what object.c offers to the other files.
 */
#ifndef TENURE_SHORTTERM_OBJECT_H
#define TENURE_SHORTTERM_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/platform.h"
#include "tenure/shortterm.h"

/* 16 bytes before each object, so that the alignment of the allocator below is kept. The dates of an object are counted in
   two places: those that its owner, the root under which it was allocated, gave with the root's own clocks, in `local`, which
   only the thread that holds the root writes, without an atomic read-modify-write; all others in `shared`. (Counting by owner is
   Choi, Shull and Torrellas, "Biased reference counting", PACT 2018, for references.)

   Who takes the last date away deallocates:
     the owner, whose local count falls to 0: deallocates if no shared date is left, else sets DONE in `shared`;
     another thread, whose date was the last shared one: deallocates if the owner never gave a date (BIASED is clear) or is
     done. It reads `local` before it compares and swaps `shared`; the version in `shared`, which each new date changes, makes
     the swap fail if a date, under whose cover the owner may have given its first one, came in between.

   The bits of `shared` lie so that each short path tests them with one comparison: a refresh looks at the tag and the flags down to
   DONE, a settlement takes the tag off and finds the class, or something too large to be one. */
struct header {
    _Atomic uint32_t local;     /* number of the owner's root, 0 if there is none; BIASED; a count */
    _Atomic uint32_t finalizer; /* number of its entry; 0: none */
    _Atomic uint64_t shared;    /* tag, flags, version, a count and the class; see below */
};

#define LOCAL_OWNER_SHIFT 16
#define LOCAL_BIASED UINT32_C(0x8000) /* the owner has given a date at some time; so whenever the count is not 0 */
#define LOCAL_COUNT UINT32_C(0x7fff)
#define LOCAL_ONE_DATE (LOCAL_BIASED | 1)
#define LOCAL_DATES (LOCAL_BIASED | LOCAL_COUNT)

#define SHARED_CLASS UINT64_C(63) /* by size; 0: not one that is kept */
#define SHARED_ONE_DATE (UINT64_C(1) << 6)
#define SHARED_COUNT (UINT64_C(0xfffff) << 6)
#define SHARED_VERSION (UINT64_C(1) << 26)
#define SHARED_VERSION_MASK (UINT64_C(0xffff) << 26)
#define SHARED_FINALIZER (UINT64_C(1) << 42) /* has, or had, a finalizer */
#define SHARED_DONE_SHIFT 43
#define SHARED_DONE (UINT64_C(1) << SHARED_DONE_SHIFT)
#define SHARED_REGION (UINT64_C(1) << 44)   /* the first word is the address of the region */
#define SHARED_EXTENDED (UINT64_C(1) << 45) /* a struct extension precedes the header */
#define SHARED_CHECKED (UINT64_C(1) << 46)  /* checked mode has a record of it */
#define SHARED_SCOPED (UINT64_C(1) << 47)   /* extension.slot is where its one date stands */
/* Bits 48 to 63. The word lies where glibc keeps a block's size, which has none of them set. */
#define SHARED_TAG (UINT64_C(0xb5a7) << 48)
#define SHARED_TAG_MASK (UINT64_C(0xffff) << 48)
/* What takes the tag's place when an object expires, for as long as the allocator below leaves it there. */
#define SHARED_EXPIRED_TAG (UINT64_C(0xdead) << 48)
/* An object in a region has no class, count or version of its own: there stands its size. */
#define SHARED_REGION_SIZE (SHARED_FINALIZER - 1)

struct extension {
    uint32_t base_bytes; /* from what the allocator below returned to the object */
    uint32_t date;       /* of a scoped object, its low bits */
    uintptr_t *slot;     /* the descriptor of a scoped object */
};

#define HEADER_BYTES sizeof(struct header)
_Static_assert(HEADER_BYTES == 16, "the header keeps malloc's alignment");
_Static_assert(sizeof(struct extension) == 16, "the extension keeps malloc's alignment");

#define OBJECT_MOST ((size_t)PTRDIFF_MAX - 4096)

#define SHARED_SPECIAL (SHARED_REGION | SHARED_EXTENDED | SHARED_CHECKED | SHARED_SCOPED)

static inline struct header *header_of(const void *object) { return (struct header *)(uintptr_t)object - 1; }
static inline void *object_of(struct header *header) { return header + 1; }
static inline struct extension *extension_of(struct header *header) { return (struct extension *)(void *)header - 1; }

static inline bool is_tagged(uint64_t shared) { return (shared & SHARED_TAG_MASK) == SHARED_TAG; }

/* An object with nothing special about it, whose owner may date it by counting alone. */
static inline bool may_be_counted(uint64_t shared) {
    return shared >> SHARED_DONE_SHIFT == SHARED_TAG >> SHARED_DONE_SHIFT;
}

/* The class of an object that has one and has nothing else in `shared`: such an object is deallocated by the short path. 0 for others. */
static inline uint32_t class_if_simple(uint64_t shared) {
    uint64_t class = shared ^ SHARED_TAG;
    return tn_likely(class - 1 < SHARED_CLASS) ? (uint32_t)class : 0;
}

/* The size class of an object; 0 for one that is too large to be kept when it dies. Class c has room for 16 c - 8 bytes: with the
 * header that is what glibc's blocks hold, so that nothing is lost to rounding. */
#define CLASSES 64
#define CLASS_MOST ((size_t)16 * (CLASSES - 1) - 8) /* bytes */
static inline uint32_t class_of_small(size_t size) { return (uint32_t)((size + 23) / 16); }
static inline uint32_t class_of(size_t size) { return size <= CLASS_MOST ? class_of_small(size) : 0; }

/* What the allocator below is asked for, so that the storage serves every object of its class. */
static inline size_t bytes_for(size_t size, uint32_t class) {
    return class != 0 ? (size_t)class * 16 - 8 + HEADER_BYTES : size + HEADER_BYTES;
}

extern struct stm_allocator stm_below;

/* What the allocator below returned for the object. */
static inline void *base_of(struct header *header, uint64_t shared) {
    if (tn_likely((shared & SHARED_EXTENDED) == 0)) return header;
    return (char *)object_of(header) - extension_of(header)->base_bytes;
}

/* An object with room for an extension, whose slot is not filled in yet. */
void *stm_object_extended(size_t size, size_t alignment, bool zero);

/* Gives the storage back, whatever dates there were. */
void stm_object_release(struct header *header, uint64_t shared);

/* As stm_free, but an object with dates is left alone without a report. True if it was freed. */
bool stm_object_free_if_persistent(void *object);

size_t stm_object_bytes(struct header *header, uint64_t shared);

/* errno for a function that returns NULL because of the error. */
void stm_object_errno(int error);

#endif
