/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include "prim/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "prim/sandbox.h"
#include "tenure/platform.h"

/* Where the process has closed its standard files, other threads may write to their numbers all the same. */
static int above_standard_files(int file) {
    if (file < 0 || file > STDERR_FILENO) return file;
    int above = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(file);
    return above;
}

int tn_frames_open(size_t size, unsigned char **view) {
    int error = errno;
    struct rlimit most;
    int file = -1;
    /* Beyond this limit the kernel would send a signal. */
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && (most.rlim_cur == RLIM_INFINITY || most.rlim_cur >= size))
        file = above_standard_files(memfd_create(TN_FRAMES_NAME, MFD_CLOEXEC));
    if (file >= 0) {
        void *start = MAP_FAILED;
        if (ftruncate(file, (off_t)size) == 0) start = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (start != MAP_FAILED) {
            *view = start;
            /* A child that is forked without the C library's knowledge does not get the view. */
            (void)madvise(start, size, MADV_DONTFORK);
        } else {
            (void)close(file);
            file = -1;
        }
    }
    errno = error;
    return file;
}

static bool map_fixed(void *place, size_t size, int flags, int file) {
    int error = errno;
    bool done = mmap(place, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | flags, file, 0) != MAP_FAILED;
    errno = error;
    return done;
}

bool tn_frames_show(int frames, void *place, size_t size) { return map_fixed(place, size, MAP_NORESERVE, frames); }
bool tn_frames_forget(void *place, size_t size) { return map_fixed(place, size, MAP_ANONYMOUS | MAP_NORESERVE, -1); }

void tn_frames_close(int frames, unsigned char *view, size_t size) {
    int error = errno;
    (void)munmap(view, size);
    (void)close(frames);
    errno = error;
}

int tn_frames_map_open(void) {
#if defined(TN_TEST_PAGE_SIZE)
    return -1;
#endif
    int error = errno;
    int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    errno = error;
    return map;
}

void tn_frames_map_close(int map) {
    int error = errno;
    if (map >= 0) (void)close(map);
    errno = error;
}

void tn_frames_map_read(int map, const void *start, size_t count, unsigned char *flags) {
    int error = errno;
    static TN_SPARSE uint64_t entries[256];
    uint64_t first = (uintptr_t)start / (uintptr_t)sysconf(_SC_PAGESIZE);
    while (count > 0) {
        size_t some = count < 256 ? count : 256, bytes = some * sizeof entries[0];
        bool known = map >= 0 && pread(map, entries, bytes, (off_t)(first * sizeof entries[0])) == (ssize_t)bytes;
        for (size_t i = 0; i < some; i++) {
            bool present = !known || (entries[i] >> 63 & 1) != 0, swapped = known && (entries[i] >> 62 & 1) != 0;
            *flags++ = (unsigned char)((present ? TN_FRAME_PRESENT : 0) | (swapped ? TN_FRAME_SWAPPED : 0));
        }
        first += some;
        count -= some;
    }
    errno = error;
}

static bool read_own_file(const void *from, void *to, size_t size) {
    int file = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    bool done = file >= 0 && pread(file, to, size, (off_t)(uintptr_t)from) == (ssize_t)size;
    if (file >= 0) (void)close(file);
    return done;
}

/* The call is one that debuggers make: filters that end who calls it are common. */
bool tn_frames_read(const void *from, void *to, size_t size) {
    struct iovec there = {(void *)(uintptr_t)from, size}, here = {to, size};
    int error = errno;
    bool done = tn_sandbox_inherited()
                    ? read_own_file(from, to, size)
                    : syscall(SYS_process_vm_readv, (long)getpid(), &here, 1UL, &there, 1UL, 0UL) == (long)size;
    errno = error;
    return done;
}

bool tn_frames_copy(const void *from, void *to, size_t size) {
    if (tn_frames_read(from, to, size)) return true;
    char one = 1, other = 0;
    if (tn_frames_read(&one, &other, 1)) return false;
    memcpy(to, from, size);
    return true;
}

struct entry { /* of getdents64 */
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    unsigned char type;
    char name[];
};

/* Calls each(directory, name) for the entries that are numbers, until it returns false; false if one did, or the
 * directory cannot be read. Adds their number to *count. */
static bool each_number(const char *name, bool (*each)(int directory, const char *name), size_t *count) {
    int directory = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return false;
    static TN_SPARSE _Alignas(struct entry) char buffer[2048];
    bool good = true;
    long got;
    while (good && (got = syscall(SYS_getdents64, directory, buffer, sizeof buffer)) > 0)
        for (long at = 0; good && at < got;) {
            const struct entry *entry = (const struct entry *)(const void *)(buffer + at);
            at += entry->length;
            if (entry->name[0] < '0' || entry->name[0] > '9') continue;
            good = each(directory, entry->name);
            ++*count;
        }
    (void)close(directory);
    return good && got == 0;
}

static bool is_no_queue(int directory, const char *name) {
    char target[64];
    ssize_t length = readlinkat(directory, name, target, sizeof target - 1);
    if (length < 0) return errno == ENOENT;
    target[length] = '\0';
    static const char *const queues[] = {"io_uring", "infiniband", "vfio", "/dev/nvidia", "/dev/dri/", "/dev/kfd"};
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++)
        if (strstr(target, queues[i]) != NULL) return false;
    return true;
}

static bool is_no_direct_file(int directory, const char *name) {
    int file = 0;
    for (const char *digit = name; *digit >= '0' && *digit <= '9'; digit++) file = file * 10 + (*digit - '0');
    int flags = fcntl(file, F_GETFL);
    return (flags < 0 || (flags & O_DIRECT) == 0) && is_no_queue(directory, name);
}

bool tn_frames_quiet(size_t *files) {
    int error = errno;
    bool quiet = each_number("/proc/self/fd", is_no_direct_file, files);
    errno = error;
    return quiet;
}
