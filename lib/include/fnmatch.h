#ifndef _FNMATCH_H
#define _FNMATCH_H

#include <tn/link.h>

#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_NOMATCH 1

int fnmatch(const char ?pattern, const char ?s, int flags) TN_LINK(tn_fnmatch);

#endif
