/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Regular expressions behind cells that are never freed: a copy of a regex_t may be used after the
 * original was given to regfree, and then matches nothing.
 */
#define _GNU_SOURCE
#include <regex.h>
#include <stdlib.h>

struct tn_regex {
    int live;
    regex_t compiled;
};

struct tn_regex *tnc_regcomp(const char *pattern, int flags, int *error, size_t *groups);
int tnc_regexec(struct tn_regex *re, const char *s, size_t n, regmatch_t *matches, int flags);
size_t tnc_regerror(int error, char *buffer, size_t n);
void tnc_regfree(struct tn_regex *re);

_Static_assert(sizeof(regmatch_t) == 8 && sizeof(regoff_t) == 4, "as <regex.h> of the library");
_Static_assert(REG_EXTENDED == 1 && REG_ICASE == 2 && REG_NEWLINE == 4 && REG_NOSUB == 8, "as <regex.h> of the library");
_Static_assert(REG_NOTBOL == 1 && REG_NOTEOL == 2 && REG_NOMATCH == 1, "as <regex.h> of the library");

struct tn_regex *tnc_regcomp(const char *pattern, int flags, int *error, size_t *groups) {
    struct tn_regex *re = calloc(1, sizeof *re);
    if (re == NULL) {
        *error = REG_ESPACE;
        return NULL;
    }
    *error = regcomp(&re->compiled, pattern, flags & 15);
    if (*error != 0) {
        free(re);
        return NULL;
    }
    re->live = 1;
    *groups = re->compiled.re_nsub;
    return re;
}

int tnc_regexec(struct tn_regex *re, const char *s, size_t n, regmatch_t *matches, int flags) {
    if (!re->live) return REG_NOMATCH;
    return regexec(&re->compiled, s, n, matches, flags & (REG_NOTBOL | REG_NOTEOL));
}

/* libc aborts on a number that is no error of its own. */
size_t tnc_regerror(int error, char *buffer, size_t n) {
    return regerror(error < 0 || error > REG_ERPAREN ? REG_BADPAT : error, NULL, buffer, n);
}

void tnc_regfree(struct tn_regex *re) {
    if (!re->live) return;
    re->live = 0;
    regfree(&re->compiled);
}
