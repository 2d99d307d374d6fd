/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * tenure-tolerate: runs a program under the tolerant malloc, and shows its reports.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report.h"
#include "tolerant/option.h"

#define LIBRARY "libtenure-tolerant.so.0"
#define LIBRARY_HARDENED "libtenure-tolerant-hardened.so.0"

static const char *library_name = LIBRARY;

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
          "       tenure tolerate --show=FILE [--format=text|json|html|pprof]\n\n"
          "Runs the program under a malloc that tolerates leaks, or shows the last report in a file.\n\n"
          "  --report=FILE          where reports go; %p becomes the process's number\n"
          "  --harden               ends the program where it writes past an object's end, or into one that was freed, or frees\n"
          "                         by another function than belongs to the allocation\n"
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
          ".B tenure-tolerate\n\\-\\-show=\\fIFILE\\fR [\\-\\-format=text|json|html|pprof]\n.SH DESCRIPTION\n"
          "Objects of one calling context and one age share pages, so that what leaks can be paged out; pages that nobody\n"
          "uses are offered to the kernel. With \\-\\-report, the sites whose memory grows and is never used are written to\n"
          "a file.\n.SH OPTIONS\n",
          to);
    for (size_t i = 0; i < ROWS; i++)
        fprintf(to, ".TP\n\\fB\\-\\-%s\\fR=\\fIN\\fR, \\fB%s\\fR\n%s. From %lld to %lld; default %lld.\n", rows[i].flag,
                rows[i].variable, rows[i].help, rows[i].least, rows[i].most, rows[i].initial);
    fputs(".TP\n\\fB\\-\\-report\\fR=\\fIFILE\\fR, \\fBTENURE_TOLERANT_REPORT\\fR\nWhere reports go; %p becomes the process's number. A report "
          "is written at exit, unless \\-\\-report\\-exit=0 is given.\n"
          ".TP\n\\fB\\-\\-show\\fR=\\fIFILE\\fR\nShows the last report in the file, as text, or as \\-\\-format says: json, html (one page), or "
          "pprof (a heap profile).\n"
          ".TP\n\\fB\\-\\-harden\\fR\nEnds the program, with both places, where it writes past an object's end or into one that was freed, "
          "or frees by another function than belongs to the allocation.\n"
          ".TP\n\\fB\\-\\-library\\fR=\\fIFILE\\fR\nThe library to preload, instead of the installed one.\n"
          ".PP\nNumbers may end in K, M or G. A flag with a wrong value is refused; a variable with one is told on standard error, and\n"
          "the nearest value or the default counts.\n"
          ".SH EXIT STATUS\nThe program's own; 127 if it is not there, 126 if it cannot be run, 2 for wrong options; of \\-\\-show, 1 if "
          "there is no report.\n"
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
        int used = snprintf(found, PATH_MAX, "%s%s%s", self, places[i], library_name);
        if (used > 0 && used < PATH_MAX && access(found, R_OK) == 0) return 1;
    }
    return 0;
}

