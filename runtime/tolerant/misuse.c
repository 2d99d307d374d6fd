/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/misuse.h"

#include <stddef.h>

#include "prim/memory.h"
#include "prim/abort.h"
#include "tolerant/page.h"
#include "tolerant/text.h"

/* What is said, of where the call returns to, and of the other place. */
static const struct {
    const char *headline, *place, *other;
} words[] = {
    [TT_MISUSE_DOUBLE_FREE] = {"double free of ", "freed at ", "first freed at "},
    [TT_MISUSE_INVALID_FREE] = {"free of an address at which no object starts: ", "freed at ", NULL},
    [TT_MISUSE_FOREIGN_FREE] = {"free of an address that this malloc did not return: ", "freed at ", NULL},
    [TT_MISUSE_OVERFLOW] = {"a write past the end of ", "found at ", "allocated at "},
    [TT_MISUSE_WRITE_AFTER_FREE] = {"a write after the free of ", "found at ", "freed at "},
    [TT_MISUSE_MISMATCH] = {"a free, delete or delete[] that does not belong to the allocation of ", "freed at ", "allocated at "},
    [TT_MISUSE_GUARD] = {"an access past the end of ", "at ", "allocated at "},
};

/* The word at the start of a freed object, if its page is one of ours. */
static uintptr_t note_of(const void *object) {
    typedef uintptr_t TN_MAY_ALIAS note;
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment == NULL || ((uintptr_t)object & (sizeof(uintptr_t) - 1)) != 0) return 0;
    return *(const note *)object;
}

static TN_RAISER void say(enum tt_misuse misuse, const void *object, uintptr_t address, uintptr_t other) {
    struct tt_text text;
    tt_text_start(&text);
    tt_text_add(&text, "tenure-tolerant: ");
    tt_text_add(&text, words[misuse].headline);
    tt_text_add_hex(&text, (uintptr_t)object);
    tt_text_add(&text, "\n  ");
    tt_text_add(&text, words[misuse].place);
    tt_text_add_place(&text, address);
    if (words[misuse].other != NULL) {
        tt_text_add(&text, "\n  ");
        tt_text_add(&text, words[misuse].other);
        tt_text_add_place(&text, other);
    }
    tt_text_add(&text, "\n");
    tn_os_write_error(text.bytes, text.used);
    tn_os_abort();
}

void tt_misuse(enum tt_misuse misuse, const void *object, uintptr_t address) {
    say(misuse, object, address, misuse == TT_MISUSE_DOUBLE_FREE ? note_of(object) : 0);
}

void tt_misuse_at(enum tt_misuse misuse, const void *object, uintptr_t address, uintptr_t place) { say(misuse, object, address, place); }
