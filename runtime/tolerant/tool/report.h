/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A report as the library wrote it, read back.
 */
#ifndef TENURE_TOLERATE_REPORT_H
#define TENURE_TOLERATE_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define FRAMES_MOST 96 /* inlined calls among them */
#define HISTORY_MOST 64
#define BESIDE_SHOWN 8

struct frame {
    uint64_t address;
    char *function, *file; /* NULL: not known */
    char *module;
    uint64_t offset; /* in the module */
    uint64_t given;  /* by its type the function returns objects of so many bytes or more to its caller; 0: none */
    int line;
};

struct site {
    uint64_t number, objects, bytes, cold, allocated, oldest, since;
    uint64_t large_objects, large_bytes; /* of them */
    size_t frame_count, history_count, place; /* place: the frame that asked for the memory */
    struct frame frames[FRAMES_MOST];
    struct {
        uint64_t at, allocations, bytes; /* at: milliseconds; allocations: of the process */
    } history[HISTORY_MOST];
    bool leak; /* see site_leaks */
    size_t part_of; /* of a leak: the earlier one's number and 1, of whose structures its objects are parts; 0: none */
    const struct frame *keeper; /* the function to look at, if that is not the place (keeper.c) */
    /* Of blocks of the program's own allocator: the sites that they were asked for by (blocks.c). */
    struct site *parts;
    struct site *singles; /* objects that were looked at singly, with stacks of their own */
    size_t single_count;
    size_t part_count, allocator_frames; /* the innermost frames, which are the allocator's */
};

struct moment {
    uint64_t at, live, mapped, resident, swapped, cold;
};

struct report {
    char *head; /* the first line's fields */
    uint64_t seconds, allocations, objects, bytes, cold_bytes, process;
    uint64_t refused;     /* as tt_quiet_refusal says: why cold pages share no frames */
    uint64_t milliseconds, looks, cold_seconds, cold_allocations; /* how long it ran; when memory is cold */
    uint64_t common_mark; /* the address that stands for the common heap */
    size_t site_count, moment_count;
    struct site *sites; /* once judged, leaks first, then by cold bytes */
    struct moment *moments;
    char *maps; /* as in /proc/self/maps */
};

/* The last report in the file of the process that wrote most; false with a message if there is none. */
bool report_read(const char *name, struct report *report);

/* Fills in functions, files and lines, where they can be found. */
void report_symbolise(struct report *report);

void report_show_text(const struct report *report, FILE *to);
void report_show_json(const struct report *report, FILE *to);
void report_show_html(const struct report *report, FILE *to);
/* Sites as addresses, for pprof, which finds the names itself. */
void report_show_profile(const struct report *report, FILE *to);

/* What the program could have had and had not, and what is not known yet; NULL if nothing. */
const char *report_advice(const struct report *report);

/* Whether the process ended, or was asked, before anything could be found to be cold. */
bool report_is_early(const struct report *report);

/* A function's name as it is shown, at most 100 columns; the caller frees it. NULL without memory. */
char *report_spelling(const char *function);

/* A file's name without its directories; a size for people. */
const char *report_short_file(const char *file);
void report_show_bytes(uint64_t bytes, FILE *to);

/* Joins the sites of each allocator's blocks, once the names are known. */
void report_join_blocks(struct report *report);

/* Says which sites leak, and puts them first. */
void report_judge(struct report *report);

/* The process's allocations at the last look, which the sites' figures are of. */
uint64_t report_last_look(const struct report *report);

/* Whether the function allocates for others, or copies, by its name. */
bool frame_is_wrapper(const struct frame *frame);

/* Whether the frame is of the language's own libraries, or of no known module; whether two are of one module. */
bool frame_is_of_language(const struct frame *frame);
bool frame_same_module(const struct frame *a, const struct frame *b);

/* Finds each site's place, once the names are known and the leaks. */
void report_find_places(struct report *report);
/* And which leaks are parts of the same structures. */
void report_find_structures(struct report *report);
/* The same of who keeps what others allocated. */
void report_find_keepers(struct report *report);
const struct frame *site_place(const struct site *site);
void site_show_place(const struct site *site, FILE *to);
void frame_show_place(const struct frame *place, FILE *to);
/* The same as a string that the caller frees; NULL without memory. */
char *frame_place_text(const struct frame *place);

/* What goes with a site, at most so many: single objects of it that are of other places than the site's; the parts of a
 * block allocator's memory; what grows in step with it. Several of one place are told as one. */
struct beside {
    const struct site *site; /* one of them */
    uint64_t bytes;
};
size_t site_singles(const struct site *site, struct beside *found, size_t most);
size_t site_parts(const struct site *site, struct beside *found, size_t most);
/* In step: as many objects, or two or three times as many, or as few, now and half-way. Most likely they are parts of
 * the same things. */
bool site_in_step(const struct site *site, const struct site *other);
/* Leaks that are told with this one, as parts of the same structures. */
size_t site_members(const struct report *report, const struct site *site, struct beside *found, size_t most);
size_t site_steps(const struct report *report, const struct site *site, struct beside *found, size_t most);

#endif
