/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Source compatibility with libscm, the library of "Short-term Memory for Self-collecting Mutators" (ISMM 2011), by its
 * published description: a program that was written for it compiles with this header and runs unchanged.
 *
 * What differs: an extension that is too long is an error that is reported, not shortened; there is no limit on clocks,
 * regions and finalizers; a free of an object that has expiration dates is ignored, as there.
 */
#ifndef TENURE_LIBSCM_H
#define TENURE_LIBSCM_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tenure/shortterm.h"

/* Programs written for libscm size arrays and loops by these, and may set them before they include the header. Here
 * they bind nothing: time, clocks and regions have other limits, if any (see above), and pages their own size. */
#ifndef SCM_MAX_EXPIRATION_EXTENSION
#define SCM_MAX_EXPIRATION_EXTENSION 10
#endif
#ifndef SCM_MAX_CLOCKS
#define SCM_MAX_CLOCKS 10
#endif
#ifndef SCM_MAX_REGIONS
#define SCM_MAX_REGIONS 10
#endif
#ifndef SCM_DESCRIPTOR_PAGE_SIZE
#define SCM_DESCRIPTOR_PAGE_SIZE 4096
#endif
#ifndef SCM_DESCRIPTOR_PAGE_FREELIST_SIZE
#define SCM_DESCRIPTOR_PAGE_FREELIST_SIZE 10
#endif
#ifndef SCM_REGION_PAGE_SIZE
#define SCM_REGION_PAGE_SIZE 4096
#endif
#ifndef SCM_REGION_PAGE_FREELIST_SIZE
#define SCM_REGION_PAGE_FREELIST_SIZE 10
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* chapter: Objects */

STM_API void *scm_malloc(size_t size);
STM_API void *scm_calloc(size_t count, size_t size);
STM_API void *scm_realloc(void *object, size_t size);
STM_API void scm_free(void *object);
STM_API size_t scm_malloc_usable_size(void *object);

/* chapter: Time */

/* An object of a region stands for its region. */
STM_API void scm_refresh(void *object, unsigned int extension);
STM_API void scm_tick(void);
STM_API void scm_collect(void);

/* A further clock of the calling thread, by number; -1 if there is no memory. 0 is the thread's own clock. */
STM_API int scm_register_clock(void);

/* The dates on the clock have passed. */
STM_API void scm_unregister_clock(const int clock);
STM_API void scm_refresh_with_clock(void *object, unsigned int extension, const unsigned long clock);
STM_API void scm_tick_clock(const unsigned long clock);

/* chapter: Global time */

STM_API void scm_global_refresh(void *object, unsigned int extension);
STM_API void scm_global_tick(void);

/* chapter: Regions */

/* A region by number; -1 if there is no memory. When what it holds has expired it is empty, and may be used again. */
STM_API int scm_create_region(void);

/* The number may be given to another region. What the region holds lives until it expires; without a date it is
 * freed. */
STM_API void scm_unregister_region(const int region);
STM_API void *scm_malloc_in_region(size_t size, const int region);
STM_API void scm_refresh_region(const int region, unsigned int extension);
STM_API void scm_refresh_region_with_clock(const int region, unsigned int extension, const unsigned long clock);
STM_API void scm_global_refresh_region(const int region, unsigned int extension);

/* chapter: Finalizers */

/* A finalizer returns 0; after anything else the object is not deallocated. The number is -1 if there is no memory. */
STM_API int scm_register_finalizer(int (*finalizer)(void *object));
STM_API void scm_set_finalizer(void *object, int finalizer);

/* chapter: Threads */

/* A thread registers by itself at its first refresh or tick. */
STM_API void scm_register_thread(void);
STM_API void scm_unregister_thread(void);

/* Between them global time does not wait for the thread. */
STM_API void scm_block_thread(void);
STM_API void scm_resume_thread(void);

#ifdef __cplusplus
}
#endif

#endif
