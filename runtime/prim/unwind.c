/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* dl_iterate_phdr, syscall */
#include "prim/unwind.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

struct walk {
    uintptr_t from;
    uintptr_t *addresses;
    unsigned count, most, skipped;
    bool found;
};

/* More frames than any chain inside the runtime has. */
#define FRAMES_SKIPPED_MOST 16

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data) {
    struct walk *walk = data;
    uintptr_t address = (uintptr_t)_Unwind_GetIP(context);
    if (address == 0) return _URC_END_OF_STACK;
    if (!walk->found) {
        if (address != walk->from) return ++walk->skipped > FRAMES_SKIPPED_MOST ? _URC_END_OF_STACK : _URC_NO_REASON;
        walk->found = true;
    }
    walk->addresses[walk->count++] = address;
    return walk->count == walk->most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

#if !defined(__GLIBC__)
/* An unwinder that was built for glibc, and is used by a compiler for another C library, asks glibc for an object's
 * table of frames (the GNU C library's manual, "Dynamic Linker Introspection"). It is found here by ISO C's and System
 * V's means. Hidden: no other object is to find it. */
struct dl_find_object {
    unsigned long long flags;
    void *map_start, *map_end;
    void *link_map;
    void *eh_frame;
    unsigned long long reserved[7];
};
__attribute__((visibility("hidden"))) int _dl_find_object(void *address, struct dl_find_object *result);

struct search {
    uintptr_t address;
    struct dl_find_object *result;
};

static int search_object(struct dl_phdr_info *object, size_t size, void *context) {
    struct search *search = context;
    uintptr_t frames = 0, start = 0, end = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t at = (uintptr_t)object->dlpi_addr + (uintptr_t)object->dlpi_phdr[i].p_vaddr;
        if (object->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) frames = at;
        if (object->dlpi_phdr[i].p_type != PT_LOAD || search->address < at) continue;
        if (search->address - at >= object->dlpi_phdr[i].p_memsz) continue;
        start = at;
        end = at + object->dlpi_phdr[i].p_memsz;
    }
    if (start == 0 || frames == 0) return 0;
    *search->result = (struct dl_find_object){
        .map_start = (unsigned char *)start, .map_end = (unsigned char *)end, .eh_frame = (unsigned char *)frames};
    return 1;
}

int _dl_find_object(void *address, struct dl_find_object *result) {
    struct search search = {(uintptr_t)address, result};
    return dl_iterate_phdr(search_object, &search) == 1 ? 0 : -1;
}

/* Programs that such a compiler links may lack the table of frames, also of this file: nothing can be unwound there,
 * and the unwinder ends the process. */
static bool can_unwind(void) {
    static _Atomic signed char known;
    signed char can = known;
    struct dl_find_object found;
    if (can == 0) known = can = _dl_find_object((void *)(uintptr_t)tn_unwind, &found) == 0 ? 1 : -1;
    return can > 0;
}
#else
static bool can_unwind(void) { return true; }
#endif

unsigned tn_unwind(uintptr_t from, uintptr_t *addresses, unsigned most) {
    struct walk walk = {.from = from, .addresses = addresses, .most = most};
    if (can_unwind()) (void)_Unwind_Backtrace(step, &walk);
    if (walk.count == 0) {
        addresses[0] = from;
        return 1;
    }
    return walk.count;
}

uint64_t tn_clock_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t tn_clock_thread_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

uint64_t tn_clock_process_nanoseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

#ifndef CLOCK_MONOTONIC_COARSE
#define CLOCK_MONOTONIC_COARSE CLOCK_MONOTONIC
#endif

uint64_t tn_clock_coarse_milliseconds(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint32_t tn_clock_seconds(void) { return (uint32_t)(tn_clock_coarse_milliseconds() / 1000); }

#define PAUSE_NANOSECONDS 50000

/* A thread that only yielded could keep one of lower priority from what it waits for; and the C library's functions
 * that sleep are points at which a thread may be cancelled. */
void tn_clock_pause(void) {
    struct timespec pause = {.tv_nsec = PAUSE_NANOSECONDS};
    int error = errno;
    (void)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &pause, NULL);
    errno = error;
}