static int run(char **arguments, const char *library) {
    char found[PATH_MAX];
    if (library == NULL && find_library(found)) library = found;
    if (library == NULL || access(library, R_OK) != 0) {
        fprintf(stderr, "tenure-tolerate: %s was not found; --library=FILE says where it is\n", library_name);
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

static const struct format {
    const char *name;
    bool names; /* of functions and files, that are to be found first */
    void (*show)(const struct report *report, FILE *to);
} formats[] = {
    {"text", true, report_show_text},
    {"json", true, report_show_json},
    {"html", true, report_show_html},
    {"pprof", false, report_show_profile},
};

static const struct format *format_named(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    return NULL;
}

static int show(const char *name, const struct format *format) {
    struct report report;
    if (!report_read(name, &report)) return 1;
    if (format->names) {
        report_symbolise(&report);
        report_join_blocks(&report);
    }
    report_judge(&report);
    report_find_places(&report);
    report_find_keepers(&report);
    report_find_structures(&report);
    format->show(&report, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fprintf(stderr, "tenure-tolerate: the report cannot be written: %s\n", strerror(errno));
    return 1;
}

/* The value of --name=value; NULL if the argument is another. */
static const char *value_of(const char *argument, const char *name) {
    size_t length = strlen(name);
    if (strncmp(argument, "--", 2) != 0 || strncmp(argument + 2, name, length) != 0) return NULL;
    return argument[2 + length] == '=' ? argument + 3 + length : NULL;
}

/* As the library reads it: a number, perhaps with K, M or G. */
static bool is_in_range(const char *value, const struct row *row) {
    char *end;
    errno = 0;
    unsigned long long number = value[0] < '0' || value[0] > '9' ? ULLONG_MAX : strtoull(value, &end, 10);
    if (number == ULLONG_MAX) return false;
    int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    if (end[shift != 0] != '\0' || number > (ULLONG_MAX >> 1 >> shift)) return false;
    number <<= shift;
    return number >= (unsigned long long)row->least && number <= (unsigned long long)row->most;
}

/* An option of the table: its variable is set. 0 if the argument is none, -1 with a message if its value is wrong. */
static int take_option(const char *argument) {
    for (size_t i = 0; i < ROWS; i++) {
        const char *value = value_of(argument, rows[i].flag);
        if (value == NULL) continue;
        if (!is_in_range(value, &rows[i])) {
            fprintf(stderr, "tenure-tolerate: %s: not a number from %lld to %lld\n", argument, rows[i].least, rows[i].most);
            return -1;
        }
        setenv(rows[i].variable, value, 1);
        return 1;
    }
    const char *report = value_of(argument, "report");
    if (report == NULL) return 0;
    setenv("TENURE_TOLERANT_REPORT", report, 1);
    setenv("TENURE_TOLERANT_REPORT_EXIT", "1", 0);
    return 1;
}

/* A variable with a name like an option's that is none does nothing: most likely it is misspelt. */
static void warn_of_variables(void) {
    static const char prefix[] = "TENURE_TOLERANT_";
    for (char **variable = environ; *variable != NULL; variable++) {
        if (strncmp(*variable, prefix, strlen(prefix)) != 0) continue;
        size_t length = strcspn(*variable, "=");
        bool known = strncmp(*variable, "TENURE_TOLERANT_REPORT=", length + 1) == 0;
        for (size_t i = 0; i < ROWS && !known; i++)
            known = strlen(rows[i].variable) == length && strncmp(*variable, rows[i].variable, length) == 0;
        if (!known)
            fprintf(stderr, "tenure-tolerate: %.*s is no option's variable; --help lists them\n", (int)length, *variable);
    }
}

/* An option: 0 if it was taken, or the exit status after a message. */
static int take(const char *argument, const char **library, const char **shown, const struct format **format) {
    const char *value;
    if ((value = value_of(argument, "library")) != NULL) {
        *library = value;
    } else if (strcmp(argument, "--harden") == 0) {
        library_name = LIBRARY_HARDENED;
    } else if ((value = value_of(argument, "show")) != NULL) {
        *shown = value;
    } else if ((value = value_of(argument, "format")) != NULL) {
        *format = format_named(value);
        if (*format == NULL) fprintf(stderr, "tenure-tolerate: %s: the formats are text, json, html and pprof\n", argument);
        return *format == NULL ? 2 : 0;
    } else {
        int taken = take_option(argument);
        if (taken == 0) fprintf(stderr, "tenure-tolerate: %s: no such option; --help lists them\n", argument);
        return taken == 1 ? 0 : 2;
    }
    return 0;
}

int main(int count, char **arguments) {
    const char *library = NULL, *shown = NULL;
    const struct format *format = &formats[0];
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "--man") == 0) {
            (argument[2] == 'h' ? show_help : show_manual)(stdout);
            return 0;
        }
        int ended = strcmp(argument, "--") == 0;
        if (ended || argument[0] != '-') {
            if (i + ended == count) break;
            warn_of_variables();
            return run(arguments + i + ended, library);
        }
        int status = take(argument, &library, &shown, &format);
        if (status != 0) return status;
    }
    if (shown != NULL) return show(shown, format);
    show_help(stderr);
    return 2;
}
