/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "prim/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tenure/platform.h"

#define PATH_MOST 512
#define TEXT_MOST 4096
/* The first version writes no limit as a number near the largest. */
#define NO_LIMIT ((uint64_t)1 << 60)

static const struct version {
    const char *root;
    const char *most[2]; /* the lower of the two holds */
    const char *used;
} versions[] = {
    {"/sys/fs/cgroup", {"memory.max", "memory.high"}, "memory.current"},
    {"/sys/fs/cgroup/unified", {"memory.max", "memory.high"}, "memory.current"},
    {"/sys/fs/cgroup/memory", {"memory.limit_in_bytes", "memory.soft_limit_in_bytes"}, "memory.usage_in_bytes"},
};

static bool read_text(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, size - 1);
    if (file >= 0) (void)close(file);
    text[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

/* The number in directory/name; NO_LIMIT if there is none. */
static uint64_t read_number(const char *directory, const char *name) {
    static TN_SPARSE char path[PATH_MOST];
    char text[32];
    size_t length = strlen(directory), more = strlen(name);
    if (length + more + 2 > sizeof path) return NO_LIMIT;
    memcpy(path, directory, length);
    path[length] = '/';
    memcpy(path + length + 1, name, more + 1);
    if (!read_text(path, text, sizeof text) || text[0] < '0' || text[0] > '9') return NO_LIMIT;
    uint64_t number = 0;
    for (const char *at = text; *at >= '0' && *at <= '9'; at++) number = number * 10 + (uint64_t)(*at - '0');
    return number < NO_LIMIT ? number : NO_LIMIT;
}

static void take_group(const struct version *version, const char *directory, struct tn_limit *limit) {
    uint64_t most = NO_LIMIT;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t number = read_number(directory, version->most[i]);
        if (number != 0 && number < most) most = number;
    }
    uint64_t used = most == NO_LIMIT ? NO_LIMIT : read_number(directory, version->used);
    if (used == NO_LIMIT) return;
    /* By share: used / most > limit->used / limit->most. */
    if (limit->most == 0 || used / 4096 * (limit->most / 4096) > limit->used / 4096 * (most / 4096))
        *limit = (struct tn_limit){.most = most, .used = used};
}

/* The group and those that it is part of, up to the root that the process sees. */
static void take_groups(const struct version *version, const char *group, size_t length, struct tn_limit *limit) {
    static TN_SPARSE char directory[PATH_MOST];
    size_t root = strlen(version->root);
    if (root + length + 1 > sizeof directory) return;
    memcpy(directory, version->root, root);
    memcpy(directory + root, group, length);
    for (size_t end = root + length;; end--) {
        if (end > root && directory[end - 1] == '/') continue;
        directory[end] = '\0';
        take_group(version, directory, limit);
        while (end > root && directory[end - 1] != '/') end--;
        if (end <= root) return;
    }
}

static void take_line(const char *line, const char *end, struct tn_limit *limit) {
    const char *names = memchr(line, ':', (size_t)(end - line));
    const char *group = names == NULL ? NULL : memchr(names + 1, ':', (size_t)(end - names - 1));
    if (group == NULL) return;
    size_t names_length = (size_t)(group - names - 1);
    size_t length = (size_t)(end - group - 1);
    if (names_length == 0) {
        take_groups(&versions[0], group + 1, length, limit);
        take_groups(&versions[1], group + 1, length, limit);
    } else if (names_length >= 6 && memmem(names + 1, names_length, "memory", 6) != NULL) {
        take_groups(&versions[2], group + 1, length, limit);
    }
}

bool tn_limit_read(struct tn_limit *limit) {
    int error = errno;
    static TN_SPARSE char text[TEXT_MOST];
    *limit = (struct tn_limit){0};
    if (read_text("/proc/self/cgroup", text, sizeof text)) {
        const char *line = text, *end;
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) take_line(line, end, limit);
    }
    errno = error;
    return limit->most != 0;
}

uint64_t tn_limit_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_majflt : 0;
}
