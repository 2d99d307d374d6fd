/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Checked mode: every object on pages of its own, whose addresses are not used again. When it expires, or is freed, its
 * pages become inaccessible, so that a later access faults; the fault handler finds the record by the page's number and
 * says whose object that was. Objects that live beyond what the system's limit of mappings allows are ordinary ones,
 * which are overwritten when they are gone.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prim/memory.h"
#include "prim/watch.h"
#include "shortterm/error.h"
#include "shortterm/mode.h"

#define UNIT ((size_t)4096)
#define POISON 0xE5
#define DATED_CLOCKS 3

enum state { NEVER, LIVE, GONE };

/* A place in the program, with its name spelt out while that may be done. */
struct site {
    _Atomic(const void *) address;
    _Atomic uint64_t refreshes, unneeded;
    char name[104];
};

struct record {
    char *object;
    size_t size, bytes; /* of the object, of its pages */
    struct site *allocated, *refreshed;
    const char *clock_name;
    uint32_t extension;
    uint64_t refreshed_at, gone_at;
    struct {
        struct clock *clock;
        uint64_t date;
    } dates[DATED_CLOCKS]; /* the latest on each clock, as far as there is room */
    _Atomic uint32_t state;
    bool expired; /* by its dates, not by a free */
};

static char *arena;
static size_t arena_units;
static _Atomic size_t used_units;
static _Atomic size_t watched;   /* live objects in it */
static size_t watched_most;
static atomic_flag said_so = ATOMIC_FLAG_INIT;
static struct record **records; /* by unit: the record of the object that it belongs to */

#define SITES 4096U
static struct site sites[SITES + 1]; /* the last one stands for those that found no place */

