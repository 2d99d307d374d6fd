/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <inttypes.h>
#include <string.h>

#include "report.h"

static const char *short_file(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash == NULL ? file : slash + 1;
}

static void text_frame(const struct frame *frame, FILE *to) {
    if (frame->function != NULL && frame->file != NULL)
        fprintf(to, "%s at %s:%d", frame->function, frame->file, frame->line);
    else if (frame->function != NULL)
        fprintf(to, "%s (%s+0x%" PRIx64 ")", frame->function, frame->module == NULL ? "?" : frame->module, frame->offset);
    else
        fprintf(to, "0x%" PRIx64 " (%s+0x%" PRIx64 ")", frame->address, frame->module == NULL ? "?" : frame->module,
                frame->offset);
}

static void text_bytes(uint64_t bytes, FILE *to) {
    if (bytes >= 10 << 20)
        fprintf(to, "%" PRIu64 " MiB", bytes >> 20);
    else if (bytes >= 10 << 10)
        fprintf(to, "%" PRIu64 " KiB", bytes >> 10);
    else
        fprintf(to, "%" PRIu64 " bytes", bytes);
}

static void text_site(const struct site *site, FILE *to) {
    fputs(site->leak ? "leak: " : "site: ", to);
    text_bytes(site->bytes, to);
    fprintf(to, " in %" PRIu64 " objects", site->objects);
    if (site->allocated != 0) fprintf(to, " of %" PRIu64 " allocated", site->allocated);
    fputs(", ", to);
    text_bytes(site->cold, to);
    fprintf(to, " cold, oldest %" PRIu64 " s", site->oldest);
    if (site->history_count > 1) {
        fputs(", was ", to);
        text_bytes(site->history[site->history_count / 2].bytes, to);
        fprintf(to, " at %" PRIu64 " ms", site->history[site->history_count / 2].at);
    }
    const struct frame *place = site_place(site);
    if (place != NULL && place->function != NULL) {
        fprintf(to, "\n  in %s", place->function);
        if (place->file != NULL) fprintf(to, ", %s:%d", short_file(place->file), place->line);
    }
    for (size_t i = 0; i < site->frame_count; i++) {
        fputs("\n    ", to);
        text_frame(&site->frames[i], to);
    }
    fputs("\n", to);
}

void report_show_text(const struct report *report, FILE *to, size_t most) {
    size_t leaks = 0;
    while (leaks < report->site_count && report->sites[leaks].leak) leaks++;
    fprintf(to, "process %" PRIu64 " after %" PRIu64 " s: ", report->process, report->seconds);
    text_bytes(report->bytes, to);
    fprintf(to, " in %" PRIu64 " objects, ", report->objects);
    text_bytes(report->cold_bytes, to);
    fprintf(to, " cold, %zu sites with pages of their own, %zu that look like leaks\n", report->site_count, leaks);
    for (size_t i = 0; i < report->site_count && (i < most || report->sites[i].leak); i++) {
        fputs("\n", to);
        text_site(&report->sites[i], to);
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

static void json_site(const struct site *site, FILE *to) {
    fprintf(to,
            "{\"leak\":%s,\"objects\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"cold_bytes\":%" PRIu64
            ",\"allocated\":%" PRIu64 ",\"oldest_seconds\":%" PRIu64 ",\"history\":[",
            site->leak ? "true" : "false", site->objects, site->bytes, site->cold, site->allocated, site->oldest);
    for (size_t i = 0; i < site->history_count; i++)
        fprintf(to, "%s[%" PRIu64 ",%" PRIu64 "]", i == 0 ? "" : ",", site->history[i].at, site->history[i].bytes);
    fputs("],\"stack\":[", to);
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
            ",\"cold_bytes\":%" PRIu64 ",\n\"timeline\":[",
            report->process, report->seconds, report->objects, report->bytes, report->cold_bytes);
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
        json_site(&report->sites[i], to);
    }
    fputs("]}\n", to);
}

static void html_text(const char *text, FILE *to) {
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        default: fputc(*text, to);
        }
    }
}

