/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/misuse.h"

#include "prim/memory.h"
#include "prim/abort.h"
#include "tolerant/page.h"
#include "tolerant/text.h"

static const char *const headlines[] = {
    [TT_MISUSE_DOUBLE_FREE] = "double free of ",
    [TT_MISUSE_INVALID_FREE] = "free of an address at which no object starts: ",
    [TT_MISUSE_FOREIGN_FREE] = "free of an address that this malloc did not return: ",
};

/* The word at the start of a freed object, if its page is one of ours. */
static uintptr_t note_of(const void *object) {
    typedef uintptr_t TN_MAY_ALIAS note;
    struct tt_segment *segment = tt_segment_holding(object);
    if (segment == NULL || ((uintptr_t)object & (sizeof(uintptr_t) - 1)) != 0) return 0;
    return *(const note *)object;
}

void tt_misuse(enum tt_misuse misuse, const void *object, uintptr_t address) {
    struct tt_text text;
    tt_text_start(&text);
    tt_text_add(&text, "tenure-tolerant: ");
    tt_text_add(&text, headlines[misuse]);
    tt_text_add_hex(&text, (uintptr_t)object);
    tt_text_add(&text, "\n  freed at ");
    tt_text_add_place(&text, address);
    if (misuse == TT_MISUSE_DOUBLE_FREE) {
        uintptr_t first = note_of(object);
        tt_text_add(&text, "\n  first freed at ");
        tt_text_add_place(&text, first);
    }
    tt_text_add(&text, "\n");
    tn_os_write_error(text.bytes, text.used);
    tn_os_abort();
}
