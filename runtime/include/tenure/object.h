/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Objects of the checked heap, region `D, as emitted code has them. Touches, equality and references to members are
 * those of tenure/checked_inline.h; here is what raises an exception where that reports, and pins that end on every way
 * out.
 *
 * Emitted code for a loan:
 *
 *     struct tn_pin pin;
 *     T *p = tn_pin_enter(&pin, ref, &site);     // NULL for NULL
 *     … p is followed …                          // each way out calls tn_pin_exit(&pin) first; a throw unwinds it
 *     tn_pin_exit(&pin);
 *
 * Per thread, as exceptions are. Not for signal handlers.
 */
#ifndef TENURE_OBJECT_H
#define TENURE_OBJECT_H

#include "tenure/checked_inline.h"
#include "tenure/exception.h"

/* What a reference refers to: never complete, so that no C code follows one. */
struct tn_object;

extern const struct tn_exn_tag tn_tag_Dangling_Exception;
extern struct tn_exn tn_exn_Dangling_Exception;

/* Links what raises for the checked heap: once in each unit that touches or pins. */
#define TN_RAISES_DANGLING static const void *const tn_raises_dangling __attribute__((used)) = &tn_exn_Dangling_Exception

/* As tn_checked_new; linking it links what raises. */
void *tn_object_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags, const struct tn_site *site)
    __attribute__((returns_nonnull));

/* delete(p). Raises Dangling_Exception where nothing can be deleted. */
void tn_object_delete(const void *ref, const struct tn_site *site);

/* pin_forever(p): the address, which is valid to the end of the program; NULL for NULL. Raises as a touch does. */
void *tn_object_pin_forever(const void *ref, const struct tn_site *site);

/* A frame that keeps an object where it is, and its memory until it goes. */
struct tn_pin {
    struct tn_frame frame; /* kind TN_FRAME_PIN */
    const void *ref;       /* NULL if nothing is pinned */
};

/* Pins the object of ref, unless that is NULL, and links the pin as the newest frame. Raises as a touch does; then
 * nothing is linked. */
TN_INLINE void *tn_pin_enter(struct tn_pin *pin, const void *ref, const struct tn_site *site) {
    void *address = ref == NULL ? NULL : tn_pin(ref, site);
    pin->ref = ref;
    pin->frame.kind = TN_FRAME_PIN;
    pin->frame.prev = tn_frames;
    tn_frames = &pin->frame;
    return address;
}

/* Unlinks the pin, which is the newest frame, and lets its object go. */
TN_INLINE void tn_pin_exit(struct tn_pin *pin) {
    tn_frames = pin->frame.prev;
    if (pin->ref != NULL) tn_unpin(pin->ref);
}

/* For programs that verify proofs: whether a reference that was touched still is to an object that is there. */
bool tn_object_alive(const void *ref);

#endif
