/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *array, size_t count, size_t size) {
    if ((count & (count - 1)) != 0) return array;
    void *wider = realloc(array, (count == 0 ? 1 : 2 * count) * size);
    if (wider == NULL) {
        fputs("tenure-tolerate: out of memory\n", stderr);
        exit(1);
    }
    return wider;
}

/* The number after name= in the line; 0 if it is not there. */
static uint64_t field(const char *line, const char *name) {
    char wanted[40];
    snprintf(wanted, sizeof wanted, " %s=", name);
    const char *at = strstr(line, wanted);
    return at == NULL ? 0 : strtoull(at + strlen(wanted), NULL, 10);
}

static void read_stack(struct site *site, const char *line) {
    const char *at = strstr(line, " stack=");
    if (at == NULL) return;
    at += strlen(" stack=");
    while (site->frame_count < FRAMES_MOST) {
        char *rest;
        uint64_t address = strtoull(at, &rest, 16);
        if (rest == at) break;
        site->frames[site->frame_count++].address = address;
        if (*rest != ',') break;
        at = rest + 1;
    }
}

static void read_site(struct report *report, const char *line) {
    report->sites = grow(report->sites, report->site_count, sizeof *report->sites);
    struct site *site = &report->sites[report->site_count++];
    *site = (struct site){
        .number = field(line, "number"),
        .objects = field(line, "objects"),
        .bytes = field(line, "bytes"),
        .cold = field(line, "cold"),
        .allocated = field(line, "allocated"),
        .oldest = field(line, "oldest"),
        .since = field(line, "since"),
        .large_objects = field(line, "large-objects"),
        .large_bytes = field(line, "large-bytes"),
    };
    /* Threads that ran while they were counted allocated meanwhile. */
    if (site->allocated < site->objects) site->allocated = site->objects;
    read_stack(site, line);
}

static void read_single(struct site *site, const char *line) {
    site->singles = grow(site->singles, site->single_count, sizeof *site->singles);
    struct site *single = &site->singles[site->single_count++];
    *single = (struct site){.objects = 1, .bytes = field(line, "bytes")};
    read_stack(single, line);
}

static void read_history(struct site *site, const char *line) {
    const char *at = line + strlen("history");
    while (site->history_count < HISTORY_MOST) {
        char *rest;
        uint64_t when = strtoull(at, &rest, 10);
        if (rest == at || *rest != ':') break;
        site->history[site->history_count].at = when;
        site->history[site->history_count].bytes = strtoull(rest + 1, &rest, 10);
        if (*rest != ':') break;
        site->history[site->history_count++].allocations = strtoull(rest + 1, &rest, 10);
        at = rest;
    }
}

static void read_moment(struct report *report, const char *line) {
    report->moments = grow(report->moments, report->moment_count, sizeof *report->moments);
    report->moments[report->moment_count++] = (struct moment){
        field(line, "at"),       field(line, "live"),    field(line, "mapped"),
        field(line, "resident"), field(line, "swapped"), field(line, "cold"),
    };
}

static void release(struct report *report) {
    for (size_t i = 0; i < report->site_count; i++) free(report->sites[i].singles);
    free(report->sites);
    free(report->moments);
    free(report->maps);
    free(report->head);
    *report = (struct report){0};
}

static void read_maps(struct report *report, FILE *from) {
    char *line = NULL;
    size_t size = 0, used = 0, room = 0;
    while (getline(&line, &size, from) >= 0 && strcmp(line, "end\n") != 0) {
        size_t length = strlen(line);
        while (used + length + 1 > room) {
            room = room == 0 ? 4096 : 2 * room;
            report->maps = realloc(report->maps, room);
            if (report->maps == NULL) abort();
        }
        memcpy(report->maps + used, line, length + 1);
        used += length;
    }
    free(line);
}

