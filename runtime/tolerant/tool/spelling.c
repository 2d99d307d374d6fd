/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * How functions' names are shown: without what C++'s library puts into each of its types by default, and in one line.
 * What is asked about a function (place.c) is asked about the whole name.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define COLUMNS_MOST 100

/* Where the angle bracket's match is; the end of the text if it has none. */
static char *match_of(char *open) {
    int depth = 0;
    for (char *at = open; *at != '\0'; at++) {
        depth += *at == '<' ? 1 : *at == '>' && at[-1] != '-' ? -1 : 0;
        if (depth == 0) return at;
    }
    return open + strlen(open);
}

static void remove_bytes(char *from, const char *to) { memmove(from, to, strlen(to) + 1); }

/* Template arguments that the library's templates have by default, and the space before the bracket that closed
 * them. */
static void drop_defaults(char *name) {
    static const char *const defaults[] = {", std::allocator<",     ", std::char_traits<",     ", std::less<",
                                           ", std::hash<",          ", std::equal_to<",        ", std::default_delete<",
                                           ", std::pmr::polymorphic_allocator<"};
    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++)
        for (char *at = name; (at = strstr(at, defaults[i])) != NULL;) {
            char *end = match_of(at + strlen(defaults[i]) - 1);
            remove_bytes(at, *end == '\0' ? end : end + 1);
        }
    for (char *at = name; (at = strstr(at, " >")) != NULL;) remove_bytes(at, at + 1);
}

static void replace_all(char *name, const char *what, const char *by) {
    for (char *at = name; (at = strstr(at, what)) != NULL; at += strlen(by)) {
        memcpy(at, by, strlen(by));
        remove_bytes(at + strlen(by), at + strlen(what));
    }
}

/* Leaves three dots of what stands between the brackets. */
static void elide(char *open, char *close) {
    if (close - open <= 4) return;
    memcpy(open + 1, "...", 3);
    remove_bytes(open + 4, close);
}

/* The bracket of the parameters: the first outside of template arguments, but for that of an anonymous namespace or of
 * operator(). */
static char *parameters(char *name) {
    for (char *at = name; *at != '\0'; at++) {
        if (*at == '<') at = match_of(at);
        if (*at == '\0') break;
        if (*at == '(' && strncmp(at, "(anonymous", 10) != 0 && strncmp(at, "()(", 3) != 0) return at;
    }
    return NULL;
}

char *report_spelling(const char *function) {
    char *name = strdup(function);
    if (name == NULL) return NULL;
    drop_defaults(name);
    replace_all(name, "std::__cxx11::", "std::");
    replace_all(name, "[abi:cxx11]", "");
    replace_all(name, "std::basic_string<char>", "std::string");
    if (strlen(name) > COLUMNS_MOST) {
        char *open = parameters(name), *close = open == NULL ? NULL : strrchr(open, ')');
        if (close != NULL) elide(open, close);
    }
    for (char *at = name; strlen(name) > COLUMNS_MOST && (at = strchr(at, '<')) != NULL; at++) {
        char *close = match_of(at);
        if (*close != '\0') elide(at, close);
    }
    if (strlen(name) > COLUMNS_MOST) memcpy(name + COLUMNS_MOST - 3, "...", 4);
    return name;
}
