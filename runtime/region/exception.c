/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Throwing: the frames of a thread, and what the raisers of check.h throw.
 */
#include "tenure/exception.h"

#include "prim/sanitize.h"
#include "region/report.h"
#include "region/storage.h"
#include "tenure/arena.h"
#include "tenure/object.h"

TN_THREAD_LOCAL struct tn_frame *tn_frames;
TN_THREAD_LOCAL struct tn_caller tn_caller;

#define PREDEFINED(Name)                                 \
    const struct tn_exn_tag tn_tag_##Name = {#Name, NULL}; \
    struct tn_exn tn_exn_##Name = {&tn_tag_##Name};
PREDEFINED(Null_Exception)
PREDEFINED(Array_bounds)
PREDEFINED(Match_Exception)
PREDEFINED(Bad_alloc)
PREDEFINED(Arithmetic_Exception)
PREDEFINED(Region_Exhausted)
PREDEFINED(Assert_Exception)
#undef PREDEFINED

/* How a throw ends a pin: filled by what makes pins, so that a program without the checked heap does not link it. */
void (*tn_frame_unpin)(const void *ref);

/* What the throw that comes next owns. */
static TN_THREAD_LOCAL void *thrown_new;

static int is_handler(const struct tn_frame *frame) {
    return frame->kind == TN_FRAME_HANDLER_BUILTIN || frame->kind == TN_FRAME_HANDLER_LIBC;
}

void tn_unwind_to(struct tn_frame *frame) {
    while (tn_frames != frame) {
        struct tn_frame *newest = tn_frames;
        if (newest == NULL) tn_report_broken("a frame was unlinked out of order");
        /* Unlinked first: freeing may run code that looks at the list. A frame is the first member of what it
         * is part of. */
        tn_frames = newest->prev;
        if (newest->kind == TN_FRAME_ARENA) {
            struct tn_arena *arena = (struct tn_arena *)newest;
            if (arena->pages != NULL) tn_arena_release(arena);
        }
        if (newest->kind == TN_FRAME_PIN) {
            struct tn_pin *pin = (struct tn_pin *)newest;
            if (pin->ref != NULL) tn_frame_unpin(pin->ref);
        }
        if (newest->kind == TN_FRAME_CAUGHT) tn_caught_free((struct tn_handler *)newest);
    }
}

static TN_RAISER void land(struct tn_handler *handler) {
    tn_asan_before_jump();
    if (handler->frame.kind == TN_FRAME_HANDLER_BUILTIN) {
#if TN_HAS_BUILTIN_SETJMP
        __builtin_longjmp(handler->buffer, 1);
#else
        tn_report_broken("a handler of another compiler");
#endif
    }
#if TN_HAS_BUILTIN_SETJMP
    tn_report_broken("a handler of another compiler");
#else
    longjmp(handler->buffer, 1);
#endif
}

static TN_RAISER void throw_cause(void *exn, struct tn_cause cause, uint32_t owned) {
    struct tn_frame *frame = tn_frames;
    while (frame != NULL && !is_handler(frame)) frame = frame->prev;
    if (frame == NULL) tn_report_uncaught(exn, &cause);
    tn_unwind_to(frame);
    struct tn_handler *handler = (struct tn_handler *)frame;
    tn_handler_pop(handler);
    handler->frame.flags = owned;
    handler->exn = exn;
    handler->cause = cause;
    land(handler);
}

void tn_throw(void *exn, const struct tn_site *site) {
    uint32_t owned = exn == thrown_new;
    thrown_new = NULL;
    throw_cause(exn, (struct tn_cause){.site = site, .reason = TN_REASON_THROW}, owned);
}

void tn_rethrow(const struct tn_handler *h) { throw_cause(h->exn, h->cause, h->frame.flags); }

void tn_thrown_new(void *exn) { thrown_new = exn; }

void tn_caught_free(struct tn_handler *h) {
    if (h->frame.flags == 0) return;
    h->frame.flags = 0;
    tn_storage_give(TN_KIND_HEAP, h->exn);
}

