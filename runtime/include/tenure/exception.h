/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Exceptions, and the per-thread list of frames that a throw unwinds.
 *
 * A frame is a handler, an arena, a pin or a caught exception; frames are linked and unlinked in strict stack order,
 * each by the C function that declares it. A throw unlinks frames, newest first, freeing each arena and ending each pin
 * that it meets, until it has unlinked a handler, on which it lands. Emitted code for `try body catch handler`:
 *
 *     struct tn_handler h;
 *     tn_handler_push(&h);
 *     if (TN_SETJMP(&h) == 0) {
 *         … body …                     // each way out of body calls tn_handler_pop(&h) first
 *         tn_handler_pop(&h);
 *     } else {                         // h is already unlinked
 *         void *exn = tn_caught(&h);
 *         … match exn …; if none matches: tn_rethrow(&h);
 *     }
 *
 * As with setjmp, a local variable that the body changes and that is read after a landing is declared
 * volatile; TN_SETJMP stands as the whole left side of the comparison and nowhere else. The function that
 * contains it calls tn_throw, tn_rethrow and the raisers only through their out-of-line definitions.
 *
 * All of this is per thread and needs no set-up, so foreign threads may use it; an exception does not cross
 * threads. Not for signal handlers.
 */
#ifndef TENURE_EXCEPTION_H
#define TENURE_EXCEPTION_H

#include "tenure/check.h"
#include "tenure/platform.h"

/* The descriptor of one variant of exn (or another extensible datatype): its address is the tag. */
struct tn_exn_tag {
    const char *name; /* as the user writes it: "Array_bounds", "Core::Failure" */
    /* Writes what the payload says into out (at most size bytes, the zero included), as snprintf would;
     * NULL if there is nothing to say beyond the name. Must neither allocate nor raise. */
    void (*describe)(const void *exn, char *out, size_t size);
};

/* What every exception value points to begins with this. */
struct tn_exn {
    const struct tn_exn_tag *tag;
};

extern const struct tn_exn_tag tn_tag_Null_Exception;
extern const struct tn_exn_tag tn_tag_Array_bounds;
extern const struct tn_exn_tag tn_tag_Match_Exception;
extern const struct tn_exn_tag tn_tag_Bad_alloc;
extern const struct tn_exn_tag tn_tag_Arithmetic_Exception;
extern const struct tn_exn_tag tn_tag_Region_Exhausted;
extern const struct tn_exn_tag tn_tag_Assert_Exception;

/* The one value of each: raising them never allocates. */
extern struct tn_exn tn_exn_Null_Exception;
extern struct tn_exn tn_exn_Array_bounds;
extern struct tn_exn tn_exn_Match_Exception;
extern struct tn_exn tn_exn_Bad_alloc;
extern struct tn_exn tn_exn_Arithmetic_Exception;
extern struct tn_exn tn_exn_Region_Exhausted;
extern struct tn_exn tn_exn_Assert_Exception;

/* The tag of an exception value. */
TN_INLINE const struct tn_exn_tag *tn_exn_tag_of(const void *exn) { return ((const struct tn_exn *)exn)->tag; }

enum tn_frame_kind {
    TN_FRAME_HANDLER_BUILTIN = 1, /* a struct tn_handler whose buffer __builtin_setjmp filled */
    TN_FRAME_HANDLER_LIBC = 2,    /* a struct tn_handler whose buffer _setjmp filled */
    TN_FRAME_ARENA = 3,           /* a struct tn_arena */
    TN_FRAME_PIN = 4,             /* a struct tn_pin (tenure/object.h) */
    TN_FRAME_CAUGHT = 5           /* a struct tn_handler that has landed and holds what it caught */
};

struct tn_frame {
    struct tn_frame *prev; /* the next older frame of this thread, or NULL */
    uint32_t kind;         /* enum tn_frame_kind */
    uint32_t flags;        /* of the kind */
};

/* Why and where an exception was thrown; what an uncaught one prints. */
struct tn_cause {
    const struct tn_site *site; /* NULL if not known */
    uint32_t reason;            /* which raiser; 0 for a throw of the program */
    uint64_t first;             /* what the raiser was given */
    uint64_t second;
};

/* frame.flags of a handler that has landed is not 0 while what it caught is the throw's own: nothing but the handler
 * refers to it, and it is freed by tn_caught_free or goes on with tn_rethrow. */
struct tn_handler {
    struct tn_frame frame;
    void *exn;             /* set when landed on */
    struct tn_cause cause; /* set when landed on */
#if TN_HAS_BUILTIN_SETJMP
    void *buffer[5];
#else
    jmp_buf buffer;
#endif
};

/* The newest frame of this thread. */
extern TN_THREAD_LOCAL struct tn_frame *tn_frames;

#if TN_HAS_BUILTIN_SETJMP
#define TN_HANDLER_KIND TN_FRAME_HANDLER_BUILTIN
#define TN_SETJMP(h) __builtin_setjmp((h)->buffer)
#else
#define TN_HANDLER_KIND TN_FRAME_HANDLER_LIBC
#define TN_SETJMP(h) _setjmp((h)->buffer)
#endif

/* Links h as the newest frame. */
TN_INLINE void tn_handler_push(struct tn_handler *h) {
    h->frame.prev = tn_frames;
    h->frame.kind = TN_HANDLER_KIND;
    tn_frames = &h->frame;
}

/* Unlinks h, which is the newest frame. */
TN_INLINE void tn_handler_pop(struct tn_handler *h) { tn_frames = h->frame.prev; }

/* The exception that h caught; to be called first thing after a landing. A function, not inline: what gcc finds
 * invariant in the statements after it must not be computed before it, on the edges that lead to landings and
 * that exist in no code (gcc 12 does so when it vectorises straight-line code). */
void *tn_caught(const struct tn_handler *h);

/* Throws exn, which points to a struct tn_exn. site may be NULL. If no handler is linked, prints the
 * exception and its cause on standard error and calls exit(1). */
TN_RAISER void tn_throw(void *exn, const struct tn_site *site);

/* To be called right before tn_throw of the same object, which tn_heap_alloc gave and nothing else refers to: the throw
 * owns it. */
void tn_thrown_new(void *exn);

/* h is unlinked. Frees what h caught if that is the throw's own; from here on nobody may look at it. */
void tn_caught_free(struct tn_handler *h);

/* h is unlinked. Something else may refer to what h caught from here on: it lives for ever. */
void tn_caught_keep(struct tn_handler *h);

/* h is unlinked. Links it as the newest frame again: a throw past it frees what it caught, if that is the throw's
 * own. */
void tn_caught_hold(struct tn_handler *h);

/* h is the newest frame, linked by tn_caught_hold. Unlinks it and frees what it caught if that is the throw's own. */
void tn_caught_release(struct tn_handler *h);

/* To be called right before tn_throw of what h caught, to which nothing else refers unless it did before: the throw
 * owns it again, if one did. */
void tn_caught_again(struct tn_handler *h);

/* Throws again what h caught, keeping the place where it was first thrown. h is unlinked. */
TN_RAISER void tn_rethrow(const struct tn_handler *h);

/* Unlinks the frames newer than `frame` (a linked frame, or NULL for all), freeing arenas among them. */
void tn_unwind_to(struct tn_frame *frame);

#endif