static struct site *site_of(const void *address) {
    if (address == NULL) return &sites[SITES];
    uint32_t start = (uint32_t)(((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % SITES;
    for (uint32_t i = 0; i < SITES; i++) {
        struct site *site = &sites[(start + i) % SITES];
        const void *there = atomic_load_explicit(&site->address, memory_order_acquire);
        if (there == address) return site;
        if (there != NULL) continue;
        const void *nobody = NULL;
        if (atomic_compare_exchange_strong(&site->address, &nobody, address)) {
            tn_watch_name(address, site->name, sizeof site->name);
            return site;
        }
        if (nobody == address) return site;
    }
    return &sites[SITES];
}

static struct record *record_at(uintptr_t address) {
    uintptr_t start = (uintptr_t)arena;
    if (arena == NULL || address < start || address - start >= arena_units * UNIT) return NULL;
    return records[(address - start) / UNIT];
}

static void describe(const struct record *record, uintptr_t address, char *text, size_t size) {
    int length = snprintf(text, size, "%#zx is byte %lld of an object of %zu bytes\n  allocated at %s\n", (size_t)address,
                          (long long)((intptr_t)address - (intptr_t)record->object), record->size, record->allocated->name);
    if (length < 0 || (size_t)length >= size) return;
    text += length;
    size -= (size_t)length;
    if (!record->expired) {
        (void)snprintf(text, size, "  freed\n");
        return;
    }
    (void)snprintf(text, size, "  last refreshed at %s, extension %u, at time %llu of %s\n  expired when that clock came to %llu\n",
                   record->refreshed != NULL ? record->refreshed->name : "?", (unsigned)record->extension,
                   (unsigned long long)record->refreshed_at, record->clock_name, (unsigned long long)record->gone_at);
}

static void explain_fault(uintptr_t address) {
    const struct record *record = record_at(address);
    if (record == NULL || atomic_load(&record->state) != GONE) return;
    char text[600];
    static const char heading[] = "tenure: use after expiry: ";
    describe(record, address, text, sizeof text);
    tn_os_write_error(heading, sizeof heading - 1);
    tn_os_write_error(text, strlen(text));
}

void stm_checked_begin(void) {
    for (size_t gibibytes = 64; gibibytes > 0 && arena == NULL; gibibytes /= 4) {
        size_t bytes = gibibytes << 30;
        struct record **table = tn_os_map_sparse(bytes / UNIT * sizeof(struct record *));
        if (table == NULL) continue;
        char *space = tn_os_reserve(bytes);
        if (space == NULL) {
            tn_os_unmap(table, bytes / UNIT * sizeof(struct record *));
            continue;
        }
        records = table;
        arena_units = bytes / UNIT;
        arena = space;
    }
    /* A live object splits what surrounds it; some mappings are left for the program. */
    size_t limit = tn_os_mapping_limit();
    watched_most = limit > 8192 ? limit / 2 - 2048 : limit / 4;
    (void)snprintf(sites[SITES].name, sizeof sites[SITES].name, "a place that was not recorded");
    (void)tn_watch_faults(explain_fault);
    (void)atexit(stm_report);
}

/* Takes that many units of the arena, with `bytes` at their start for use. SIZE_MAX if that cannot be. */
static size_t take_units(size_t units, size_t bytes) {
    if (atomic_fetch_add(&watched, 1) < watched_most) {
        size_t first = atomic_fetch_add(&used_units, units);
        if (first + units <= arena_units && tn_os_open(arena + first * UNIT, bytes)) return first;
    }
    atomic_fetch_sub(&watched, 1);
    return SIZE_MAX;
}

static void *not_watched(size_t size, size_t alignment) {
    static const char text[] = "tenure: checked mode has no more pages to give: some objects are not watched\n";
    if (!atomic_flag_test_and_set(&said_so)) tn_os_write_error(text, sizeof text - 1);
    return stm_object_extended(size, alignment, true);
}

/* The end of the object is near the end of its last page, so that most overruns fault too. */
void *stm_mode_checked_malloc(size_t size, size_t alignment, const void *site) {
    if (size > OBJECT_MOST || alignment > OBJECT_MOST / 2) {
        errno = ENOMEM;
        return NULL;
    }
    size_t rounded = (size + 15) & ~(size_t)15;
    size_t bytes = (rounded + HEADER_BYTES + (alignment > 16 ? alignment : 0) + UNIT - 1) & ~(UNIT - 1);
    size_t units = bytes / UNIT + 1; /* one stays closed behind it */
    struct record *record = stm_below.allocate_zero(1, sizeof *record);
    size_t first = record != NULL ? take_units(units, bytes) : SIZE_MAX;
    if (first == SIZE_MAX) {
        stm_below.release(record);
        return not_watched(size, alignment);
    }
    char *start = arena + first * UNIT;
    uintptr_t place = (uintptr_t)start + bytes - rounded;
    char *object = start + ((place & ~(uintptr_t)(alignment - 1)) - (uintptr_t)start);
    *record = (struct record){.object = object, .size = size, .bytes = bytes, .allocated = site_of(site)};
    atomic_store(&record->state, LIVE);
    for (size_t i = 0; i < units; i++) records[first + i] = record;
    struct header *header = header_of(object);
    uint64_t owner = stm_thread.root != NULL ? stm_thread.root->owner : 0;
    memcpy(header, &owner, sizeof owner);
    atomic_store(&header->shared, SHARED_TAG | SHARED_CHECKED);
    stm_mode_allocated(header);
    return object;
}

size_t stm_mode_checked_bytes(struct header *header) { return record_at((uintptr_t)object_of(header))->size; }

void stm_mode_checked_release(struct header *header) {
    struct record *record = record_at((uintptr_t)object_of(header));
    record->gone_at = record->dates[0].clock != NULL ? record->dates[0].clock->time : 0;
    record->expired = record->refreshed != NULL;
    atomic_store(&record->state, GONE);
    char *start = arena + (size_t)((char *)header - arena) / UNIT * UNIT;
    if (!tn_os_close(start, record->bytes)) memset(record->object, POISON, record->size);
    atomic_fetch_sub(&watched, 1);
}

void stm_mode_checked_overwrite(void *object, size_t bytes) { memset(object, POISON, bytes); }

bool stm_checked_is_live(const char *function, const void *object) {
    struct record *record = record_at((uintptr_t)object);
    if (record == NULL) return true;
    char text[500];
    if (atomic_load(&record->state) == LIVE && record->object == object) return true;
    if (atomic_load(&record->state) == LIVE) {
        (void)stm_error_report(STM_NOT_AN_OBJECT, function, object, "%p points into the middle of an object", object);
        return false;
    }
    describe(record, (uintptr_t)object, text, sizeof text);
    (void)stm_error_report(STM_EXPIRED, function, object, "%s", text);
    return false;
}

void stm_checked_dated(const struct date *date, struct header *header) {
    date->clock->since_tick++;
    struct record *record = record_at((uintptr_t)object_of(header));
    if (record == NULL) return;
    struct site *site = site_of(date->site);
    atomic_fetch_add(&site->refreshes, 1);
    uint64_t wanted = date->clock->time + date->offset;
    for (int i = 0; i < DATED_CLOCKS; i++) {
        if (record->dates[i].clock == date->clock) {
            if (record->dates[i].date >= wanted) {
                atomic_fetch_add(&site->unneeded, 1);
                return;
            }
            record->dates[i].date = wanted;
            break;
        }
        if (record->dates[i].clock != NULL) continue;
        record->dates[i].clock = date->clock;
        record->dates[i].date = wanted;
        break;
    }
    record->refreshed = site;
    record->clock_name = date->clock_name;
    record->extension = (uint32_t)(date->offset);
    record->refreshed_at = date->clock->time;
}

void stm_checked_ticked(struct clock *clock) {
    if (clock->since_tick > clock->longest_period) clock->longest_period = clock->since_tick;
    clock->since_tick = 0;
}

/* A clock that never ticked, or has not for several times as many refreshes as ever before, is taken to stand. */
static bool stands(const struct clock *clock) { return clock->since_tick > 8 * clock->longest_period; }

static void report_waiting(void) {
    size_t objects = 0, bytes = 0;
    const struct record *example = NULL;
    size_t units = atomic_load(&used_units);
    for (size_t i = 0; i < units && i < arena_units; i++) {
        const struct record *record = records[i];
        if (record == NULL || (i > 0 && records[i - 1] == record) || atomic_load(&record->state) != LIVE) continue;
        if (record->refreshed == NULL || !stands(record->dates[0].clock)) continue;
        objects++;
        bytes += record->size;
        example = record;
    }
    if (objects == 0) return;
    fprintf(stderr,
            "tenure: %zu objects (%zu bytes) wait for a clock that does not advance\n  the last one was allocated at %s\n"
            "  and refreshed at %s, on %s\n",
            objects, bytes, example->allocated->name, example->refreshed->name, example->clock_name);
}

void stm_report(void) {
    if ((mode() & MODE_CHECKED) == 0) return;
    report_waiting();
    for (size_t i = 0; i <= SITES; i++) {
        uint64_t unneeded = atomic_load(&sites[i].unneeded);
        if (unneeded == 0) continue;
        fprintf(stderr, "tenure: %llu of %llu refreshes at %s were never needed: the object had a date as late on that clock\n",
                (unsigned long long)unneeded, (unsigned long long)atomic_load(&sites[i].refreshes), sites[i].name);
    }
}

void stm_mode_begin(uint32_t wanted) {
    if ((wanted & MODE_CHECKED) != 0) stm_checked_begin();
    if ((wanted & MODE_MEASURED) != 0) stm_measure_begin();
}
