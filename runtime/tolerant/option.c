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

/* A copy: programs that set their own title write over the environment's memory. */
static char report[4096];

void tt_options_load(void) {
    for (int i = 0; i < TT_OPTION_COUNT; i++)
        tt_option_values[i] = tn_environment_number(rows[i].variable, rows[i].initial, rows[i].least, rows[i].most);
    const char *name = tn_environment("TENURE_TOLERANT_REPORT");
    size_t length = 0;
    while (name != NULL && name[length] != '\0' && length < sizeof report - 1) length++;
    for (size_t i = 0; i < length; i++) report[i] = name[i];
    report[length] = '\0';
}

const char *tt_option_report(void) { return report[0] == '\0' ? NULL : report; }
