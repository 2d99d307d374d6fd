#ifndef _LOCALE_H
#define _LOCALE_H

#include <tn/features.h>
#include <stddef.h>
#include <tn/link.h>

#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6

/* The locale's name, a copy on the heap; NULL if there is no such locale. NULL asks for the current one. */
char *setlocale(int category, const char ?name) TN_LINK(tn_setlocale);

#endif
