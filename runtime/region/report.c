/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "region/report.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"

/* Longest payload that is shown, and room around it for the names of a site. */
#define PAYLOAD_BYTES 512
#define REPORT_BYTES 2048

/* "-3" for what was a negative number, else the number. */
static void write_signed(char *out, size_t size, uint64_t value) {
    if (value >> 63) {
        (void)snprintf(out, size, "%" PRId64, (int64_t)value);
    } else {
        (void)snprintf(out, size, "%" PRIu64, value);
    }
}

/* What stands after the exception's name; empty if nothing does. */
static void write_detail(char *out, size_t size, const void *exn, const struct tn_cause *cause) {
    const char *what = cause->site != NULL ? cause->site->what : NULL;
    char number[24];
    out[0] = '\0';
    switch ((enum tn_reason)cause->reason) {
    case TN_REASON_THROW: {
        const struct tn_exn_tag *tag = tn_exn_tag_of(exn);
        if (tag->describe != NULL) tag->describe(exn, out, size);
        return;
    }
    case TN_REASON_NULL: (void)snprintf(out, size, "%s is NULL", what != NULL ? what : "pointer"); return;
    case TN_REASON_FAT_NULL: (void)snprintf(out, size, "pointer is NULL"); return;
    case TN_REASON_INDEX:
        write_signed(number, sizeof number, cause->first);
        (void)snprintf(out, size, "index %s, size %" PRIu64, number, cause->second);
        return;
    case TN_REASON_INDEX_UNSIGNED:
        (void)snprintf(out, size, "index %" PRIu64 ", size %" PRIu64, cause->first, cause->second);
        return;
    case TN_REASON_NUMELTS:
        (void)snprintf(out, size, "%" PRIu64 " elements needed, %" PRIu64 " there", cause->second, cause->first);
        return;
    case TN_REASON_DIVISOR:
        (void)snprintf(out, size, "%s", cause->first == 0 ? "division by zero" : "quotient out of range");
        return;
    case TN_REASON_ARITH: (void)snprintf(out, size, "division by zero or quotient out of range"); return;
    case TN_REASON_MATCH: (void)snprintf(out, size, "no case matches"); return;
    case TN_REASON_TAG:
        (void)snprintf(out, size, "member %" PRIu64 " is set, member %" PRIu64 " is read", cause->first, cause->second);
        return;
    case TN_REASON_ZEROTERM: (void)snprintf(out, size, "the terminating zero is passed"); return;
    case TN_REASON_ASSERT:
        (void)snprintf(out, size, "%s does not hold", what != NULL ? what : "the condition");
        return;
    case TN_REASON_ALLOC: (void)snprintf(out, size, "%" PRIu64 " bytes", cause->first); return;
    case TN_REASON_EXHAUSTED:
        (void)snprintf(out, size, "%" PRIu64 " bytes, quota %" PRIu64 " bytes", cause->first, cause->second);
        return;
    case TN_REASON_DANGLING:
        (void)snprintf(out, size, "the object of %s was deleted", what != NULL ? what : "the reference");
        return;
    case TN_REASON_SECOND_DELETE: (void)snprintf(out, size, "the object was deleted already"); return;
    case TN_REASON_INTERIOR_DELETE: (void)snprintf(out, size, "delete of a part of an object"); return;
    }
}

/* Appends to a text of `used` bytes in out and returns the new length, which is at most size - 1. */
__attribute__((format(printf, 4, 5))) static size_t append(char *out, size_t size, size_t used, const char *format,
                                                           ...) {
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int added = vsnprintf(out + used, size - used, format, arguments);
    __builtin_va_end(arguments);
    if (added < 0) return used;
    return (size_t)added < size - used ? used + (size_t)added : size - 1;
}

static size_t append_site(char *out, size_t size, size_t used, const struct tn_cause *cause) {
    const struct tn_site *site = cause->site;
    used = append(out, size, used, "  at %s", site->file);
    if (site->line != 0) used = append(out, size, used, ":%" PRIu32, site->line);
    if (site->column != 0) used = append(out, size, used, ":%" PRIu32, site->column);
    if (site->function != NULL) used = append(out, size, used, " in %s", site->function);
    int named = cause->reason == TN_REASON_NULL || cause->reason == TN_REASON_ASSERT ||
                cause->reason == TN_REASON_DANGLING; /* in the first line */
    if (site->what != NULL && !named) used = append(out, size, used, ": %s", site->what);
    return append(out, size, used, "\n");
}

/* Where the object was made and deleted, as far as that is remembered. */
static size_t append_places(char *out, size_t size, size_t used, const struct tn_cause *cause) {
    if (cause->reason != TN_REASON_DANGLING && cause->reason != TN_REASON_SECOND_DELETE &&
        cause->reason != TN_REASON_INTERIOR_DELETE) {
        return used;
    }
    const uint64_t places[] = {cause->first, cause->second};
    static const char *const happened[] = {"allocated", "deleted"};
    for (int i = 0; i < 2; i++) {
        const struct tn_site *site = (const struct tn_site *)(uintptr_t)places[i];
        if (site == NULL) continue;
        used = append(out, size, used, "  %s at %s:%" PRIu32, happened[i], site->file, site->line);
        if (site->column != 0) used = append(out, size, used, ":%" PRIu32, site->column);
        if (site->function != NULL) used = append(out, size, used, " in %s", site->function);
        used = append(out, size, used, "\n");
    }
    return used;
}

/* Ends the program with status 1 and `text`. What it printed before comes before. */
static _Noreturn void end_with(const char *text, size_t used) {
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    (void)fflush(stdout);
    tn_os_write_error(text, used);
    /* An exit handler that throws, or a second thread: exit may not be called twice. */
    if (atomic_flag_test_and_set(&ending)) tn_os_exit_now(1);
    exit(1);
}

_Noreturn void tn_report_uncaught(const void *exn, const struct tn_cause *cause) {
    char text[REPORT_BYTES];
    char detail[PAYLOAD_BYTES];
    write_detail(detail, sizeof detail, exn, cause);
    size_t used = append(text, sizeof text, 0, "uncaught exception %s", tn_exn_tag_of(exn)->name);
    if (detail[0] != '\0') used = append(text, sizeof text, used, ": %s", detail);
    used = append(text, sizeof text, used, "\n");
    if (cause->site != NULL) used = append_site(text, sizeof text, used, cause);
    used = append_places(text, sizeof text, used, cause);
    end_with(text, used);
}

_Noreturn void tn_returned(const struct tn_site *site) {
    char text[REPORT_BYTES];
    struct tn_cause cause = {.site = site, .reason = TN_REASON_ARITH};
    size_t used = append(text, sizeof text, 0, "a function returned that is declared `noreturn`\n");
    if (site != NULL) used = append_site(text, sizeof text, used, &cause);
    end_with(text, used);
}

_Noreturn void tn_wrong_proof(const struct tn_site *site) {
    char text[REPORT_BYTES];
    struct tn_cause cause = {.site = site, .reason = TN_REASON_ARITH};
    size_t used = append(text, sizeof text, 0, "tenure: a proof is wrong\n");
    if (site != NULL) used = append_site(text, sizeof text, used, &cause);
    (void)fflush(stdout);
    tn_os_write_error(text, used);
    tn_os_exit_now(70);
}

_Noreturn void tn_report_broken(const char *message) {
    static const char prefix[] = "tenure: ";
    tn_os_write_error(prefix, sizeof prefix - 1);
    tn_os_write_error(message, strlen(message));
    tn_os_write_error("\n", 1);
    tn_os_exit_now(70);
}
