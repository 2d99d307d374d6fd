/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* dladdr, dl_iterate_phdr, RTLD_NEXT */
#include "prim/watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

static struct sigaction previous;
static void (*explainer)(uintptr_t address);

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    /* si_code > 0: sent by the kernel because of an access, not by kill. */
    if (info->si_code > 0) explainer((uintptr_t)info->si_addr);
    /* The faulting instruction runs again after the return and meets the previous disposition. */
    (void)sigaction(signal_number, &previous, NULL);
    if (info->si_code <= 0) (void)raise(signal_number);
}

int tn_watch_faults(void (*explain)(uintptr_t address)) {
    explainer = explain;
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_fault;
    (void)sigemptyset(&action.sa_mask);
    return sigaction(SIGSEGV, &action, &previous) == 0 ? 0 : errno;
}

void tn_watch_name(const void *code, char *text, size_t size) {
    Dl_info info;
    if (dladdr(code, &info) == 0 || info.dli_fname == NULL) {
        (void)snprintf(text, size, "%p", code);
        return;
    }
    const char *file = strrchr(info.dli_fname, '/');
    file = file != NULL ? file + 1 : info.dli_fname;
    size_t in_file = (size_t)((const char *)code - (const char *)info.dli_fbase);
    if (info.dli_sname != NULL)
        (void)snprintf(text, size, "%s+0x%zx (%s+0x%zx)", info.dli_sname,
                       (size_t)((const char *)code - (const char *)info.dli_saddr), file, in_file);
    else
        (void)snprintf(text, size, "%s+0x%zx", file, in_file);
}

struct range {
    uintptr_t base, inside; /* which object: one that begins at, or one that contains, the address; 0: not so */
    uintptr_t low, high;
};

static int widen(struct dl_phdr_info *info, size_t size, void *argument) {
    (void)size;
    struct range *range = argument;
    if (range->base != 0 && info->dlpi_addr != range->base) return 0;
    range->low = range->high = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t end = start + info->dlpi_phdr[i].p_memsz;
        if (range->low == 0 || start < range->low) range->low = start;
        if (end > range->high) range->high = end;
    }
    return range->base != 0 || (range->inside >= range->low && range->inside < range->high);
}

void tn_watch_linker(uintptr_t *low, uintptr_t *high) {
    struct range range = {.base = getauxval(AT_BASE)};
    if (range.base != 0) (void)dl_iterate_phdr(widen, &range);
    *low = range.low;
    *high = range.high;
}

void *tn_watch_next(const char *symbol) { return dlsym(RTLD_NEXT, symbol); }

void tn_watch_object(const char *symbol, uintptr_t *low, uintptr_t *high) {
    struct range range = {.inside = (uintptr_t)tn_watch_next(symbol)};
    bool found = range.inside != 0 && dl_iterate_phdr(widen, &range) != 0;
    *low = found ? range.low : 0;
    *high = found ? range.high : 0;
}

/* Loaders differ in whether they turn offsets in the dynamic section into addresses. */
static const char *strings_of(const struct dl_phdr_info *info, const ElfW(Dyn) *dynamic) {
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag != DT_STRTAB) continue;
        uintptr_t place = (uintptr_t)dynamic->d_un.d_ptr;
        return (const char *)info->dlpi_addr + (place >= info->dlpi_addr ? place - info->dlpi_addr : place);
    }
    return NULL;
}

static int needs(struct dl_phdr_info *info, size_t size, void *soname) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *dynamic = (const void *)((const char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        const char *strings = strings_of(info, dynamic);
        for (; strings != NULL && dynamic->d_tag != DT_NULL; dynamic++)
            if (dynamic->d_tag == DT_NEEDED && strcmp(strings + dynamic->d_un.d_val, soname) == 0) return 1;
    }
    return 0;
}

bool tn_watch_needed(const char *soname) {
    char name[100];
    (void)snprintf(name, sizeof name, "%s", soname);
    return dl_iterate_phdr(needs, name) != 0;
}
