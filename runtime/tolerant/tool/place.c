/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Where in a site's stack its memory was asked for: behind those functions that allocate for others. Some are known by
 * their names. Others the stacks of all sites tell: many functions call them, and they call one or two on the way to
 * malloc. (A function that calls many, such as an interpreter's loop, is where different things begin.) What a leak
 * shares with a site that does not leak is not its place either. Where the program has types, a function that returns
 * such an object gives it to its caller, who forgets it, unless its name says something else.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* Frames of a stack, from the innermost, that are looked at. */
#define FRAMES_NEAR 10
#define CALLERS_LEAST 3
#define CALLEES_MOST 2
#define CALLERS_OF_SITE 4

/* One frame of one site, with the functions beside it. A function without a name is known by its module, and about
 * where it lies there. */
struct call {
    char *function;
    const char *caller, *callee;
};

/* Where a demangled function's own name begins: behind the result type that templates' names have. */
static const char *own_name(const char *function) {
    const char *start = function;
    int depth = 0;
    for (const char *c = function; *c != '\0' && (depth > 0 || *c != '('); c++) {
        if (*c == '<') depth++;
        if (*c == '>') depth--;
        if (*c == ' ' && depth == 0 && strncmp(c, " new", 4) != 0) start = c + 1;
    }
    return start;
}

/* By their names, those that allocate or copy for others, and the C++ library's. */
bool frame_is_wrapper(const struct frame *frame) {
    static const char *const parts[] = {"alloc", "Alloc", "ALLOC", "strdup", "strndup", "memdup"};
    static const char *const starts[] = {"operator new", "__gnu_cxx::", "std::"};
    if (frame->function == NULL) return false;
    const char *name = own_name(frame->function);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    size_t length = strcspn(name, "<(");
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *at = strstr(name, parts[i]);
        if (at != NULL && (size_t)(at - name) < length) return true;
    }
    return false;
}

/* What a header of some library brought into the program. */
static bool is_of_header(const struct frame *frame) { return frame->file != NULL && strstr(frame->file, "/include/") != NULL; }

