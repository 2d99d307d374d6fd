/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* syscall */
#include "prim/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's interface, as userfaultfd(2) and membarrier(2) describe it; its own headers may be older than it, or not
 * there. */
struct uffdio_api {
    uint64_t api, features, ioctls;
};
struct uffdio_range {
    uint64_t start, len;
};
struct uffdio_register {
    struct uffdio_range range;
    uint64_t mode, ioctls;
};
struct uffdio_writeprotect {
    struct uffdio_range range;
    uint64_t mode;
};
#define UFFD_API 0xAA
#define USERFAULTFD_IOC_NEW _IO(UFFD_API, 0x00)
#define UFFDIO_API _IOWR(UFFD_API, 0x3F, struct uffdio_api)
#define UFFDIO_REGISTER _IOWR(UFFD_API, 0x00, struct uffdio_register)
#define UFFDIO_UNREGISTER _IOR(UFFD_API, 0x01, struct uffdio_range)
#define UFFDIO_WAKE _IOR(UFFD_API, 0x02, struct uffdio_range)
#define UFFDIO_WRITEPROTECT _IOWR(UFFD_API, 0x06, struct uffdio_writeprotect)
#define UFFDIO_REGISTER_MODE_WP ((uint64_t)1 << 1)
#define UFFDIO_WRITEPROTECT_MODE_WP ((uint64_t)1 << 0)
#define FEATURE_WRITES ((uint64_t)1 << 0)
#define FEATURE_SHARED ((uint64_t)1 << 12)      /* private views of shared frames */
#define FEATURE_UNPOPULATED ((uint64_t)1 << 13) /* pages without a frame are held too */
#define MEMBARRIER_PRIVATE ((uint64_t)1 << 3)
#define MEMBARRIER_REGISTER_PRIVATE ((uint64_t)1 << 4)

/* C libraries do not agree on the type of the request. */
static bool request(int hold, unsigned long what, void *with) {
    return syscall(SYS_ioctl, hold, what, with) == 0;
}

/* Who has not the rights for the call may have been given the device. */
static int new_descriptor(void) {
    int hold = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    if (hold >= 0 || errno != EPERM) return hold;
    int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    if (device < 0) return -1;
    hold = (int)syscall(SYS_ioctl, device, USERFAULTFD_IOC_NEW, O_CLOEXEC | O_NONBLOCK);
    (void)close(device);
    return hold;
}

int tn_hold_open(void) {
    int error = errno;
    int hold = new_descriptor();
    struct uffdio_api api = {.api = UFFD_API,
                             .features = FEATURE_WRITES | FEATURE_UNPOPULATED | FEATURE_SHARED};
    bool good = hold >= 0 && request(hold, UFFDIO_API, &api) &&
                syscall(SYS_membarrier, MEMBARRIER_REGISTER_PRIVATE, 0, 0) == 0;
    if (hold >= 0 && !good) (void)close(hold);
    errno = error;
    return good ? hold : -1;
}

static bool protect(int hold, void *start, size_t size, bool on) {
    struct uffdio_writeprotect change = {.range = {.start = (uintptr_t)start, .len = size},
                                         .mode = on ? UFFDIO_WRITEPROTECT_MODE_WP : 0};
    return request(hold, UFFDIO_WRITEPROTECT, &change);
}

bool tn_hold_range(int hold, void *start, size_t size) {
    int error = errno;
    struct uffdio_register range = {.range = {.start = (uintptr_t)start, .len = size},
                                    .mode = UFFDIO_REGISTER_MODE_WP};
    bool held = request(hold, UFFDIO_REGISTER, &range) && protect(hold, start, size, true);
    if (!held) tn_hold_release(hold, start, size);
    errno = error;
    return held;
}

bool tn_hold_settle(void) {
    int error = errno;
    bool done = syscall(SYS_membarrier, MEMBARRIER_PRIVATE, 0, 0) == 0;
    errno = error;
    return done;
}

void tn_hold_release(int hold, void *start, size_t size) {
    int error = errno;
    struct uffdio_range range = {.start = (uintptr_t)start, .len = size};
    (void)protect(hold, start, size, false);
    (void)request(hold, UFFDIO_UNREGISTER, &range);
    /* Who waited for what another mapping has replaced is not told by the calls above. */
    (void)request(hold, UFFDIO_WAKE, &range);
    errno = error;
}

void tn_hold_close(int hold) {
    int error = errno;
    (void)close(hold);
    errno = error;
}
