/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "prim/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* What the kernel says: nothing, or how many filters, one if it does not count them. It cannot be asked while the
 * process, or the system, has no more descriptors. */
enum { UNKNOWN = -1, NOT_NOW = -2 };
static int at_start;
static atomic_bool entered;

struct filters {
    int mode, count;
};

static void take_line(const char *line, struct filters *filters) {
    static const char mode[] = "Seccomp:\t", count[] = "Seccomp_filters:\t";
    int *value = NULL;
    const char *digit = line;
    if (strncmp(line, mode, sizeof mode - 1) == 0) value = &filters->mode, digit += sizeof mode - 1;
    if (strncmp(line, count, sizeof count - 1) == 0) value = &filters->count, digit += sizeof count - 1;
    if (value == NULL) return;
    for (*value = 0; *digit >= '0' && *digit <= '9'; digit++) *value = *value * 10 + (*digit - '0');
}

static int filters(void) {
    char text[128], line[32];
    size_t length = 0;
    struct filters filters = {UNKNOWN, UNKNOWN};
    int error = errno, file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    for (ssize_t got; file >= 0 && (got = read(file, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < got; i++) {
            if (text[i] != '\n' && length < sizeof line - 1) line[length++] = text[i];
            if (text[i] != '\n') continue;
            line[length] = '\0';
            take_line(line, &filters);
            length = 0;
        }
    bool full = file < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM);
    if (file >= 0) (void)close(file);
    errno = error;
    if (full) return NOT_NOW;
    return filters.mode <= 0 ? filters.mode : filters.count > 0 ? filters.count : 1;
}

void tn_sandbox_start(void) {
    int now = filters();
    at_start = now == NOT_NOW ? 0 : now;
}

bool tn_sandbox_inherited(void) { return at_start > 0; }

void tn_sandbox_expect(void) { atomic_store_explicit(&entered, true, memory_order_relaxed); }

bool tn_sandbox_expected(void) { return atomic_load_explicit(&entered, memory_order_relaxed); }

bool tn_sandbox_entered(void) {
    if (tn_sandbox_expected()) return true;
    int now = filters();
    if (now == NOT_NOW) return true;
    if (now != UNKNOWN && now <= at_start) return false;
    /* A kernel without filters says nothing of them, and one that says nothing any more has one. */
    if (now == UNKNOWN && at_start == UNKNOWN) return false;
    tn_sandbox_expect();
    return true;
}
