#ifndef TN_FEATURES_H
#define TN_FEATURES_H

/* Each of C's headers brings these macros, and the system's own headers, which `extern "C" include` reads,
   rely on their having come from the first of ours. */
#if __has_include(<features.h>)
#include <features.h>
#endif

#endif
