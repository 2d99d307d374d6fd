/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* dladdr */
#include "prim/symbol.h"

#include <dlfcn.h>
#include <stddef.h>

bool tn_symbol_at(uintptr_t address, struct tn_symbol *symbol) {
    Dl_info info;
    if (address == 0 || dladdr((const unsigned char *)address, &info) == 0 || info.dli_fname == NULL) return false;
    symbol->name = info.dli_sname;
    symbol->file = info.dli_fname;
    symbol->offset = address - (uintptr_t)info.dli_fbase;
    return true;
}

uintptr_t tn_symbol_next(const char *name) { return (uintptr_t)dlsym(RTLD_NEXT, name); }
