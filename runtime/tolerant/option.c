/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/option.h"

#include <stddef.h>

#include "prim/environment.h"

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

static const char *report;

void tt_options_load(void) {
    for (int i = 0; i < TT_OPTION_COUNT; i++)
        tt_option_values[i] = tn_environment_number(rows[i].variable, rows[i].initial, rows[i].least, rows[i].most);
    report = tn_environment("TENURE_TOLERANT_REPORT");
}

const char *tt_option_report(void) { return report; }
