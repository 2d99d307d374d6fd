#ifndef _ERR_H
#define _ERR_H

#include <stdio.h>

/* The program's name, the message, and (but for the x forms) what errno means, on stderr; err and errx then exit. */
void warn(const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_warn) __attribute__((format(printf, 1, 2)));
void warnx(const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_warnx) __attribute__((format(printf, 1, 2)));
void err(int status, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_err) __attribute__((noreturn, format(printf, 2, 3)));
void errx(int status, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_errx) __attribute__((noreturn, format(printf, 2, 3)));

#endif