/* Whether the frame is of the language's own libraries. */
bool frame_is_of_language(const struct frame *frame) {
    static const char *const starts[] = {"libc.so", "libc-", "ld-", "libstdc++.", "libpthread", "libgcc_s."};
    if (frame->module == NULL) return true;
    const char *name = report_short_file(frame->module);
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static char *function_of(const struct frame *frame) {
    char *name = NULL;
    if (frame->function != NULL) return strdup(frame->function);
    if (asprintf(&name, "%s+%" PRIx64, frame->module == NULL ? "?" : frame->module, frame->offset >> 8) < 0) return NULL;
    return name;
}

static int by_function(const void *a, const void *b) {
    const struct call *x = a, *y = b;
    return strcmp(x->function, y->function);
}

static struct call *calls_of(const struct report *report, size_t *count) {
    struct call *calls = calloc(report->site_count * FRAMES_NEAR + 1, sizeof *calls);
    *count = 0;
    for (size_t s = 0; calls != NULL && s < report->site_count; s++) {
        const struct site *site = &report->sites[s];
        for (size_t i = 0; i < site->frame_count && i < FRAMES_NEAR; i++) {
            struct call *call = &calls[*count];
            if ((call->function = function_of(&site->frames[i])) == NULL) break;
            call->caller = "";
            call->callee = i == 0 ? "" : call[-1].function;
            if (i != 0) call[-1].caller = call->function;
            ++*count;
        }
    }
    if (calls != NULL) qsort(calls, *count, sizeof *calls, by_function);
    return calls;
}

/* How many different functions the calls have there, as far as the most that matters. */
static size_t different(const struct call *calls, size_t count, bool callers) {
    const char *seen[CALLERS_LEAST + CALLEES_MOST];
    size_t found = 0;
    for (size_t i = 0; i < count && found < sizeof seen / sizeof seen[0]; i++) {
        const char *name = callers ? calls[i].caller : calls[i].callee;
        size_t k = 0;
        while (k < found && strcmp(seen[k], name) != 0) k++;
        if (k == found) seen[found++] = name;
    }
    return found;
}

/* The calls of the frame's function. */
static const struct call *calls_like(const struct call *calls, size_t count, const struct frame *frame, size_t *found) {
    char *name = function_of(frame);
    *found = 0;
    if (name == NULL || calls == NULL) return calls;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(calls[middle].function, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *found < count && strcmp(calls[low + *found].function, name) == 0) ++*found;
    free(name);
    return calls + low;
}

/* Whether the function allocates for others, as far as all stacks tell. */
static bool is_shared(const struct call *calls, size_t count, const struct frame *frame) {
    size_t found;
    calls = calls_like(calls, count, frame, &found);
    return different(calls, found, true) >= CALLERS_LEAST && different(calls, found, false) <= CALLEES_MOST;
}

/* What functions are called that put what they make somewhere, and those that make it for their callers. */
static const char *const keeping[] = {"add",  "append", "attach", "enqueue", "ensure", "find",     "insert",   "intern", "keep", "link",
                                      "lookup", "push", "put",    "queue",   "record", "register", "remember", "save",   "set",  "store", NULL};
static const char *const making[] = {"acquire", "build",  "clone",     "concat", "construct", "convert",  "copy", "create",
                                     "decode",  "dup",    "duplicate", "format", "from",      "generate", "init", "join",
                                     "load",    "make",   "new",       "open",   "parse",     "read",     "split", NULL};

/* Whether one of the words is among those of the function's own name, which underscores and capital letters part. */
static bool is_called(const char *function, const char *const *words) {
    const char *name = own_name(function);
    size_t length = strcspn(name, "<(");
    for (size_t at = 0, end; at < length; at = end) {
        char word[16];
        size_t used = 0;
        for (end = at; end < length && isalpha((unsigned char)name[end]); end++) {
            if (end > at && isupper((unsigned char)name[end]) && islower((unsigned char)name[end - 1])) break;
            if (used + 1 < sizeof word) word[used++] = (char)tolower((unsigned char)name[end]);
        }
        word[used] = '\0';
        end += end == at;
        for (size_t i = 0; words[i] != NULL; i++)
            if (strcmp(word, words[i]) == 0) return true;
    }
    return false;
}

bool frame_same_module(const struct frame *a, const struct frame *b) {
    return a->module != NULL && b->module != NULL && strcmp(a->module, b->module) == 0;
}

/* The next frame of the same module whose function has a name; the number of frames if there is none. */
static size_t next_named(const struct site *site, size_t from) {
    for (size_t i = from; i < site->frame_count && frame_same_module(&site->frames[from], &site->frames[i]); i++)
        if (site->frames[i].function != NULL) return i;
    return site->frame_count;
}

/* The first frame that is no wrapper. What has no name is a part of the next function of its module that has one. */
static size_t first_own(const struct site *site, const bool *wrapper) {
    for (size_t i = 0; i < site->frame_count; i++) {
        if (wrapper[i]) continue;
        size_t named = next_named(site, i);
        if (named == site->frame_count) return i;
        if (!wrapper[named]) return named;
        i = named;
    }
    return 0;
}

/* How many of the leak's innermost frames another site has too that does not leak: what both go through is not to
 * blame. Sites differ in one of their last four callers; what differs farther out says nothing. */
static size_t frames_in_common(const struct report *report, const struct site *site) {
    size_t most = 0;
    for (size_t s = 0; site->leak && s < report->site_count; s++) {
        const struct site *other = &report->sites[s];
        size_t common = 0, callers = 0;
        if (other->leak) continue;
        while (common < site->frame_count && common < other->frame_count &&
               site->frames[common].address == other->frames[common].address) {
            callers += common == 0 || site->frames[common].address != site->frames[common - 1].address;
            common++;
        }
        if (callers < CALLERS_OF_SITE && common > most) most = common;
    }
    return most;
}

/* Whether the function is a class's constructor: X::X. */
static bool is_constructor(const char *function) {
    const char *name = own_name(function), *last = NULL, *before = name;
    size_t length = strcspn(name, "(");
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (depth != 0 || name[i] != ':' || name[i + 1] != ':') continue;
        if (last != NULL) before = last;
        last = &name[i += 1] + 1;
    }
    if (last == NULL) return false;
    size_t own = strcspn(last, "<("), around = strcspn(before, "<:");
    return own == around && strncmp(last, before, own) == 0;
}

