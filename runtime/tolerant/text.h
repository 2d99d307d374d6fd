/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Short texts built without allocating, for messages of the allocator itself. What does not fit is cut.
 */
#ifndef TENURE_TOLERANT_TEXT_H
#define TENURE_TOLERANT_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct tt_text {
    size_t used;
    char bytes[1000];
};

void tt_text_start(struct tt_text *text);
void tt_text_add(struct tt_text *text, const char *words);
void tt_text_add_number(struct tt_text *text, uint64_t number);
void tt_text_add_hex(struct tt_text *text, uint64_t number);

/* An address in code: the function, where the dynamic linker knows it, and the file with the offset, which addr2line
 * and the report's reader take; the bare number otherwise. */
void tt_text_add_place(struct tt_text *text, uintptr_t address);

#endif
