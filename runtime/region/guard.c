/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/guard.h"

#include "region/report.h"

struct tn_object {
    uint64_t seal;          /* address xor SEAL: a copy of a header elsewhere is no header */
    struct tn_object *prev; /* the next older object of the page */
    size_t size;            /* bytes that were asked for */
    uint64_t unused;        /* keeps the header a multiple of 16 */
};

_Static_assert(sizeof(struct tn_object) == TN_GUARD_BEFORE, "the header fills the room before an object");

#define SEAL UINT64_C(0x7e4c1d0b95a3f268)
#define CANARY 0xA9

/* The canary is the bytes from the object's last to the next multiple of 8, and 8 more. */
static size_t canary_end(size_t size) { return ((size + 7) & ~(size_t)7) + 8; }

/* Headers and canaries are poisoned for everybody but these two functions, which for the same reason may not
 * call memset or memcmp. */
#define SEES_POISONED __attribute__((no_sanitize("address"), noinline))

SEES_POISONED void tn_guard_place(struct tn_page *page, char *start, size_t size) {
    struct tn_object *object = (struct tn_object *)(start - TN_GUARD_BEFORE);
    object->seal = (uint64_t)(uintptr_t)object ^ SEAL;
    object->prev = page->newest;
    object->size = size;
    object->unused = 0;
    volatile unsigned char *bytes = (volatile unsigned char *)start;
    for (size_t i = size; i < canary_end(size); i++) bytes[i] = CANARY;
    page->newest = object;
}

SEES_POISONED int64_t tn_guard_validate(const struct tn_page *page) {
    int64_t objects = 0;
    for (; page != NULL; page = page->next) {
        if (page->watch != TN_PAGE_GUARDED) continue;
        for (const struct tn_object *object = page->newest; object != NULL; object = object->prev) {
            if (object->seal != ((uint64_t)(uintptr_t)object ^ SEAL))
                tn_report_broken("memory before an object of an arena was overwritten");
            const volatile unsigned char *bytes = (const volatile unsigned char *)object + TN_GUARD_BEFORE;
            for (size_t i = object->size; i < canary_end(object->size); i++)
                if (bytes[i] != CANARY) tn_report_broken("memory after an object of an arena was overwritten");
            objects++;
        }
    }
    return objects;
}
