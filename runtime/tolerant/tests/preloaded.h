/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a test asks of the malloc that it runs under, if that is ours. With _GNU_SOURCE, for RTLD_DEFAULT.
 */
#ifndef TENURE_TOLERANT_TESTS_PRELOADED_H
#define TENURE_TOLERANT_TESTS_PRELOADED_H

#include <dlfcn.h>
#include <stddef.h>

#include "tenure/tolerant.h"

static inline void look(void) {
    int (*f)(void);
    *(void **)&f = dlsym(RTLD_DEFAULT, "tn_tolerant_look");
    if (f != NULL) (void)f();
}

static inline struct tn_tolerant_statistics statistics(void) {
    void (*get)(struct tn_tolerant_statistics *, size_t);
    *(void **)&get = dlsym(RTLD_DEFAULT, "tn_tolerant_statistics");
    struct tn_tolerant_statistics now = {0};
    if (get != NULL) get(&now, sizeof now);
    return now;
}

#endif
