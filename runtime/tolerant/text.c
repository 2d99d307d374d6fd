/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/text.h"

#include "prim/symbol.h"

void tt_text_start(struct tt_text *text) { text->used = 0; }

void tt_text_add(struct tt_text *text, const char *words) {
    while (*words != '\0' && text->used < sizeof text->bytes) text->bytes[text->used++] = *words++;
}

static void add_in_base(struct tt_text *text, uint64_t number, unsigned base) {
    char digits[24];
    unsigned at = sizeof digits;
    digits[--at] = '\0';
    do {
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number != 0);
    tt_text_add(text, digits + at);
}

void tt_text_add_number(struct tt_text *text, uint64_t number) { add_in_base(text, number, 10); }

void tt_text_add_hex(struct tt_text *text, uint64_t number) {
    tt_text_add(text, "0x");
    add_in_base(text, number, 16);
}

void tt_text_add_place(struct tt_text *text, uintptr_t address) {
    struct tn_symbol symbol;
    if (!tn_symbol_at(address, &symbol)) {
        tt_text_add(text, "an unknown place (");
        tt_text_add_hex(text, address);
        tt_text_add(text, ")");
        return;
    }
    if (symbol.name != NULL) {
        tt_text_add(text, symbol.name);
        tt_text_add(text, " ");
    }
    tt_text_add(text, "(");
    tt_text_add(text, symbol.file);
    tt_text_add(text, "+");
    tt_text_add_hex(text, symbol.offset);
    tt_text_add(text, ")");
}
