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
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include "types.h"

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

/* The name of a function's description, which may stand in its abstract origin. */
static char *name_of(Dwarf_Die *die) {
    Dwarf_Attribute attribute;
    const char *linkage = NULL;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) != NULL) linkage = dwarf_formstring(&attribute);
    const char *name = linkage != NULL ? linkage : dwarf_diename(die);
    return name == NULL ? NULL : readable(name);
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute) == NULL || dwarf_formudata(&attribute, &value) != 0) return 0;
    return value;
}

/* Before the function's own frame come the functions that were inlined into it around the call. The frame's file and
 * line are those of the innermost; each inlined one knows where it was called. */
static void add_inlined(struct site *site, struct frame *own, Dwarf_Die *unit, Dwarf_Addr call) {
    Dwarf_Die *around = NULL, *scopes = NULL;
    Dwarf_Files *files = NULL;
    int count = dwarf_getscopes(unit, call, &around) > 0 ? dwarf_getscopes_die(&around[0], &scopes) : 0;
    if (count > 0 && dwarf_getsrcfiles(unit, &files, NULL) != 0) count = 0;
    int i = 0;
    for (; i < count && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine || site->frame_count + 1 >= FRAMES_MOST) continue;
        struct frame *inner = &site->frames[site->frame_count++];
        *inner = *own;
        inner->function = name_of(&scopes[i]);
        inner->given = type_given(&scopes[i]);
        const char *file = dwarf_filesrc(files, number_of(&scopes[i], DW_AT_call_file), NULL, NULL);
        own->file = file == NULL ? NULL : strdup(file);
        own->line = (int)number_of(&scopes[i], DW_AT_call_line);
    }
    if (i < count) own->given = type_given(&scopes[i]);
    free(around);
    free(scopes);
}

/* The unit of the code at the address, which *bias is to be taken from. Not every compiler writes the index of units by
 * address that libdw asks: then the units are asked one by one, those first that were found before. */
static Dwarf_Die *unit_at(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr *bias) {
    static struct {
        Dwfl_Module *module;
        Dwarf_Die *unit;
    } found[64];
    static size_t next;
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit != NULL || dwfl_module_getdwarf(module, bias) == NULL) return unit;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        if (found[i].module == module && dwarf_haspc(found[i].unit, address - *bias) > 0) return found[i].unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL) {
        if (dwarf_haspc(unit, address - *bias) <= 0) continue;
        found[next].module = module;
        found[next].unit = unit;
        next = (next + 1) % (sizeof found / sizeof found[0]);
        return unit;
    }
    return NULL;
}

/* A return address belongs to the call before it. */
static void name_frame(Dwfl *dwfl, struct site *site, struct frame *frame) {
    Dwarf_Addr call = frame->address - 1, bias = 0;
    Dwfl_Module *module = dwfl_addrmodule(dwfl, call);
    if (module == NULL) return;
    const char *name = dwfl_module_addrname(module, call);
    if (name != NULL) frame->function = readable(name);
    Dwarf_Die *unit = unit_at(module, call, &bias);
    Dwarf_Line *line = unit == NULL ? NULL : dwarf_getsrc_die(unit, call - bias);
    const char *file = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    if (file == NULL) return;
    (void)dwarf_lineno(line, &frame->line);
    frame->file = strdup(file);
    add_inlined(site, frame, unit, call - bias);
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
#else
typedef void Dwfl;
static void name_frame(Dwfl *dwfl, struct site *site, struct frame *frame) { (void)dwfl, (void)site, (void)frame; }
static Dwfl *open_modules(struct report *report) {
    (void)report;
    return NULL;
}
static void dwfl_end(Dwfl *dwfl) { (void)dwfl; }
#endif

static void name_site(struct report *report, Dwfl *dwfl, struct site *site) {
    uint64_t addresses[FRAMES_MOST];
    size_t count = site->frame_count;
    for (size_t i = 0; i < count; i++) addresses[i] = site->frames[i].address;
    site->frame_count = 0;
    for (size_t i = 0; i < count && site->frame_count < FRAMES_MOST; i++) {
        struct frame frame = {.address = addresses[i]};
        if (report->maps != NULL) name_module(report->maps, &frame);
        if (dwfl != NULL) name_frame(dwfl, site, &frame);
        site->frames[site->frame_count++] = frame;
    }
}

void report_symbolise(struct report *report) {
    Dwfl *dwfl = open_modules(report);
    for (size_t i = 0; i < report->site_count; i++) {
        struct site *site = &report->sites[i];
        name_site(report, dwfl, site);
        for (size_t k = 0; k < site->single_count; k++) name_site(report, dwfl, &site->singles[k]);
    }
    if (dwfl != NULL) dwfl_end(dwfl);
}
