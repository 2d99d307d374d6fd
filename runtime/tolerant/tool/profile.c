/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The report as the heap profile in text that gperftools writes and that pprof reads, both the one in Perl and the one in
 * Go: a line of totals, one for each stack (objects: bytes [allocated objects: allocated bytes] @ return addresses), and
 * the mappings. What lies in the common heap has no stack and is not in it.
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
    fputs("heap profile: ", to);
    show_line(objects, bytes, allocated, all_bytes, to);
    fputs(" heapprofile\n", to);
    for (size_t i = 0; i < report->site_count; i++) {
        const struct site *site = &report->sites[i];
        show_line(site->objects, site->bytes, site->allocated, allocated_bytes(site), to);
        for (size_t k = 0; k < site->frame_count; k++) fprintf(to, " 0x%" PRIx64, site->frames[k].address);
        fputs("\n", to);
    }
    fprintf(to, "\nMAPPED_LIBRARIES:\n%s", report->maps == NULL ? "" : report->maps);
}
