/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "prim/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void *tn_os_map(size_t size) {
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

void tn_os_unmap(void *start, size_t size) { (void)munmap(start, size); }

size_t tn_os_usable_size(void *storage) { return malloc_usable_size(storage); }

_Noreturn void tn_os_exit_now(int status) { _exit(status); }

void tn_os_write_error(const char *text, size_t size) {
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, text, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        size -= (size_t)written;
    }
}

void *tn_os_reserve(size_t size) {
    void *start = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

void *tn_os_map_sparse(size_t size) {
    void *start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

size_t tn_os_mapping_limit(void) {
    int file = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
    if (file < 0) return SIZE_MAX;
    char text[24];
    ssize_t length = read(file, text, sizeof text);
    (void)close(file);
    size_t limit = 0;
    for (ssize_t i = 0; i < length && text[i] >= '0' && text[i] <= '9'; i++) limit = limit * 10 + (size_t)(text[i] - '0');
    return limit > 0 ? limit : SIZE_MAX;
}

bool tn_os_open(void *start, size_t size) { return mprotect(start, size, PROT_READ | PROT_WRITE) == 0; }

bool tn_os_close(void *start, size_t size) {
    (void)madvise(start, size, MADV_DONTNEED);
    return mprotect(start, size, PROT_NONE) == 0;
}
