/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Statistics under our names and under the C library's.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "prim/unwind.h"
#include "tenure/tolerant.h"
#include "tolerant/aging.h"
#include "tolerant/cold.h"
#include "tolerant/compact.h"
#include "tolerant/blank.h"
#include "tolerant/contents.h"
#include "tolerant/interface.h"
#include "tolerant/large.h"
#include "tolerant/page.h"
#include "tolerant/report.h"
#include "tolerant/site.h"
#include "tolerant/survey.h"
#include "tolerant/thread.h"

#if defined(__GLIBC__)
TT_EXPORT struct mallinfo TT_NAME(mallinfo)(void);
TT_EXPORT struct mallinfo2 TT_NAME(mallinfo2)(void);
#endif
TT_EXPORT int TT_NAME(malloc_info)(int options, FILE *to);
TT_EXPORT void TT_NAME(malloc_stats)(void);
TT_EXPORT int TT_NAME(malloc_trim)(size_t kept);
TT_EXPORT int TT_NAME(mallopt)(int parameter, int value);

/* All but what only the kernel knows. */
static void count(struct tn_tolerant_statistics *statistics) {
    struct tt_survey survey;
    tt_survey_count(&survey);
    *statistics = (struct tn_tolerant_statistics){
        .live_objects = survey.objects,
        .live_bytes = survey.bytes,
        .large_bytes = survey.large_bytes,
        .common_bytes = survey.common_bytes,
        .dead_bytes = survey.dead_bytes,
        .mapped_bytes = survey.mapped_bytes,
        .resident_bytes = tt_cold_now.resident_bytes,
        .swapped_bytes = tt_cold_now.swapped_bytes,
        .metadata_bytes = atomic_load_explicit(&tt_metadata_bytes, memory_order_relaxed),
        .watched_bytes = tt_cold_now.run_bytes,
        .cold_bytes = tt_cold_now.cold_bytes,
        .shared_bytes = tt_compact_shared_bytes(),
        .released_bytes = tt_contents_released_bytes() + tt_blank_released_bytes(),
        .look_nanoseconds = tt_cold_now.nanoseconds,
        .longest_look_nanoseconds = tt_cold_now.longest,
        .process_nanoseconds = tn_clock_process_nanoseconds(),
        .active_runs = tt_aging_now.active,
        .inactive_runs = tt_aging_now.inactive,
        .inactive_runs_most = tt_aging_now.target,
        .looks = tt_cold_now.looks,
        .contexts = tt_key_count(),
        .sites = tt_site_count(),
        .mappings = tt_cold_now.mappings,
        .own_mappings = tt_cold_now.own_mappings,
        .mappings_most = (uint32_t)tt_cold_now.mappings_most,
    };
}

/* The caller's structure may be that of an older or a newer header. */
static void tell(struct tn_tolerant_statistics *statistics, size_t size, const struct tn_tolerant_statistics *now) {
    size_t known = size < sizeof *now ? size : sizeof *now;
    memcpy(statistics, now, known);
    memset((unsigned char *)statistics + known, 0, size - known);
}

TT_EXPORT void tn_tolerant_statistics(struct tn_tolerant_statistics *statistics, size_t size) {
    struct tn_tolerant_statistics now;
    count(&now);
    struct tt_frames frames;
    if (tt_cold_measure(&frames)) {
        now.resident_bytes = frames.resident;
        now.swapped_bytes = frames.swapped;
    }
    tell(statistics, size, &now);
}

TT_EXPORT void tn_tolerant_thread_statistics(struct tn_tolerant_statistics *statistics, size_t size) {
    struct tt_survey survey;
    tt_survey_thread(&survey, tt_self);
    struct tn_tolerant_statistics now = {
        .live_objects = survey.objects,
        .live_bytes = survey.bytes,
        .common_bytes = survey.common_bytes,
        .dead_bytes = survey.dead_bytes,
    };
    tell(statistics, size, &now);
}

TT_EXPORT int tn_tolerant_look(void) { return tt_cold_look(); }
TT_EXPORT void tn_tolerant_report(void) {
    (void)tt_cold_look();
    tt_report_write("call");
}

#if defined(__GLIBC__) /* others have no such structures */
/* In the C library's terms: arenas are segments, mapped blocks are large objects with mappings of their own. */
struct mallinfo2 TT_NAME(mallinfo2)(void) {
    struct tn_tolerant_statistics now;
    count(&now);
    size_t mapped = atomic_load_explicit(&tt_pages_now.large, memory_order_relaxed);
    struct mallinfo2 info = {0};
    info.arena = atomic_load_explicit(&tt_pages_now.used, memory_order_relaxed) +
                 atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed);
    info.hblks = atomic_load_explicit(&tt_large_mapped_count, memory_order_relaxed);
    info.hblkhd = mapped;
    info.uordblks = (size_t)now.live_bytes - mapped;
    info.fordblks = info.arena > info.uordblks ? info.arena - info.uordblks : 0;
    info.keepcost = atomic_load_explicit(&tt_pages_now.dirty, memory_order_relaxed);
    return info;
}

static int clipped(size_t value) { return value > INT32_MAX ? INT32_MAX : (int)value; }

struct mallinfo TT_NAME(mallinfo)(void) {
    struct mallinfo2 wide = TT_NAME(mallinfo2)();
    struct mallinfo info = {0};
    info.arena = clipped(wide.arena);
    info.hblks = clipped(wide.hblks);
    info.hblkhd = clipped(wide.hblkhd);
    info.uordblks = clipped(wide.uordblks);
    info.fordblks = clipped(wide.fordblks);
    info.keepcost = clipped(wide.keepcost);
    return info;
}

#endif

int TT_NAME(malloc_info)(int options, FILE *to) {
    if (options != 0) return -1;
    struct tn_tolerant_statistics now;
    count(&now);
    int written = fprintf(to,
                          "<malloc version=\"tenure-tolerant-1\">\n<total type=\"live\" count=\"%llu\" size=\"%llu\"/>\n"
                          "<total type=\"rest\" size=\"%llu\"/>\n<total type=\"large\" size=\"%llu\"/>\n"
                          "<system type=\"current\" size=\"%llu\"/>\n</malloc>\n",
                          (unsigned long long)now.live_objects, (unsigned long long)now.live_bytes,
                          (unsigned long long)now.dead_bytes, (unsigned long long)now.large_bytes,
                          (unsigned long long)now.mapped_bytes);
    return written < 0 ? -1 : 0;
}

void TT_NAME(malloc_stats)(void) {
    struct tn_tolerant_statistics now;
    count(&now);
    fprintf(stderr, "live %llu bytes in %llu objects, dead %llu, address space %llu, cold %llu, sites %u\n",
            (unsigned long long)now.live_bytes, (unsigned long long)now.live_objects,
            (unsigned long long)now.dead_bytes, (unsigned long long)now.mapped_bytes,
            (unsigned long long)now.cold_bytes, now.sites);
}

int TT_NAME(malloc_trim)(size_t kept) {
    (void)kept;
    tt_threads_leave_idle();
    size_t given = tt_large_trim(SIZE_MAX);
    given += tt_pages_trim(true);
    return given != 0;
}

/* No parameter of the C library's malloc has a meaning here; a program that sets one is told that all is well. */
int TT_NAME(mallopt)(int parameter, int value) {
    (void)parameter, (void)value;
    return 1;
}
