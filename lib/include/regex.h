#ifndef _REGEX_H
#define _REGEX_H

#include <sys/types.h>
#include <tn/link.h>

#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_NOMATCH 1

/* What was compiled is behind a pointer that is NULL before regcomp and after regfree: such a pattern matches
   nothing. Write `regex_t re = {0};`. */
struct tn_regex;
typedef struct __attribute__((not_c("pass the pattern, and compile it where it is used"))) re_pattern_buffer {
  struct tn_regex *compiled;
  unsigned long __unused[5];
  size_t re_nsub;
  unsigned long __flags;
} regex_t;

typedef int regoff_t;
typedef struct {
  regoff_t rm_so;
  regoff_t rm_eo;
} regmatch_t;

int regcomp(regex_t @re, const char ?pattern, int flags) TN_LINK(tn_regcomp);
/* Sets the first n matches, which must be there. */
int regexec(const regex_t @re, const char ?s, size_t n, regmatch_t ?matches, int flags) TN_LINK(tn_regexec) TN_CALLER;
size_t regerror(int error, const regex_t *re, char ?buf, size_t n) TN_LINK(tn_regerror) TN_CALLER;
void regfree(regex_t @re) TN_LINK(tn_regfree);

#endif
