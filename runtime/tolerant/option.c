/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/option.h"

#include <stdbool.h>
#include <stddef.h>

#include "prim/environment.h"
#include "prim/file.h"
#include "tenure/platform.h"
#include "tolerant/text.h"

static const struct row {
    const char *variable;
    int64_t initial, least, most;
} rows[TT_OPTION_COUNT] = {
#define TT_OPTION_ROW(name, flag, initial, least, most, help) {"TENURE_TOLERANT_" #name, initial, least, most},
    TT_OPTIONS(TT_OPTION_ROW)
#undef TT_OPTION_ROW
};

int64_t tt_option_values[TT_OPTION_COUNT] = {
#define TT_OPTION_INITIAL(name, flag, initial, least, most, help) initial,
    TT_OPTIONS(TT_OPTION_INITIAL)
#undef TT_OPTION_INITIAL
};

/* A copy: programs that set their own title write over the environment's memory. */
static TN_SPARSE char report[4096];
static bool reports;

/* The program runs all the same. */
static void complain(const struct row *row, int64_t used) {
    struct tt_text text;
    tt_text_start(&text);
    tt_text_add(&text, "tenure-tolerant: ");
    tt_text_add(&text, row->variable);
    tt_text_add(&text, "=");
    tt_text_add(&text, tn_environment(row->variable));
    tt_text_add(&text, " is no number from ");
    tt_text_add_number(&text, (uint64_t)row->least);
    tt_text_add(&text, " to ");
    tt_text_add_number(&text, (uint64_t)row->most);
    tt_text_add(&text, "; it counts as ");
    tt_text_add_number(&text, (uint64_t)used);
    tt_text_add(&text, "\n");
    tn_file_write(2, text.bytes, text.used);
}

static int64_t value_of(const struct row *row) {
    if (tn_environment(row->variable) == NULL) return row->initial;
    int64_t value = tn_environment_number(row->variable, -1, 0, INT64_MAX);
    int64_t used = value < 0 ? row->initial : value < row->least ? row->least : value > row->most ? row->most : value;
    if (value != used) complain(row, used);
    return used;
}

void tt_options_load(void) {
    for (int i = 0; i < TT_OPTION_COUNT; i++) tt_option_values[i] = value_of(&rows[i]);
    const char *name = tn_environment("TENURE_TOLERANT_REPORT");
    size_t length = 0;
    while (name != NULL && name[length] != '\0' && length < sizeof report - 1) length++;
    for (size_t i = 0; i < length; i++) report[i] = name[i];
    if (length != 0) report[length] = '\0';
    reports = length != 0;
}

const char *tt_option_report(void) { return reports ? report : NULL; } /* where nothing is asked for, it is not touched */
