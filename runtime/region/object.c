/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The checked heap in a program of the language: what is wrong is raised, with the places that the heap remembers.
 */
#include "tenure/object.h"

#include <stdlib.h>
#include <string.h>

#include "region/report.h"
#include "tenure/checked.h"

const struct tn_exn_tag tn_tag_Dangling_Exception = {"Dangling_Exception", NULL};
struct tn_exn tn_exn_Dangling_Exception = {&tn_tag_Dangling_Exception};

static TN_RAISER void raise_dangling(const struct tn_checked_error *error, enum tn_reason reason) {
    uint64_t allocated = (uint64_t)(uintptr_t)error->allocated, deleted = (uint64_t)(uintptr_t)error->deleted;
    tn_raise_because(&tn_exn_Dangling_Exception, error->used, reason, allocated, deleted);
}

static void raise_error(const struct tn_checked_error *error) {
    switch (error->kind) {
    case TN_CHECKED_NULL: tn_raise_null(error->used);
    case TN_CHECKED_NO_MEMORY: tn_raise_alloc(error->used, error->size);
    case TN_CHECKED_SECOND_DELETE: raise_dangling(error, TN_REASON_SECOND_DELETE);
    case TN_CHECKED_INTERIOR_DELETE: raise_dangling(error, TN_REASON_INTERIOR_DELETE);
    case TN_CHECKED_DANGLING: raise_dangling(error, TN_REASON_DANGLING);
    case TN_CHECKED_FOREIGN:
    case TN_CHECKED_KINDS: tn_report_broken("a reference that the checked heap never gave");
    }
    tn_report_broken("an error of the checked heap without a kind");
}

/* Programs remember the places of allocation and delete where TENURE_CHECKED_PLACES=1 asks for it. */
__attribute__((constructor)) static void prepare(void) {
    tn_checked_on_error(raise_error);
    tn_frame_unpin = tn_unpin;
    const char *places = getenv("TENURE_CHECKED_PLACES");
    if (places == NULL || strcmp(places, "1") != 0) return;
    struct tnc_options options = {.remember = true};
    (void)tnc_open(&options); /* without memory for the table the places stay unknown */
}

void *tn_object_new(size_t size, size_t align, const struct tn_layout *layout, unsigned flags, const struct tn_site *site) {
    return tn_checked_new(size, align, layout, flags, site);
}

void tn_object_delete(const void *ref, const struct tn_site *site) { tn_checked_delete(ref, site); }

void *tn_object_pin_forever(const void *ref, const struct tn_site *site) {
    return ref == NULL ? NULL : tnc_pin_forever(ref, site);
}

bool tn_object_alive(const void *ref) { return tnc_alive(ref); }
