/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Names of addresses, by elfutils' libdw: it reads the mappings, follows build identifiers and debug links to separate
 * files, and knows about lines. Without it, files and offsets from the mappings alone.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static void name_module(const char *maps, struct frame *frame) {
    for (const char *line = maps; line != NULL && *line != '\0'; line = strchr(line, '\n'), line += line != NULL) {
        uint64_t start, end, offset;
        int path = 0;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end, &offset, &path) < 3) continue;
        if (frame->address < start || frame->address >= end || path == 0) continue;
        frame->module = strndup(line + path, strcspn(line + path, "\n"));
        frame->offset = frame->address - start + offset;
        return;
    }
}

#if defined(TT_WITH_LIBDW)
#include <elfutils/libdwfl.h>

#if defined(TT_WITH_LIBSTDCXX)
extern char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status);
#else
static char *__cxa_demangle(const char *name, char *buffer, size_t *size, int *status) {
    (void)name, (void)buffer, (void)size, (void)status;
    return NULL;
}
#endif

static char *readable(const char *name) {
    int status = -1;
    char *plain = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
    return plain != NULL && status == 0 ? plain : strdup(name);
}

static char *debuginfo_path;
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .debuginfo_path = &debuginfo_path,
};

/* A return address belongs to the call before it. */
static void name_frame(Dwfl *dwfl, struct frame *frame) {
    Dwarf_Addr call = frame->address - 1;
    Dwfl_Module *module = dwfl_addrmodule(dwfl, call);
    if (module == NULL) return;
    const char *name = dwfl_module_addrname(module, call);
    if (name != NULL) frame->function = readable(name);
    Dwfl_Line *line = dwfl_module_getsrc(module, call);
    const char *file = line == NULL ? NULL : dwfl_lineinfo(line, NULL, &frame->line, NULL, NULL, NULL);
    if (file != NULL) frame->file = strdup(file);
}

static Dwfl *open_modules(struct report *report) {
    if (report->maps == NULL) return NULL;
    FILE *maps = fmemopen(report->maps, strlen(report->maps), "r");
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (maps == NULL || dwfl == NULL) return NULL;
    dwfl_report_begin(dwfl);
    int error = dwfl_linux_proc_maps_report(dwfl, maps);
    dwfl_report_end(dwfl, NULL, NULL);
    fclose(maps);
    return error == 0 ? dwfl : NULL;
}
#endif

void report_symbolise(struct report *report) {
#if defined(TT_WITH_LIBDW)
    Dwfl *dwfl = open_modules(report);
#endif
    for (size_t i = 0; i < report->site_count; i++)
        for (size_t k = 0; k < report->sites[i].frame_count; k++) {
            struct frame *frame = &report->sites[i].frames[k];
            if (report->maps != NULL) name_module(report->maps, frame);
#if defined(TT_WITH_LIBDW)
            if (dwfl != NULL) name_frame(dwfl, frame);
#endif
        }
#if defined(TT_WITH_LIBDW)
    if (dwfl != NULL) dwfl_end(dwfl);
#endif
}
