#ifndef _LIBGEN_H
#define _LIBGEN_H

#include <string.h>

/* The last part of a path, and what stands before it, as new strings on the heap: the path itself is not cut. */
char *basename(const char ?path) TN_LINK(tn_basename);
char *dirname(const char ?path) TN_LINK(tn_dirname);

#endif
