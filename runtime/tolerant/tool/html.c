/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The report as one page that needs no other file.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>

#include "report.h"

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
    fputs("</p>\n<svg viewBox=\"0 0 800 235\" width=\"800\"><rect x=\"10\" y=\"10\" width=\"780\" height=\"200\" "
          "fill=\"#f6f6f6\"/>\n",
          to);
    for (int part = 1; part <= 4; part++) {
        double y = 210 - 50.0 * part;
        fprintf(to, "<line x1=\"10\" x2=\"790\" y1=\"%.0f\" y2=\"%.0f\" stroke=\"#ddd\"/><text x=\"14\" y=\"%.0f\">", y, y, y + 14);
        report_show_bytes((uint64_t)(most * part / 4), to);
        fputs("</text>\n", to);
    }
    for (size_t k = 0; k < 4; k++) html_curve(report, k, colours[k], most, to);
    fprintf(to, "<text x=\"10\" y=\"228\">0</text><text x=\"790\" y=\"228\" text-anchor=\"end\">%.1f s</text></svg>\n",
            (double)report->moments[report->moment_count - 1].at / 1000);
}

/* How the site grew, in small. */
static void html_growth(const struct report *report, const struct site *site, FILE *to) {
    uint64_t most = 1, last = report->moment_count == 0 ? 0 : report->moments[report->moment_count - 1].at;
    for (size_t i = 0; i < site->history_count; i++) {
        if (site->history[i].bytes > most) most = site->history[i].bytes;
        if (site->history[i].at > last) last = site->history[i].at;
    }
    fputs("<svg viewBox=\"0 0 100 20\" width=\"100\"><polyline fill=\"none\" stroke=\"#1b6ca8\" points=\"", to);
    for (size_t i = 0; i < site->history_count; i++)
        fprintf(to, "%.1f,%.1f ", 100.0 * (double)site->history[i].at / (double)(last == 0 ? 1 : last),
                19 - 18.0 * (double)site->history[i].bytes / (double)most);
    fputs("\"/></svg>", to);
}

static void html_place(const struct frame *frame, FILE *to) {
    char *place = frame_place_text(frame);
    html_text(place == NULL ? "?" : place, to);
    free(place);
}

static void html_beside(const char *what, const struct beside *found, size_t count, FILE *to) {
    if (count == 0) return;
    fprintf(to, "<p>%s:</p><ul>", what);
    for (size_t i = 0; i < count; i++) {
        fputs("<li>", to);
        report_show_bytes(found[i].bytes, to);
        fputs(" in ", to);
        html_place(site_place(found[i].site), to);
    }
    fputs("</ul>", to);
}

static void html_site(const struct report *report, const struct site *site, FILE *to) {
    fprintf(to, "<tr class=\"%s\"><td>%s</td><td>", site->leak ? "leak" : "site", site->leak ? "leak" : "");
    report_show_bytes(site->bytes, to);
    fputs("</td><td>", to);
    report_show_bytes(site->cold, to);
    fprintf(to, "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 " s</td><td>", site->objects, site->allocated, site->oldest);
    html_growth(report, site, to);
    fprintf(to, "</td><td><details%s><summary>", site->leak ? " open" : "");
    html_place(site->keeper != NULL ? site->keeper : site_place(site), to);
    fputs("</summary>", to);
    if (site->keeper != NULL) {
        fputs("<p>Most of what grows in step with it is kept there. Allocated in ", to);
        html_place(site_place(site), to);
        fputs(":</p>", to);
    }
    fputs("<pre>", to);
    for (size_t k = 0; k < site->frame_count; k++) {
        const struct frame *frame = &site->frames[k];
        fputs(k == site->place ? "<b>" : "", to);
        html_text(frame->function != NULL ? frame->function : frame->module != NULL ? frame->module : "?", to);
        if (frame->file != NULL) {
            fputs("  ", to);
            html_text(frame->file, to);
            fprintf(to, ":%d", frame->line);
        } else if (frame->function == NULL) {
            fprintf(to, "+0x%" PRIx64, frame->offset);
        }
        fputs(k == site->place ? "</b>\n" : "\n", to);
    }
    fputs("</pre>", to);
    struct beside found[BESIDE_SHOWN];
    html_beside("Of its objects that were looked at, some are of others", found, site_singles(site, found, BESIDE_SHOWN), to);
    html_beside("Blocks of an allocator, asked for", found, site_parts(site, found, BESIDE_SHOWN), to);
    html_beside("In step with it grow", found, site_steps(report, site, found, BESIDE_SHOWN), to);
    fputs("</details></td></tr>\n", to);
}

void report_show_html(const struct report *report, FILE *to) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Leak report</title>\n<style>body{font:15px "
          "sans-serif;max-width:72em;margin:2em auto}table{border-collapse:collapse;width:100%}td,th{text-align:left;"
          "padding:.3em .6em;border-bottom:1px solid #ddd;vertical-align:top}td:not(:last-child){white-space:nowrap}"
          "tbody td:last-child{width:60%}svg text{font:13px sans-serif;fill:#555}ul{margin:.2em 0 .6em}tr.leak td:first-child{color:#c0392b;"
          "font-weight:bold}pre{margin:.3em 0;white-space:pre-wrap}</style>\n<h1>Leak report</h1>\n",
          to);
    fprintf(to, "<p>Process %" PRIu64 " after %" PRIu64 " s: ", report->process, report->seconds);
    report_show_bytes(report->bytes, to);
    fprintf(to, " in %" PRIu64 " objects, ", report->objects);
    report_show_bytes(report->cold_bytes, to);
    fputs(" cold.</p>\n", to);
    const char *advice = report_advice(report);
    if (advice != NULL) fprintf(to, "<p>%s.</p>\n", advice);
    html_timeline(report, to);
    fputs("<h2>Sites</h2><table><tr><th></th><th>bytes</th><th>cold</th><th>objects</th><th>of allocated</th><th>oldest</th><th>growth</th><th>place</th></tr>\n",
          to);
    for (size_t i = 0; i < report->site_count; i++) html_site(report, &report->sites[i], to);
    fputs("</table></html>\n", to);
}
