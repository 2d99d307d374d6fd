/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* In text, besides those that leak. */
#define SITES_SHOWN 10

const char *report_short_file(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash == NULL ? file : slash + 1;
}

/* Looks until a page that nothing touches is cold, and the first, before which nothing is known. */
#define LOOKS_LEAST 5
/* What was hardly ever freed, where so much is not known yet. */
#define KEPT_OBJECTS_LEAST 64
#define KEPT_PART 100

bool report_is_early(const struct report *report) {
    return report->cold_bytes == 0 && (report->looks < LOOKS_LEAST || report->milliseconds < report->cold_seconds * 1000);
}

static const char *early_advice(const struct report *report) {
    static char text[400];
    snprintf(text, sizeof text,
             "what leaks is not known yet: memory counts as cold after %" PRIu64 " s and %" PRIu64 " allocations without a use, and the process "
             "had %" PRIu64 " ms and %" PRIu64 "; --cold-seconds=0 --cold-allocations=%" PRIu64 " --cold-overhead=1000 would tell",
             report->cold_seconds, report->cold_allocations, report->milliseconds, report->allocations,
             report->allocations / 10 + 1);
    return text;
}

const char *report_advice(const struct report *report) {
    if (report_is_early(report)) return early_advice(report);
    switch (report->refused) {
    case 1:
        return "cold pages were not compacted: a program with threads needs vm.unprivileged_userfaultfd=1, access to "
               "/dev/userfaultfd, or CAP_SYS_PTRACE for it";
    case 2:
        return "cold pages were not compacted: the program uses io_uring, or a file past the page cache (O_DIRECT), or has "
               "more files open than were asked about";
    default: return NULL;
    }
}

/* What a report says of a site that it knows too little of: that hardly anything of it was freed. */
static const char *kind_of(const struct report *report, const struct site *site) {
    if (site->leak) return "leak: ";
    bool kept = site->objects >= KEPT_OBJECTS_LEAST && site->objects >= site->allocated - site->allocated / KEPT_PART;
    return report_is_early(report) && kept ? "never freed: " : "site: ";
}

static void text_frame(const struct frame *frame, FILE *to) {
    char *name = frame->function == NULL ? NULL : report_spelling(frame->function);
    if (name != NULL && frame->file != NULL)
        fprintf(to, "%s at %s:%d", name, frame->file, frame->line);
    else if (name != NULL)
        fprintf(to, "%s (%s+0x%" PRIx64 ")", name, frame->module == NULL ? "?" : frame->module, frame->offset);
    else
        fprintf(to, "0x%" PRIx64 " (%s+0x%" PRIx64 ")", frame->address, frame->module == NULL ? "?" : frame->module,
                frame->offset);
    free(name);
}

void report_show_bytes(uint64_t bytes, FILE *to) {
    if (bytes >= 10 << 20)
        fprintf(to, "%" PRIu64 " MiB", bytes >> 20);
    else if (bytes >= 10 << 10)
        fprintf(to, "%" PRIu64 " KiB", bytes >> 10);
    else
        fprintf(to, "%" PRIu64 " bytes", bytes);
}

static void text_beside(const char *what, const struct beside *found, size_t count, FILE *to) {
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? what : "; ", to);
        report_show_bytes(found[i].bytes, to);
        fputs(" in ", to);
        site_show_place(found[i].site, to);
    }
}

static void text_site(const struct report *report, const struct site *site, FILE *to) {
    fputs(kind_of(report, site), to);
    report_show_bytes(site->bytes, to);
    fprintf(to, " in %" PRIu64 " objects", site->objects);
    if (site->allocated != 0) fprintf(to, " of %" PRIu64 " allocated", site->allocated);
    fputs(", ", to);
    report_show_bytes(site->cold, to);
    fprintf(to, " cold, oldest %" PRIu64 " s", site->oldest);
    if (site->history_count > 1) {
        fputs(", was ", to);
        report_show_bytes(site->history[site->history_count / 2].bytes, to);
        fprintf(to, " at %" PRIu64 " ms", site->history[site->history_count / 2].at);
    }
    fputs("\n  in ", to);
    frame_show_place(site->keeper != NULL ? site->keeper : site_place(site), to);
    if (site->keeper != NULL) {
        fputs("\n  where most of what grows in step with it is kept; allocated in ", to);
        site_show_place(site, to);
    }
    for (size_t i = 0; i < site->frame_count; i++) {
        fputs("\n    ", to);
        text_frame(&site->frames[i], to);
    }
    struct beside found[BESIDE_SHOWN];
    text_beside("\n  with each of them, as parts of one structure: ", found, site_members(report, site, found, BESIDE_SHOWN), to);
    text_beside("\n  of its objects that were looked at, some are of others: ", found, site_singles(site, found, BESIDE_SHOWN), to);
    text_beside("\n  blocks of an allocator, asked for: ", found, site_parts(site, found, BESIDE_SHOWN), to);
    text_beside("\n  in step with it grow: ", found, site_steps(report, site, found, BESIDE_SHOWN), to);
    fputs("\n", to);
}

