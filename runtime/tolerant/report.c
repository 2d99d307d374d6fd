/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/report.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "prim/file.h"
#include "prim/signal.h"
#include "prim/thread.h"
#include "prim/unwind.h"
#include "tolerant/cold.h"
#include "tolerant/interface.h"
#include "tolerant/option.h"
#include "tolerant/page.h"
#include "tolerant/quiet.h"
#include "tolerant/site.h"
#include "tolerant/text.h"
#include "tolerant/thread.h"

#define SECOND UINT64_C(1000000000)
#define MILLISECOND UINT64_C(1000000)
#define POINTS 256

static TN_SPARSE struct {
    uint64_t at, live, mapped, resident, swapped, cold;
} points[POINTS];
static unsigned point_count;
static uint32_t started;
static uint64_t started_milliseconds;
static uint64_t last_report;
static struct tt_survey latest;
static atomic_flag writing = ATOMIC_FLAG_INIT;
/* For who is writing, and may have little stack. */
static TN_SPARSE struct tt_text out;

void tt_report_note_time(const struct tt_survey *survey, uint64_t milliseconds) {
    latest = *survey;
    if (point_count == POINTS) {
        for (unsigned i = 0; i < POINTS / 2; i++) points[i] = points[2 * i + 1];
        point_count = POINTS / 2;
    }
    /* As with the histories of sites, the last point is of now, and none is too close to the one before. */
    bool close = point_count > 1 && points[point_count - 1].at - points[point_count - 2].at <
                                        (milliseconds - started_milliseconds) / POINTS;
    unsigned last = close ? point_count - 1 : point_count++;
    points[last].at = milliseconds;
    points[last].live = survey->bytes;
    points[last].mapped = survey->mapped_bytes;
    points[last].resident = tt_cold_now.resident_bytes;
    points[last].swapped = tt_cold_now.swapped_bytes;
    points[last].cold = tt_cold_now.cold_bytes + survey->large_cold_bytes;
}

static void line(int file, struct tt_text *text) {
    tt_text_add(text, "\n");
    tn_file_write(file, text->bytes, text->used);
    tt_text_start(text);
}

static void add_field(struct tt_text *text, const char *name, uint64_t value) {
    tt_text_add(text, " ");
    tt_text_add(text, name);
    tt_text_add(text, "=");
    tt_text_add_number(text, value);
}

/* Stands in profiles for what has no stack, the common heap: a name that a profile's reader finds. */
TT_EXPORT void tenure_common_heap(void);
void tenure_common_heap(void) {}

static void write_head(int file, const char *reason, uint32_t now) {
    tt_text_start(&out);
    tt_text_add(&out, "report 1 reason=");
    tt_text_add(&out, reason);
    add_field(&out, "process", tn_file_process());
    add_field(&out, "seconds", now - started);
    add_field(&out, "milliseconds", tn_clock_nanoseconds() / MILLISECOND - started_milliseconds);
    add_field(&out, "allocations", tt_threads_allocations());
    add_field(&out, "objects", latest.objects);
    add_field(&out, "bytes", latest.bytes);
    add_field(&out, "large-bytes", latest.large_bytes);
    add_field(&out, "common-bytes", latest.common_bytes);
    add_field(&out, "dead-bytes", latest.dead_bytes);
    add_field(&out, "mapped-bytes", latest.mapped_bytes);
    add_field(&out, "metadata-bytes", atomic_load_explicit(&tt_metadata_bytes, memory_order_relaxed));
    add_field(&out, "watched-bytes", tt_cold_now.run_bytes);
    add_field(&out, "cold-bytes", tt_cold_now.cold_bytes + latest.large_cold_bytes);
    add_field(&out, "mappings", tt_cold_now.mappings);
    add_field(&out, "contexts", tt_key_count());
    add_field(&out, "sites", tt_site_count());
    add_field(&out, "refused", tt_quiet_refused());
    add_field(&out, "common-mark", (uintptr_t)tenure_common_heap + 1);
    add_field(&out, "cold-seconds", (uint64_t)tt_option(TT_OPTION_COLD_SECONDS));
    add_field(&out, "cold-allocations", (uint64_t)tt_option(TT_OPTION_COLD_ALLOCATIONS));
    add_field(&out, "looks", tt_cold_now.looks);
    add_field(&out, "look-microseconds", tt_cold_now.nanoseconds / 1000);
    line(file, &out);
    for (unsigned i = 0; i < point_count; i++) {
        tt_text_add(&out, "time");
        add_field(&out, "at", points[i].at - started_milliseconds);
        add_field(&out, "live", points[i].live);
        add_field(&out, "mapped", points[i].mapped);
        add_field(&out, "resident", points[i].resident);
        add_field(&out, "swapped", points[i].swapped);
        add_field(&out, "cold", points[i].cold);
        line(file, &out);
    }
}