/* Whether the site's frame is the constructor of an object one of whose members is a container of the library's, that
 * allocates: the member is gone when the object is. */
static bool fills_member(const struct site *site, size_t at) {
    if (at == 0 || site->frames[at].function == NULL || !is_constructor(site->frames[at].function)) return false;
    const char *callee = site->frames[at - 1].function;
    return callee != NULL && strncmp(own_name(callee), "std::", 5) == 0;
}

/* Whether the site's frame returns its objects to the next one, in the program's own code, as far as its type tells.
 * Where different things begin, what it returns is only one of them. */
static bool gives_to_caller(const struct site *site, size_t at, const struct call *calls, size_t count) {
    const struct frame *frame = &site->frames[at], *caller = frame + 1;
    size_t found;
    if (frame->given == 0 || frame->given > site->bytes / (site->objects + (site->objects == 0))) return false;
    if (at + 1 >= site->frame_count || caller->file == NULL || is_of_header(caller) || frame_is_of_language(caller)) return false;
    if (frame->function == NULL || is_called(frame->function, keeping)) return false;
    /* A record may be another's that is returned as well. */
    if (frame->given > 1 && !is_called(frame->function, making)) return false;
    calls = calls_like(calls, count, frame, &found);
    return different(calls, found, false) <= CALLEES_MOST;
}

/* The program's own code is what has lines, where the libraries that it uses have none. */
static void find_place(const struct report *report, struct site *site, const struct call *calls, size_t count) {
    bool wrapper[FRAMES_MOST];
    size_t common = frames_in_common(report, site);
    for (size_t i = 0; i < site->frame_count; i++)
        wrapper[i] = i < common || i < site->allocator_frames || frame_is_wrapper(&site->frames[i]) ||
                     is_of_header(&site->frames[i]) ||
                     (i < FRAMES_NEAR && (is_shared(calls, count, &site->frames[i]) || fills_member(site, i) || gives_to_caller(site, i, calls, count)));
    site->place = first_own(site, wrapper);
    for (size_t i = site->place; i < site->frame_count && i < FRAMES_NEAR; i++) {
        if (site->frames[i].file == NULL || wrapper[i] || frame_is_of_language(&site->frames[i])) continue;
        site->place = i;
        return;
    }
}

void report_find_places(struct report *report) {
    size_t count;
    struct call *calls = calls_of(report, &count);
    for (size_t i = 0; i < report->site_count; i++) {
        struct site *site = &report->sites[i];
        find_place(report, site, calls, count);
        for (size_t p = 0; p < site->part_count; p++) find_place(report, &site->parts[p], calls, count);
        for (size_t k = 0; k < site->single_count; k++) {
            site->singles[k].leak = site->leak;
            find_place(report, &site->singles[k], calls, count);
        }
    }
    for (size_t i = 0; calls != NULL && i < count; i++) free(calls[i].function);
    free(calls);
}

const struct frame *site_place(const struct site *site) {
    return site->frame_count > 0 ? &site->frames[site->place] : NULL;
}

void frame_show_place(const struct frame *place, FILE *to) {
    if (place == NULL) {
        fputs("an unknown place", to);
    } else if (place->function != NULL) {
        char *name = report_spelling(place->function);
        fputs(name == NULL ? place->function : name, to);
        free(name);
    } else {
        fprintf(to, "%s+0x%" PRIx64, place->module == NULL ? "?" : report_short_file(place->module), place->offset);
    }
    if (place != NULL && place->file != NULL) fprintf(to, ", %s:%d", report_short_file(place->file), place->line);
}

void site_show_place(const struct site *site, FILE *to) { frame_show_place(site_place(site), to); }

char *frame_place_text(const struct frame *place) {
    char *shown = NULL;
    size_t size;
    FILE *text = open_memstream(&shown, &size);
    if (text != NULL) {
        frame_show_place(place, text);
        fclose(text);
    }
    return shown;
}