/* One line of the timeline's picture. */
static void html_curve(const struct report *report, size_t which, const char *colour, double most, FILE *to) {
    fprintf(to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    uint64_t last = report->moments[report->moment_count - 1].at;
    for (size_t i = 0; i < report->moment_count; i++) {
        const struct moment *m = &report->moments[i];
        const uint64_t values[] = {m->live, m->resident, m->cold, m->swapped};
        fprintf(to, "%.1f,%.1f ", 10 + 780.0 * (double)m->at / (double)(last == 0 ? 1 : last),
                210 - 200.0 * (double)values[which] / most);
    }
    fputs("\"/>\n", to);
}

static void html_timeline(const struct report *report, FILE *to) {
    static const char *const names[] = {"live", "resident", "cold", "swapped"};
    static const char *const colours[] = {"#1b6ca8", "#8a8a8a", "#c0392b", "#27864b"};
    double most = 1;
    for (size_t i = 0; i < report->moment_count; i++) {
        if ((double)report->moments[i].live > most) most = (double)report->moments[i].live;
        if ((double)report->moments[i].resident > most) most = (double)report->moments[i].resident;
    }
    if (report->moment_count == 0) return;
    fprintf(to, "<h2>Memory over time</h2><p>");
    for (size_t k = 0; k < 4; k++) fprintf(to, "<b style=\"color:%s\">%s</b> ", colours[k], names[k]);
    fputs("up to ", to);
    text_bytes((uint64_t)most, to);
    fputs("</p>\n<svg viewBox=\"0 0 800 220\" width=\"800\"><rect x=\"10\" y=\"10\" width=\"780\" height=\"200\" "
          "fill=\"#f6f6f6\"/>\n",
          to);
    for (size_t k = 0; k < 4; k++) html_curve(report, k, colours[k], most, to);
    fputs("</svg>\n", to);
}

void report_show_html(const struct report *report, FILE *to) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Leak report</title>\n<style>body{font:15px "
          "sans-serif;max-width:60em;margin:2em auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;"
          "padding:.3em .6em;border-bottom:1px solid #ddd;vertical-align:top}tr.leak td:first-child{color:#c0392b;"
          "font-weight:bold}pre{margin:.3em 0;white-space:pre-wrap}</style>\n<h1>Leak report</h1>\n",
          to);
    fprintf(to, "<p>Process %" PRIu64 " after %" PRIu64 " s: ", report->process, report->seconds);
    text_bytes(report->bytes, to);
    fprintf(to, " in %" PRIu64 " objects.</p>\n", report->objects);
    html_timeline(report, to);
    fputs("<h2>Sites</h2><table><tr><th></th><th>bytes</th><th>cold</th><th>objects</th><th>oldest</th><th>place</th></tr>\n",
          to);
    for (size_t i = 0; i < report->site_count; i++) {
        const struct site *site = &report->sites[i];
        fprintf(to, "<tr class=\"%s\"><td>%s</td><td>", site->leak ? "leak" : "site", site->leak ? "leak" : "");
        text_bytes(site->bytes, to);
        fputs("</td><td>", to);
        text_bytes(site->cold, to);
        fprintf(to, "</td><td>%" PRIu64 "</td><td>%" PRIu64 " s</td><td><details><summary>", site->objects, site->oldest);
        const struct frame *place = site_place(site);
        if (place != NULL) html_text(place->function != NULL ? place->function : place->module != NULL ? place->module : "?", to);
        if (place != NULL && place->file != NULL) {
            fputs(" ", to);
            html_text(short_file(place->file), to);
            fprintf(to, ":%d", place->line);
        }
        fputs("</summary><pre>", to);
        for (size_t k = 0; k < site->frame_count; k++) {
            const struct frame *frame = &site->frames[k];
            html_text(frame->function != NULL ? frame->function : frame->module != NULL ? frame->module : "?", to);
            if (frame->file != NULL) {
                fputs("  ", to);
                html_text(frame->file, to);
                fprintf(to, ":%d", frame->line);
            }
            fputs("\n", to);
        }
        fputs("</pre></details></td></tr>\n", to);
    }
    fputs("</table></html>\n", to);
}