static void add_stack(struct tt_text *text, const uintptr_t *stack, unsigned frames) {
    tt_text_add(text, " stack=");
    for (unsigned i = 0; i < frames; i++) {
        if (i != 0) tt_text_add(text, ",");
        tt_text_add_hex(text, stack[i]);
    }
}

/* For whom single objects were allocated; of a site that may be named. */
static void write_witnesses(int file, const struct tt_site *site) {
    static TN_SPARSE uintptr_t stack[TT_STACK_FRAMES];
    uint32_t bytes;
    tt_text_start(&out);
    for (unsigned i = 0, frames; site->cold_bytes != 0 && (frames = tt_site_witness(site, i, stack, &bytes)) != 0; i++) {
        tt_text_add(&out, "single");
        add_field(&out, "bytes", bytes);
        add_stack(&out, stack, frames);
        line(file, &out);
    }
}

static void write_site(int file, const struct tt_site *site, uint32_t now) {
    if (site->objects == 0) return;
    tt_text_start(&out);
    tt_text_add(&out, "site");
    add_field(&out, "number", site->number);
    add_field(&out, "objects", site->objects);
    add_field(&out, "bytes", site->bytes);
    add_field(&out, "cold", site->cold_bytes);
    add_field(&out, "allocated", site->allocated);
    add_field(&out, "large-objects", site->large_objects);
    add_field(&out, "large-bytes", site->large_bytes);
    add_field(&out, "oldest", now - site->oldest);
    add_field(&out, "since", site->since - started);
    static TN_SPARSE uintptr_t stack[TT_STACK_FRAMES];
    add_stack(&out, stack, tt_site_stack(site, stack));
    line(file, &out);
    tt_text_add(&out, "history");
    for (unsigned i = 0; i < site->points; i++) {
        tt_text_add(&out, " ");
        tt_text_add_number(&out, site->history[i].at - started_milliseconds);
        tt_text_add(&out, ":");
        tt_text_add_number(&out, site->history[i].bytes);
        tt_text_add(&out, ":");
        tt_text_add_number(&out, site->history[i].allocations);
    }
    line(file, &out);
    write_witnesses(file, site);
}

void tt_report_write(const char *reason) {
    const char *name = tt_option_report();
    if (name == NULL || atomic_flag_test_and_set(&writing)) return;
    int cancel = tn_thread_cancel_off();
    int file = tn_file_append(name);
    if (file >= 0) {
        uint32_t now = tn_clock_seconds();
        write_head(file, reason, now);
        for (const struct tt_site *site = tt_sites_first(); site != NULL; site = site->older) write_site(file, site, now);
        /* What the reader needs to find names: which file was mapped where. */
        tn_file_write(file, "maps\n", 5);
        tn_file_copy(file, "/proc/self/maps");
        tn_file_write(file, "end\n", 4);
        tn_file_close(file);
    }
    tn_thread_cancel_back(cancel);
    atomic_flag_clear(&writing);
}

void tt_report_if_due(uint64_t now) {
    uint64_t every = (uint64_t)tt_option(TT_OPTION_REPORT_SECONDS) * SECOND;
    if (every == 0 || now - last_report < every) return;
    last_report = now;
    tt_report_write("time");
}

void tt_report_after_fork(void) { atomic_flag_clear(&writing); }

/* What a report needs is read without waiting for a lock. When the signal came in the middle of a look, what was known
 * before is written. */
static void on_signal(void) {
    (void)tt_cold_signalled();
    tt_report_write("signal");
}

void tt_report_start(void) {
    if (tt_option_report() == NULL) return;
    started = tn_clock_seconds();
    started_milliseconds = tn_clock_nanoseconds() / MILLISECOND;
    last_report = tn_clock_nanoseconds();
    int number = (int)tt_option(TT_OPTION_REPORT_SIGNAL);
    if (number != 0) tn_signal_install(number, on_signal);
}