void tn_caught_keep(struct tn_handler *h) { h->frame.flags = 0; }

void tn_caught_hold(struct tn_handler *h) {
    h->frame.prev = tn_frames;
    h->frame.kind = TN_FRAME_CAUGHT;
    tn_frames = &h->frame;
}

void tn_caught_release(struct tn_handler *h) {
    tn_handler_pop(h);
    tn_caught_free(h);
}

void tn_caught_again(struct tn_handler *h) {
    if (h->frame.flags == 0) return;
    h->frame.flags = 0;
    thrown_new = h->exn;
}

static TN_RAISER void throw_predefined(struct tn_exn *exn, const struct tn_site *site, enum tn_reason reason,
                                       uint64_t first, uint64_t second) {
    throw_cause(exn, (struct tn_cause){.site = site, .reason = reason, .first = first, .second = second}, 0);
}

void tn_raise_because(struct tn_exn *exn, const struct tn_site *site, uint32_t reason, uint64_t first, uint64_t second) {
    throw_predefined(exn, site, reason, first, second);
}

void tn_raise_null(const struct tn_site *site) { throw_predefined(&tn_exn_Null_Exception, site, TN_REASON_NULL, 0, 0); }

void tn_raise_index(const struct tn_site *site, uint64_t index, uint64_t size) {
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_INDEX, index, size);
}

void *tn_caught(const struct tn_handler *h) { return h->exn; }

void tn_raise_index_unsigned(const struct tn_site *site, uint64_t index, uint64_t size) {
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_INDEX_UNSIGNED, index, size);
}
void tn_raise_fat_unsigned(const struct tn_site *site, const void *base, uint64_t idx, uint32_t len) {
    if (base == NULL && len == 0) throw_predefined(&tn_exn_Null_Exception, site, TN_REASON_FAT_NULL, 0, 0);
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_INDEX_UNSIGNED, idx, len);
}
void tn_raise_fat(const struct tn_site *site, const void *base, uint64_t idx, uint32_t len) {
    if (base == NULL && len == 0) throw_predefined(&tn_exn_Null_Exception, site, TN_REASON_FAT_NULL, 0, 0);
    /* An index is kept modulo 2^32; in an object of less than 2^31 elements the upper half is what was below 0. */
    if (len < UINT32_C(1) << 31 && idx >> 31 == 1) idx = (uint64_t)(int64_t)(int32_t)(uint32_t)idx;
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_INDEX, idx, len);
}

void tn_raise_numelts(const struct tn_site *site, uint64_t have, uint64_t need) {
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_NUMELTS, have, need);
}

void tn_raise_div(const struct tn_site *site, int64_t divisor) {
    throw_predefined(&tn_exn_Arithmetic_Exception, site, TN_REASON_DIVISOR, (uint64_t)divisor, 0);
}

void tn_raise_arith(const struct tn_site *site) {
    throw_predefined(&tn_exn_Arithmetic_Exception, site, TN_REASON_ARITH, 0, 0);
}

void tn_raise_match(const struct tn_site *site) {
    throw_predefined(&tn_exn_Match_Exception, site, TN_REASON_MATCH, 0, 0);
}

void tn_raise_tag(const struct tn_site *site, uint64_t got, uint64_t want) {
    throw_predefined(&tn_exn_Match_Exception, site, TN_REASON_TAG, got, want);
}

void tn_raise_zeroterm(const struct tn_site *site) {
    throw_predefined(&tn_exn_Array_bounds, site, TN_REASON_ZEROTERM, 0, 0);
}

void tn_raise_assert(const struct tn_site *site) {
    throw_predefined(&tn_exn_Assert_Exception, site, TN_REASON_ASSERT, 0, 0);
}

void tn_raise_alloc(const struct tn_site *site, size_t size) {
    throw_predefined(&tn_exn_Bad_alloc, site, TN_REASON_ALLOC, size, 0);
}

void tn_raise_exhausted(const struct tn_site *site, size_t size, size_t quota) {
    throw_predefined(&tn_exn_Region_Exhausted, site, TN_REASON_EXHAUSTED, size, quota);
}
