/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* dladdr, dladdr1 */
#include "prim/symbol.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>

bool tn_symbol_at(uintptr_t address, struct tn_symbol *symbol) {
    Dl_info info;
    if (address == 0 || dladdr((const unsigned char *)address, &info) == 0 || info.dli_fname == NULL) return false;
    symbol->name = info.dli_sname;
    symbol->file = info.dli_fname;
    symbol->offset = address - (uintptr_t)info.dli_fbase;
    return true;
}

bool tn_symbol_is_entry(uintptr_t address) {
#if defined(__GLIBC__)
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (dladdr1((const unsigned char *)address, &info, (void **)&symbol, RTLD_DL_SYMENT) == 0 || symbol == NULL) return false;
    return symbol->st_shndx == SHN_UNDEF && (uintptr_t)info.dli_saddr == address;
#else
    (void)address;
    return false;
#endif
}

uintptr_t tn_symbol_next(const char *name) { return (uintptr_t)dlsym(RTLD_NEXT, name); }
