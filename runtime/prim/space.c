/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* mremap, MAP_NORESERVE, syscall */
#include "prim/space.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than some C libraries. */
#ifndef MADV_COLD
#define MADV_COLD 20
#endif
#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#if defined(TN_TEST_PAGE_SIZE) /* larger than this machine's: what is right for those is right here */
size_t tn_space_page_size(void) { return TN_TEST_PAGE_SIZE; }
#else
size_t tn_space_page_size(void) {
    static size_t size;
    size_t known = __atomic_load_n(&size, __ATOMIC_RELAXED);
    if (known == 0) {
        known = (size_t)sysconf(_SC_PAGESIZE);
        __atomic_store_n(&size, known, __ATOMIC_RELAXED);
    }
    return known;
}
#endif

#define OPEN (PROT_READ | PROT_WRITE)

static void *map(size_t size, int protection) {
    void *start = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return start == MAP_FAILED ? NULL : start;
}

static void *map_aligned(size_t size, size_t alignment, int protection) {
    int error = errno;
    unsigned char *start = map(size, protection);
    if (start != NULL && ((uintptr_t)start & (alignment - 1)) != 0) {
        (void)munmap(start, size);
        size_t wide = size + alignment;
        start = wide < size ? NULL : map(wide, protection);
        if (start != NULL) {
            size_t before = (size_t)(-(uintptr_t)start & (alignment - 1));
            if (before != 0) (void)munmap(start, before);
            start += before;
            if (alignment != before) (void)munmap(start + size, alignment - before);
        }
    }
    errno = error;
    return start;
}

static void *map_sparse(size_t size, size_t alignment, int protection) {
    int error = errno;
    unsigned char *start = map(size, protection);
    uintptr_t place = (uintptr_t)start & ~(alignment - 1);
    if (start != NULL && place != (uintptr_t)start) {
        (void)munmap(start, size);
        start = NULL;
        for (unsigned i = 0; i < 64 && start == NULL && place > alignment; i++, place -= alignment) {
            void *got = mmap((unsigned char *)place, size, protection,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
            if (got == MAP_FAILED) continue;
            if (got == (unsigned char *)place)
                start = got;
            else
                (void)munmap(got, size); /* a kernel that takes the address as a hint */
        }
    }
    errno = error;
    return start;
}

void *tn_space_map(size_t size, size_t alignment) { return map_aligned(size, alignment, OPEN); }
void *tn_space_map_sparse(size_t size, size_t alignment) { return map_sparse(size, alignment, OPEN); }
void *tn_space_reserve(size_t size, size_t alignment, bool sparse) {
    return sparse ? map_sparse(size, alignment, PROT_NONE) : map_aligned(size, alignment, PROT_NONE);
}

void *tn_space_reserve_below(const void *below, size_t size, size_t alignment) {
    int error = errno;
    uintptr_t place = ((uintptr_t)below - size) & ~(alignment - 1);
    unsigned char *got = mmap((unsigned char *)place, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = error;
    if (got != MAP_FAILED && ((uintptr_t)got & (alignment - 1)) == 0) return got;
    if (got != MAP_FAILED) (void)munmap(got, size);
    return tn_space_reserve(size, alignment, false);
}

/* Past the C library's functions of these names, in whose place an allocator may have put its own. */
static bool advise_system(void *start, size_t size, int advice) {
    return syscall(SYS_madvise, start, size, (long)advice) == 0;
}

bool tn_space_open(void *start, size_t size) {
    int error = errno;
    bool done = syscall(SYS_mprotect, start, size, (long)OPEN) == 0;
    errno = error;
    return done;
}

bool tn_space_close(void *start, size_t size) {
    int error = errno;
    bool done = syscall(SYS_mprotect, start, size, (long)PROT_NONE) == 0;
    errno = error;
    return done;
}

bool tn_space_unmap(void *start, size_t size) {
    int error = errno;
    bool done = munmap(start, size) == 0;
    /* A hole in a mapping makes two of it, of which the process may have too many. */
    if (!done) (void)advise_system(start, size, MADV_DONTNEED);
    errno = error;
    return done;
}

void *tn_space_resize(void *start, size_t old_size, size_t new_size, bool move) {
    int error = errno;
    void *now = mremap(start, old_size, new_size, move ? MREMAP_MAYMOVE : 0);
    errno = error;
    return now == MAP_FAILED ? NULL : now;
}

bool tn_space_move(void *start, size_t size, void *to) {
    int error = errno;
    void *now = mremap(start, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to);
    errno = error;
    return now != MAP_FAILED;
}

bool tn_space_renew(void *start, size_t size) {
    int error = errno;
    void *now = mmap(start, size, OPEN, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    errno = error;
    return now != MAP_FAILED;
}

static bool advise(void *start, size_t size, int advice) {
    size_t page = tn_space_page_size();
    uintptr_t low = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t high = ((uintptr_t)start + size) & ~(page - 1);
    if (low >= high) return true;
    int error = errno;
    bool done = advise_system((void *)low, high - low, advice);
    errno = error;
    return done;
}

void tn_space_keep_small(void *start, size_t size) { (void)advise(start, size, MADV_NOHUGEPAGE); }
void tn_space_populate(void *start, size_t size) { (void)advise(start, size, MADV_POPULATE_WRITE); }
bool tn_space_discard(void *start, size_t size) { return advise(start, size, MADV_DONTNEED); }
bool tn_space_cold(void *start, size_t size) { return advise(start, size, MADV_COLD); }
bool tn_space_page_out(void *start, size_t size) { return advise(start, size, MADV_PAGEOUT); }

bool tn_space_part(void *start, size_t size, enum tn_space_part part) {
    /* The kernel joins mappings that lie side by side and have the same flags. These change little for ranges that are
     * smaller than a huge page. */
    return advise(start, size, part == TN_SPACE_PART ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}