static bool read_one(FILE *from, char **line, size_t *size, struct report *report) {
    if (strncmp(*line, "report 1 ", 9) != 0) return false;
    report->head = strdup(*line + 9);
    report->seconds = field(*line, "seconds");
    report->allocations = field(*line, "allocations");
    report->objects = field(*line, "objects");
    report->bytes = field(*line, "bytes");
    report->cold_bytes = field(*line, "cold-bytes");
    report->process = field(*line, "process");
    report->refused = field(*line, "refused");
    report->milliseconds = field(*line, "milliseconds");
    report->looks = field(*line, "looks");
    report->cold_seconds = field(*line, "cold-seconds");
    report->cold_allocations = field(*line, "cold-allocations");
    report->common_mark = field(*line, "common-mark");
    while (getline(line, size, from) >= 0) {
        if (strncmp(*line, "time ", 5) == 0) read_moment(report, *line);
        if (strncmp(*line, "site ", 5) == 0) read_site(report, *line);
        if (strncmp(*line, "history", 7) == 0 && report->site_count > 0)
            read_history(&report->sites[report->site_count - 1], *line);
        if (strncmp(*line, "single ", 7) == 0 && report->site_count > 0)
            read_single(&report->sites[report->site_count - 1], *line);
        if (strcmp(*line, "maps\n") == 0) {
            read_maps(report, from);
            return true;
        }
    }
    return true;
}

/* The most that the site had from then to then; where the history has a hole there, what it had next. */
static uint64_t most_between(const struct site *site, uint64_t from, uint64_t to) {
    uint64_t found = 0;
    for (size_t i = 0; i < site->history_count; i++) {
        if (site->history[i].allocations < from) continue;
        if (site->history[i].allocations > to && found != 0) break;
        if (site->history[i].bytes > found) found = site->history[i].bytes;
        if (site->history[i].allocations > to) break;
    }
    return found;
}

static uint64_t least_since(const struct site *site, uint64_t from) {
    uint64_t found = site->bytes;
    for (size_t i = 0; i < site->history_count; i++)
        if (site->history[i].allocations >= from && site->history[i].bytes < found) found = site->history[i].bytes;
    return found;
}

/* So many blocks of a megabyte or more count as many objects do: a program that has an allocator of its own asks for
 * them. */
#define BLOCKS_LEAST 4

/* A site leaks, as far as can be told from outside: a tenth of its bytes or more are cold, and after the program's
 * first quarter, in which it may build what it keeps, the site never came back to what it had then. Time is counted in
 * allocations (papers/004…, §3.2): how busy the machine was makes no difference. */
static bool site_leaks(const struct site *site, uint64_t whole) {
    bool blocks = site->large_objects >= BLOCKS_LEAST && site->large_bytes >= site->large_objects << 20;
    if ((site->objects < 64 && !blocks) || site->cold * 10 < site->bytes || site->history_count < 4) return false;
    uint64_t early = most_between(site, whole / 4, whole / 2);
    uint64_t late = least_since(site, whole - whole / 4);
    return late > early + early / 50 && site->bytes > early + early / 20;
}

uint64_t report_last_look(const struct report *report) {
    uint64_t last = 0;
    for (size_t i = 0; i < report->site_count; i++) {
        const struct site *site = &report->sites[i];
        uint64_t at = site->history_count == 0 ? 0 : site->history[site->history_count - 1].allocations;
        if (at > last) last = at;
    }
    return last;
}

static int by_suspicion(const void *a, const void *b) {
    const struct site *x = a, *y = b;
    if (x->leak != y->leak) return x->leak ? -1 : 1;
    if (x->cold != y->cold) return x->cold > y->cold ? -1 : 1;
    return x->bytes > y->bytes ? -1 : x->bytes < y->bytes;
}

bool report_read(const char *name, struct report *report) {
    FILE *from = strcmp(name, "-") == 0 ? stdin : fopen(name, "r");
    if (from == NULL) {
        fprintf(stderr, "tenure-tolerate: %s: %s\n", name, strerror(errno));
        return false;
    }
    *report = (struct report){0};
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, from) >= 0) {
        struct report next = {0};
        if (!read_one(from, &line, &size, &next)) continue;
        if (report->head == NULL || next.process == report->process || next.bytes >= report->bytes) {
            release(report);
            *report = next;
        } else {
            release(&next);
        }
    }
    free(line);
    if (from != stdin) fclose(from);
    if (report->head == NULL) {
        fprintf(stderr, "tenure-tolerate: %s: there is no report in it\n", name);
        return false;
    }
    return true;
}

void report_judge(struct report *report) {
    uint64_t whole = report_last_look(report);
    for (size_t i = 0; i < report->site_count; i++) report->sites[i].leak = site_leaks(&report->sites[i], whole);
    if (report->site_count > 0) qsort(report->sites, report->site_count, sizeof *report->sites, by_suspicion);
}
