/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The forms of string functions whose arguments are zero-terminated: libc's own, except that NULL is an empty
 * string, as everywhere in the library.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include "tenure/value.h"

/* The same pointer: what is in it for one that knows of its zero is what is in it for one that does not. */
struct tn_fat tnc_whole(struct tn_fat s);
struct tn_fat tnc_whole(struct tn_fat s) { return s; }

static const char *text(const char *s) { return s == NULL ? "" : s; }

size_t tn_strlen_z(const char *s);
int tn_strcmp_z(const char *a, const char *b);
int tn_strncmp_z(const char *a, const char *b, size_t n);
int tn_strcasecmp_z(const char *a, const char *b);
int tn_strncasecmp_z(const char *a, const char *b, size_t n);
char *tnc_strndup(const char *s, size_t n);

size_t tn_strlen_z(const char *s) { return s == NULL ? 0 : strlen(s); }
int tn_strcmp_z(const char *a, const char *b) { return strcmp(text(a), text(b)); }
int tn_strncmp_z(const char *a, const char *b, size_t n) { return strncmp(text(a), text(b), n); }
int tn_strcasecmp_z(const char *a, const char *b) { return strcasecmp(text(a), text(b)); }
int tn_strncasecmp_z(const char *a, const char *b, size_t n) { return strncasecmp(text(a), text(b), n); }

/* The first n characters of s, none of which is zero, as a string that stays. NULL if there is no memory. */
char *tnc_strndup(const char *s, size_t n) { return n == 0 ? strdup("") : strndup(s, n); }

/* Each search in a form for strings and one for const strings, which C has not. */
#define SEARCH(name, Needle, needle)                                              \
    char *tn_##name##_z(char *s, Needle what);                                    \
    const char *tn_z##name##_z(const char *s, Needle what);                       \
    char *tn_##name##_z(char *s, Needle what) { return s == NULL ? NULL : name(s, needle); } \
    const char *tn_z##name##_z(const char *s, Needle what) { return s == NULL ? NULL : name(s, needle); }

SEARCH(strchr, int, what)
SEARCH(strchrnul, int, what)
SEARCH(strrchr, int, what)
SEARCH(strstr, const char *, text(what))
SEARCH(strcasestr, const char *, text(what))
SEARCH(strpbrk, const char *, text(what))
