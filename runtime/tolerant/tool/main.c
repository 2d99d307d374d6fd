/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * tenure-tolerate: runs a program under the tolerant malloc, and shows its reports.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "tolerant/option.h"

#define LIBRARY "libtenure-tolerant.so.0"

static const struct row {
    const char *variable, *flag, *help;
    long long initial, least, most;
} rows[] = {
#define ROW(name, flag, initial, least, most, help) {"TENURE_TOLERANT_" #name, flag, help, initial, least, most},
    TT_OPTIONS(ROW)
#undef ROW
};
#define ROWS (sizeof rows / sizeof rows[0])

static void show_help(FILE *to) {
    fputs("usage: tenure tolerate [OPTIONS] -- PROGRAM [ARGUMENTS]\n"
          "       tenure tolerate --show=FILE [--format=text|json|html]\n\n"
          "Runs the program under a malloc that tolerates leaks, or shows the last report in a file.\n\n"
          "  --report=FILE          where reports go; %p becomes the process's number\n"
          "  --library=FILE         the library to preload, instead of the installed one\n",
          to);
    for (size_t i = 0; i < ROWS; i++) {
        char flag[64];
        snprintf(flag, sizeof flag, "--%s=N", rows[i].flag);
        fprintf(to, "  %-22s %s (default %lld)\n", flag, rows[i].help, rows[i].initial);
    }
    fputs("  --help, --man          this text; the manual page\n\n"
          "Each option is also an environment variable: --site-objects=N is TENURE_TOLERANT_SITE_OBJECTS.\n",
          to);
}

static void show_manual(FILE *to) {
    fputs(".TH TENURE-TOLERATE 1\n.SH NAME\ntenure-tolerate \\- run a program under a malloc that tolerates leaks\n"
          ".SH SYNOPSIS\n.B tenure-tolerate\n[\\fIOPTIONS\\fR] \\-\\- \\fIPROGRAM\\fR [\\fIARGUMENTS\\fR]\n.br\n"
          ".B tenure-tolerate\n\\-\\-show=\\fIFILE\\fR [\\-\\-format=text|json|html]\n.SH DESCRIPTION\n"
          "Objects of one calling context and one age share pages, so that what leaks can be paged out; pages that nobody\n"
          "uses are offered to the kernel. With \\-\\-report, the sites whose memory grows and is never used are written to\n"
          "a file.\n.SH OPTIONS\n",
          to);
    for (size_t i = 0; i < ROWS; i++)
        fprintf(to, ".TP\n\\fB\\-\\-%s\\fR=\\fIN\\fR, \\fB%s\\fR\n%s. From %lld to %lld; default %lld.\n", rows[i].flag,
                rows[i].variable, rows[i].help, rows[i].least, rows[i].most, rows[i].initial);
    fputs(".TP\n\\fB\\-\\-report\\fR=\\fIFILE\\fR, \\fBTENURE_TOLERANT_REPORT\\fR\nWhere reports go.\n"
          ".SH SEE ALSO\nmalloc(3)\n",
          to);
}

/* Beside the command, as built, or where it is installed. */
static int find_library(char found[PATH_MAX]) {
    static const char *const places[] = {"", "../lib/tenure/", "../lib/"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return 0;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (slash == NULL) return 0;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int used = snprintf(found, PATH_MAX, "%s%s" LIBRARY, self, places[i]);
        if (used > 0 && used < PATH_MAX && access(found, R_OK) == 0) return 1;
    }
    return 0;
}

static int run(char **arguments, const char *library) {
    char found[PATH_MAX];
    if (library == NULL && find_library(found)) library = found;
    if (library == NULL || access(library, R_OK) != 0) {
        fprintf(stderr, "tenure-tolerate: " LIBRARY " was not found; --library=FILE says where it is\n");
        return 127;
    }
    const char *before = getenv("LD_PRELOAD");
    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", library, before != NULL && *before != '\0' ? ":" : "", before != NULL ? before : "") < 0)
        return 127;
    setenv("LD_PRELOAD", preload, 1);
    execvp(arguments[0], arguments);
    fprintf(stderr, "tenure-tolerate: %s: %s\n", arguments[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

static int show(const char *name, const char *format) {
    struct report report;
    if (!report_read(name, &report)) return 1;
    report_symbolise(&report);
    if (strcmp(format, "json") == 0)
        report_show_json(&report, stdout);
    else if (strcmp(format, "html") == 0)
        report_show_html(&report, stdout);
    else
        report_show_text(&report, stdout, 10);
    return 0;
}

/* The value of --name=value; NULL if the argument is another. */
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    if (strncmp(argument, "--", 2) != 0 || strncmp(argument + 2, name, length) != 0) return NULL;
    return argument[2 + length] == '=' ? argument + 3 + length : NULL;
}

static int take_option(const char *argument) {
    for (size_t i = 0; i < ROWS; i++) {
        const char *value = value_of(argument, rows[i].flag);
        if (value == NULL) continue;
        setenv(rows[i].variable, value, 1);
        return 1;
    }
    const char *report = value_of(argument, "report");
    if (report == NULL) return 0;
    setenv("TENURE_TOLERANT_REPORT", report, 1);
    setenv("TENURE_TOLERANT_REPORT_EXIT", "1", 0);
    return 1;
}

int main(int count, char **arguments) {
    const char *library = NULL, *shown = NULL, *format = "text", *value;
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "--man") == 0) {
            (argument[2] == 'h' ? show_help : show_manual)(stdout);
            return 0;
        }
        int ended = strcmp(argument, "--") == 0;
        if (ended || argument[0] != '-') {
            if (i + ended < count) return run(arguments + i + ended, library);
            break;
        }
        if ((value = value_of(argument, "library")) != NULL)
            library = value;
        else if ((value = value_of(argument, "show")) != NULL)
            shown = value;
        else if ((value = value_of(argument, "format")) != NULL &&
                 (strcmp(value, "text") == 0 || strcmp(value, "json") == 0 || strcmp(value, "html") == 0))
            format = value;
        else if (!take_option(argument)) {
            fprintf(stderr, "tenure-tolerate: %s: no such option; --help lists them\n", argument);
            return 2;
        }
    }
    if (shown != NULL) return show(shown, format);
    show_help(stderr);
    return 2;
}
