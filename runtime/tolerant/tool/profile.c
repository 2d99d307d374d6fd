/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The report as the heap profile in text that gperftools writes and that pprof reads, both the one in Perl and the one
 * in Go: a line of totals, one for each stack (objects: bytes [allocated objects: allocated bytes] @ return addresses),
 * and the mappings. What lies in the common heap has no stack: a function of the library's stands for it.
 */
#include <inttypes.h>

#include "report.h"

static uint64_t allocated_bytes(const struct site *site) {
    return site->objects == 0 ? 0 : (uint64_t)((double)site->bytes / (double)site->objects * (double)site->allocated);
}

static void show_line(uint64_t objects, uint64_t bytes, uint64_t allocated, uint64_t all_bytes, FILE *to) {
    fprintf(to, "%6" PRIu64 ": %8" PRIu64 " [%6" PRIu64 ": %8" PRIu64 "] @", objects, bytes, allocated, all_bytes);
}

void report_show_profile(const struct report *report, FILE *to) {
    uint64_t objects = 0, bytes = 0, allocated = 0, all_bytes = 0;
    for (size_t i = 0; i < report->site_count; i++) {
        const struct site *site = &report->sites[i];
        objects += site->objects;
        bytes += site->bytes;
        allocated += site->allocated;
        all_bytes += allocated_bytes(site);
    }
    uint64_t common = report->objects > objects ? report->objects - objects : 0;
    uint64_t common_bytes = report->bytes > bytes ? report->bytes - bytes : 0;
    uint64_t common_allocated = report->allocations > allocated ? report->allocations - allocated : 0;
    if (common_allocated < common) common_allocated = common;
    uint64_t common_all = common == 0 ? 0 : (uint64_t)((double)common_bytes / (double)common * (double)common_allocated);
    objects += common;
    bytes += common_bytes;
    allocated += common_allocated;
    all_bytes += common_all;
    fputs("heap profile: ", to);
    show_line(objects, bytes, allocated, all_bytes, to);
    fputs(" heapprofile\n", to);
    for (size_t i = 0; i < report->site_count; i++) {
        const struct site *site = &report->sites[i];
        show_line(site->objects, site->bytes, site->allocated, allocated_bytes(site), to);
        for (size_t k = 0; k < site->frame_count; k++) fprintf(to, " 0x%" PRIx64, site->frames[k].address);
        fputs("\n", to);
    }
    if (common != 0) {
        show_line(common, common_bytes, common_allocated, common_all, to);
        fprintf(to, " 0x%" PRIx64 "\n", report->common_mark);
    }
    fprintf(to, "\nMAPPED_LIBRARIES:\n%s", report->maps == NULL ? "" : report->maps);
}
