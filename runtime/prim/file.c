/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "prim/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tenure/platform.h"

#define NAME_MOST 4096

uint64_t tn_file_process(void) { return (uint64_t)getpid(); }

static size_t add_number(char *to, uint64_t number) {
    char digits[20];
    size_t count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    for (size_t i = 0; i < count; i++) to[i] = digits[count - 1 - i];
    return count;
}

int tn_file_append(const char *name) {
    static TN_SPARSE char expanded[NAME_MOST];
    size_t used = 0;
    for (; *name != '\0' && used < sizeof expanded - 24; name++) {
        if (name[0] == '%' && name[1] == 'p') {
            used += add_number(expanded + used, tn_file_process());
            name++;
        } else {
            expanded[used++] = *name;
        }
    }
    expanded[used] = '\0';
    int error = errno;
    int file = open(expanded, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
    errno = error;
    return file;
}

void tn_file_write(int file, const char *bytes, size_t size) {
    int error = errno;
    while (size > 0) {
        ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) break;
        bytes += written;
        size -= (size_t)written;
    }
    errno = error;
}

void tn_file_copy(int file, const char *name) {
    int error = errno;
    int from = open(name, O_RDONLY | O_CLOEXEC);
    static TN_SPARSE char buffer[4096];
    ssize_t got;
    while (from >= 0 && ((got = read(from, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)))
        if (got > 0) tn_file_write(file, buffer, (size_t)got);
    if (from >= 0) (void)close(from);
    errno = error;
}

void tn_file_close(int file) {
    int error = errno;
    (void)close(file);
    errno = error;
}