void report_show_text(const struct report *report, FILE *to) {
    size_t leaks = 0;
    for (size_t i = 0; i < report->site_count; i++) leaks += report->sites[i].leak && report->sites[i].part_of == 0;
    fprintf(to, "process %" PRIu64 " after %" PRIu64 " s: ", report->process, report->seconds);
    report_show_bytes(report->bytes, to);
    fprintf(to, " in %" PRIu64 " objects, ", report->objects);
    report_show_bytes(report->cold_bytes, to);
    fprintf(to, " cold, %zu sites with pages of their own", report->site_count);
    if (report_is_early(report))
        fputs("\n", to);
    else
        fprintf(to, ", %zu that look like leaks\n", leaks);
    const char *advice = report_advice(report);
    if (advice != NULL) fprintf(to, "%s\n", advice);
    for (size_t i = 0; i < report->site_count && (i < SITES_SHOWN || report->sites[i].leak); i++) {
        if (report->sites[i].part_of != 0) continue;
        fputs("\n", to);
        text_site(report, &report->sites[i], to);
    }
}

static void json_string(const char *text, FILE *to) {
    if (text == NULL) {
        fputs("null", to);
        return;
    }
    fputc('"', to);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', to);
        if ((unsigned char)*text < 0x20)
            fprintf(to, "\\u%04x", (unsigned)(unsigned char)*text);
        else if (*text == '<') /* so that the text may stand in a page's script */
            fputs("\\u003c", to);
        else
            fputc(*text, to);
    }
    fputc('"', to);
}

static void json_place(const struct frame *frame, FILE *to) {
    char *place = frame_place_text(frame);
    json_string(place, to);
    free(place);
}

static void json_beside(const char *name, const struct beside *found, size_t count, FILE *to) {
    fprintf(to, ",\"%s\":[", name);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%s{\"bytes\":%" PRIu64 ",\"place\":", i == 0 ? "" : ",", found[i].bytes);
        json_place(site_place(found[i].site), to);
        fputs("}", to);
    }
    fputs("]", to);
}

static void json_site(const struct report *report, const struct site *site, FILE *to) {
    fprintf(to,
            "{\"leak\":%s,\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"cold_bytes\":%" PRIu64
            ",\"allocated\":%" PRIu64 ",\"oldest_seconds\":%" PRIu64 ",\"history\":[",
            site->leak ? "true" : "false", site->objects, site->bytes, site->cold, site->allocated, site->oldest);
    for (size_t i = 0; i < site->history_count; i++)
        fprintf(to, "%s[%" PRIu64 ",%" PRIu64 "]", i == 0 ? "" : ",", site->history[i].at, site->history[i].bytes);
    fputs("],\"place\":", to);
    json_place(site->keeper != NULL ? site->keeper : site_place(site), to);
    fputs(",\"allocated_in\":", to);
    json_place(site_place(site), to);
    struct beside found[BESIDE_SHOWN];
    json_beside("singles", found, site_singles(site, found, BESIDE_SHOWN), to);
    json_beside("blocks_of", found, site_parts(site, found, BESIDE_SHOWN), to);
    json_beside("in_step", found, site_steps(report, site, found, BESIDE_SHOWN), to);
    if (site->part_of != 0) fprintf(to, ",\"part_of\":%zu", site->part_of - 1);
    fputs(",\"stack\":[", to);
    for (size_t i = 0; i < site->frame_count; i++) {
        const struct frame *frame = &site->frames[i];
        fprintf(to, "%s{\"address\":\"0x%" PRIx64 "\",\"function\":", i == 0 ? "" : ",", frame->address);
        json_string(frame->function, to);
        fputs(",\"file\":", to);
        json_string(frame->file, to);
        fprintf(to, ",\"line\":%d,\"module\":", frame->line);
        json_string(frame->module, to);
        fprintf(to, ",\"offset\":%" PRIu64 "}", frame->offset);
    }
    fputs("]}", to);
}

void report_show_json(const struct report *report, FILE *to) {
    fprintf(to,
            "{\"process\":%" PRIu64 ",\"seconds\":%" PRIu64 ",\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64
            ",\"cold_bytes\":%" PRIu64 ",\n\"advice\":",
            report->process, report->seconds, report->objects, report->bytes, report->cold_bytes);
    json_string(report_advice(report), to);
    fputs(",\n\"timeline\":[", to);
    for (size_t i = 0; i < report->moment_count; i++) {
        const struct moment *m = &report->moments[i];
        fprintf(to,
                "%s{\"at\":%" PRIu64 ",\"live\":%" PRIu64 ",\"mapped\":%" PRIu64 ",\"resident\":%" PRIu64
                ",\"swapped\":%" PRIu64 ",\"cold\":%" PRIu64 "}",
                i == 0 ? "" : ",\n", m->at, m->live, m->mapped, m->resident, m->swapped, m->cold);
    }
    fputs("],\n\"sites\":[", to);
    for (size_t i = 0; i < report->site_count; i++) {
        if (i != 0) fputs(",\n", to);
        json_site(report, &report->sites[i], to);
    }
    fputs("]}\n", to);
}
