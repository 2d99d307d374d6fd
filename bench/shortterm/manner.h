/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * One way of managing memory, chosen by the compiler's flags: how an object of the current period is made, how one ends early, and how a period
 * ends. A load is compiled once for each.
 *
 *   MANNER_GLIBC, MANNER_MIMALLOC   every object is freed by hand at the end of its period
 *   MANNER_COUNTED                  the same, by a reference count of the object, atomic as one that threads share has to be
 *   MANNER_TALLOC, MANNER_APR       a context, or a pool, for each period
 *   MANNER_SHORT_TERM               refreshed by 0; nothing is freed
 *   MANNER_REGION                   a region for each period
 *   MANNER_SCM, MANNER_SCM_REGION   libscm's calls, with the header that SCM_HEADER names: tenure/libscm.h or another library's
 */
#ifndef BENCH_SHORTTERM_MANNER_H
#define BENCH_SHORTTERM_MANNER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(MANNER_MIMALLOC)
#include <mimalloc.h>
#elif defined(MANNER_TALLOC)
#include <stdbool.h>
#include <stdarg.h>
#include <stdio.h>
#include <talloc.h>
#elif defined(MANNER_APR)
#include <apr_general.h>
#include <apr_pools.h>
#elif defined(MANNER_SHORT_TERM) || defined(MANNER_REGION)
#include <tenure/shortterm.h>
#elif defined(MANNER_SCM) || defined(MANNER_SCM_REGION)
#include SCM_HEADER
#endif

/* What a thread knows of its current period. */
struct period {
    void **objects; /* where they have to be remembered */
    size_t count, room;
#if defined(MANNER_TALLOC)
    TALLOC_CTX *context;
#elif defined(MANNER_APR)
    apr_pool_t *pool;
#elif defined(MANNER_REGION)
    stm_region *region;
#elif defined(MANNER_SCM_REGION)
    int region;
#endif
};

#if defined(MANNER_GLIBC) || defined(MANNER_MIMALLOC) || defined(MANNER_COUNTED)
#define FREED_BY_HAND 1
#else
#define FREED_BY_HAND 0
#endif

#if defined(MANNER_SHORT_TERM) || defined(MANNER_SCM)
#define HAS_REFRESH 1
#else
#define HAS_REFRESH 0
#endif

#if defined(MANNER_SHORT_TERM)
static inline void *manner_allocate(size_t size) { return stm_malloc(size); }
static inline void manner_refresh(void *object, unsigned extension) { (void)stm_refresh(object, extension); }
static inline void manner_collect(void) { stm_collect(); }
#elif defined(MANNER_SCM)
static inline void *manner_allocate(size_t size) { return scm_malloc(size); }
static inline void manner_refresh(void *object, unsigned extension) { scm_refresh(object, extension); }
static inline void manner_collect(void) { scm_collect(); }
#endif

/* Once, before any thread. */
static inline void manner_start(void) {
#if defined(MANNER_APR)
    apr_initialize();
#endif
}

static inline void period_start(struct period *period, size_t room) {
    *period = (struct period){.room = room};
#if FREED_BY_HAND
    period->objects = malloc(room * sizeof(void *));
#elif defined(MANNER_TALLOC)
    period->context = talloc_new(NULL);
#elif defined(MANNER_APR)
    apr_pool_create_unmanaged_ex(&period->pool, NULL, NULL);
#elif defined(MANNER_SCM_REGION)
    period->region = scm_create_region();
#endif
}

static inline void *period_make(struct period *period, size_t size) {
    (void)period;
#if defined(MANNER_GLIBC)
    return period->objects[period->count++] = malloc(size);
#elif defined(MANNER_MIMALLOC)
    return period->objects[period->count++] = mi_malloc(size);
#elif defined(MANNER_COUNTED)
    _Atomic intptr_t *counted = malloc(size + 16);
    atomic_store_explicit(counted, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(counted, 1, memory_order_relaxed);
    period->objects[period->count++] = (void *)counted;
    return (char *)counted + 16;
#elif defined(MANNER_TALLOC)
    return talloc_size(period->context, size);
#elif defined(MANNER_APR)
    return apr_palloc(period->pool, size);
#elif defined(MANNER_SHORT_TERM)
    void *object = stm_malloc(size);
    (void)stm_refresh(object, 0);
    return object;
#elif defined(MANNER_REGION)
    if (period->region == NULL) period->region = stm_region_create();
    return stm_region_malloc(period->region, size);
#elif defined(MANNER_SCM)
    void *object = scm_malloc(size);
    scm_refresh(object, 0);
    return object;
#elif defined(MANNER_SCM_REGION)
    return scm_malloc_in_region(size, period->region);
#endif
}

static inline void period_end(struct period *period) {
#if defined(MANNER_GLIBC)
    for (size_t i = 0; i < period->count; i++) free(period->objects[i]);
#elif defined(MANNER_MIMALLOC)
    for (size_t i = 0; i < period->count; i++) mi_free(period->objects[i]);
#elif defined(MANNER_COUNTED)
    for (size_t i = 0; i < period->count; i++) {
        _Atomic intptr_t *counted = period->objects[i];
        if (atomic_fetch_sub_explicit(counted, 1, memory_order_acq_rel) == 1) free((void *)counted);
    }
#elif defined(MANNER_TALLOC)
    talloc_free(period->context);
    period->context = talloc_new(NULL);
#elif defined(MANNER_APR)
    apr_pool_clear(period->pool);
#elif defined(MANNER_SHORT_TERM)
    stm_tick();
#elif defined(MANNER_REGION)
    if (period->region != NULL) (void)stm_region_refresh(period->region, 0);
    period->region = NULL;
    stm_tick();
#elif defined(MANNER_SCM)
    scm_tick();
#elif defined(MANNER_SCM_REGION)
    scm_refresh_region(period->region, 0);
    scm_tick();
#endif
    period->count = 0;
}

#endif
