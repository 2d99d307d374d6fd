#ifndef TN_BASE_H
#define TN_BASE_H

/* What C's own headers need of Core. In a .cyc file they bring its names, as Cyclone's do; a .c file
   gets the names that C has, so that it may have a `bool`, a `split` or a `substring` of its own. */
#ifdef __TENURE_C__
#include <tn/core.h>
#else
#include <core.h>
#endif

#endif
