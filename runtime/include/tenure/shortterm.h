/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Short-term memory for C and C++: objects that expire instead of being freed.
 *
 * An object is persistent until it is refreshed for the first time; a refresh gives it an expiration date, a tick
 * advances time, and an object whose dates have all passed is deallocated. The model is that of Aigner, Haas, Kirsch,
 * Lippautz, Sokolova, Stroka and Unterweger, "Short-term Memory for Self-collecting Mutators", ISMM 2011.
 *
 * Every function may be called from any thread. No function may be called from a signal handler. Functions that return
 * an int return 0 or one of the values of enum stm_error; those also go to the error handler.
 */
#ifndef TENURE_SHORTTERM_H
#define TENURE_SHORTTERM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define STM_API __attribute__((visibility("default")))
#else
#define STM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* chapter: Objects */

/* size bytes, aligned to 16: a persistent object. NULL with errno ENOMEM if there is no memory, or if the size is above
 * PTRDIFF_MAX. A size of 0 gives an object that may be refreshed and freed. */
STM_API void *stm_malloc(size_t size);

/* count * size bytes, zero, aligned to 16: a persistent object. NULL with errno ENOMEM if the product overflows or
 * there is no memory. */
STM_API void *stm_calloc(size_t count, size_t size);

/* The object with room for size bytes, its first bytes kept. A persistent object may move and is then gone. An object
 * with expiration dates is returned as it is if it has the room; otherwise the result is a new persistent object, and
 * the old one lives until it expires. object may be NULL. NULL with errno ENOMEM, and object as it was, if there is no
 * memory. */
STM_API void *stm_realloc(void *object, size_t size);

/* size bytes, aligned to alignment, a power of two: a persistent object. NULL with errno EINVAL for another alignment,
 * or ENOMEM. */
STM_API void *stm_aligned_alloc(size_t alignment, size_t size);

/* Frees a persistent object. An object with expiration dates stays until they have passed: that is reported as
 * STM_FREED_SHORT_TERM and otherwise harmless. object may be NULL. */
STM_API void stm_free(void *object);

/* How many bytes of the object may be used. */
STM_API size_t stm_usable_size(const void *object);

/* size bytes with an expiration date on the thread's clock, as stm_malloc and stm_refresh would give. NULL with errno
 * ENOMEM or ERANGE, and then nothing was allocated. */
STM_API void *stm_malloc_refreshed(size_t size, unsigned extension);

/* How many expiration dates the object has; 0 for a persistent one. Those of other threads may pass meanwhile. */
STM_API size_t stm_date_count(const void *object);

/* chapter: Time */

/* Gives the object one more expiration date: the time of this thread's clock plus extension. The object lives at least
 * until the thread has ticked extension + 1 times from now on. An object of a region stands for its region.
 * STM_EXTENSION_TOO_LONG, STM_NOT_AN_OBJECT, STM_EXPIRED or STM_NO_MEMORY, and then the object is as it was. */
STM_API int stm_refresh(void *object, unsigned extension);

/* Advances this thread's clock by one. */
STM_API void stm_tick(void);

/* The time of this thread's clock. It starts at 0, or where the thread that used the clock before left it. */
STM_API uint64_t stm_time(void);

/* Deallocates every object whose last date is one that this thread has let pass. */
STM_API void stm_collect(void);

/* When expired objects are deallocated. */
enum stm_collection {
    STM_LAZY, /* a bounded number at each refresh and each tick */
    STM_EAGER /* all of them, at each tick */
};

/* How this thread collects from now on; bound is how many dates a lazy refresh or tick may settle, at least 1. A thread
 * starts with what the options TENURE_STM_EAGER and TENURE_STM_BOUND say. STM_BAD_ARGUMENT. */
STM_API int stm_set_collection(enum stm_collection collection, unsigned bound);

/* The longest extension that a refresh of any thread may ask for from now on. The option TENURE_STM_EXTENSION has its
 * initial value. */
STM_API void stm_set_extension_limit(unsigned limit);
STM_API unsigned stm_extension_limit(void);

/* chapter: Clocks */

/* A further clock, with dates of its own. */
typedef struct stm_clock stm_clock;

/* A new clock at time 0 that belongs to the calling thread; NULL with errno ENOMEM. */
STM_API stm_clock *stm_clock_create(void);

/* As stm_refresh, stm_tick and stm_time, for a clock that belongs to the calling thread; STM_NOT_OWNER if it does
 * not. */
STM_API int stm_clock_refresh(stm_clock *clock, void *object, unsigned extension);
STM_API int stm_clock_tick(stm_clock *clock);
STM_API uint64_t stm_clock_time(const stm_clock *clock);

/* Gives the clock up; any thread may take it then, with all its dates. STM_NOT_OWNER. */
STM_API int stm_clock_give(stm_clock *clock);

/* Makes the calling thread the owner of a clock that was given up. STM_NOT_OWNER if it belongs to a thread, this one
 * included. */
STM_API int stm_clock_take(stm_clock *clock);

/* Ends the clock: all its dates have passed. STM_NOT_OWNER. */
STM_API int stm_clock_destroy(stm_clock *clock);

/* chapter: Global time */

/* A thread that takes part in global time, as other threads see it. */
typedef struct stm_participant stm_participant;

/* Global time advances when every thread that takes part has ticked since it last advanced. Joining twice, or leaving
 * without having joined, changes nothing. A thread that ends leaves. STM_NO_MEMORY. */
STM_API int stm_global_join(void);
STM_API int stm_global_leave(void);

/* Between them global time does not wait for this thread, which promises not to use shared objects meanwhile. */
STM_API int stm_global_block(void);
STM_API int stm_global_resume(void);

/* Gives the object an expiration date in global time: the current one plus extension plus 1, so that every thread that
 * takes part ticks at least once before the object expires, and each has had its chance to refresh it. Joins the thread
 * if it has not joined, and resumes it if it is blocked. Errors as for stm_refresh. */
STM_API int stm_global_refresh(void *object, unsigned extension);

/* Says that this thread is done with the current period of global time. One compare-and-swap; joins the thread if it
 * has not joined, and resumes it if it is blocked. STM_NO_MEMORY. */
STM_API int stm_global_tick(void);

/* The current global time. */
STM_API uint64_t stm_global_time(void);

/* The calling thread as a participant; NULL if it has not joined. */
STM_API stm_participant *stm_global_self(void);

/* Declares another thread to be blocked, so that global time no longer waits for it; its next global tick or refresh
 * resumes it. The current period starts anew for the others. STM_BAD_ARGUMENT if the thread does not take part or
 * is blocked. */
STM_API int stm_global_declare_blocked(stm_participant *participant);

/* chapter: Finalizers */

/* Called right before an object that has expired is deallocated, in whichever thread that happens; not for an object
 * that is freed while it is persistent. It returns 0, or something else to keep the object, which is then a persistent
 * one. It may allocate, refresh (its own object too, which then lives on), tick and free, but not free its own object:
 * while it runs that has a date, so that the attempt is reported as STM_FREED_SHORT_TERM. What expires meanwhile is
 * collected later. It must not use other objects that expire, and it must return, or end the thread. */
typedef int (*stm_finalizer)(void *object, void *argument);

/* Gives the object a finalizer in place of the one that it may have; NULL takes it away. STM_NOT_AN_OBJECT,
 * STM_NO_MEMORY. A finalizer of an object in a region cannot keep it: the region counts as expired. */
STM_API int stm_set_finalizer(void *object, stm_finalizer finalizer, void *argument);

/* chapter: Regions */

/* Objects that share all their expiration dates and are freed at once. */
typedef struct stm_region stm_region;

/* An empty persistent region; NULL with errno ENOMEM. */
STM_API stm_region *stm_region_create(void);

/* size bytes in the region, aligned to 16, by advancing a cursor. One thread at a time may allocate in a region. NULL
 * with errno ENOMEM. */
STM_API void *stm_region_malloc(stm_region *region, size_t size);

/* As stm_refresh, stm_clock_refresh and stm_global_refresh, for all objects of the region and the region itself. */
STM_API int stm_region_refresh(stm_region *region, unsigned extension);
STM_API int stm_clock_region_refresh(stm_clock *clock, stm_region *region, unsigned extension);
STM_API int stm_global_region_refresh(stm_region *region, unsigned extension);

/* Frees a persistent region with all its objects. One that has dates stays until they have passed, and that is reported
 * as STM_FREED_SHORT_TERM. */
STM_API void stm_region_free(stm_region *region);

/* How many expiration dates the region has. */
STM_API size_t stm_region_date_count(const stm_region *region);

/* chapter: Threads */

/* Gives this thread's dates to the pool, from which the next thread that refreshes or ticks for the first time takes
 * them over and lets them expire where they were left off. A thread that ends does so by itself. In a finalizer it does
 * nothing. */
STM_API void stm_thread_leave(void);

/* chapter: Scopes */

/* From now on every malloc, calloc, realloc, aligned_alloc and the like of this thread, in whatever library, gives an
 * object that expires at the (extension + 1)-th tick from its allocation; freeing one frees it at once, or not before
 * it expires, as the option TENURE_STM_SCOPE_FREE says. Scopes nest; the innermost counts. stm_malloc itself goes on
 * giving persistent objects, and what the C library and the dynamic linker allocate stays as it is, but for the texts
 * of strdup, strndup, asprintf and vasprintf. STM_NO_INTERPOSER unless the program runs with
 * libtenure-shortterm-preload.so or is linked with the wrapping library; STM_EXTENSION_TOO_LONG. */
STM_API int stm_scope_begin(unsigned extension);

/* Ends the innermost scope. STM_BAD_ARGUMENT if there is none. */
STM_API int stm_scope_end(void);

/* chapter: Errors */

enum stm_error {
    STM_OK,
    STM_EXTENSION_TOO_LONG, /* the extension is above the limit, which the message names */
    STM_NOT_AN_OBJECT,      /* the pointer is not one to an object of this library */
    STM_EXPIRED,            /* all dates of the object had passed */
    STM_FREED_SHORT_TERM,   /* a free of an object that has expiration dates */
    STM_NOT_OWNER,          /* the clock does not belong to the calling thread */
    STM_NO_MEMORY,          /* the allocator below returned NULL */
    STM_BAD_ARGUMENT,       /* see the function */
    STM_NO_INTERPOSER       /* nothing in this program directs malloc to this library */
};

/* The name of the error, such as "STM_NOT_OWNER". */
STM_API const char *stm_error_name(enum stm_error error);

/* What is called with each error, the name of the function that found it, the pointer it is about, and a line of
 * text. */
typedef void (*stm_error_handler)(enum stm_error error, const char *function, const void *pointer, const char *text);

/* Sets the handler and returns the one before; NULL stands for the initial one, which writes the text to standard error
 * and, in checked mode, aborts. Errors that are a refusal and nothing else (STM_NO_MEMORY, STM_NO_INTERPOSER,
 * STM_BAD_ARGUMENT) are returned without a call. */
STM_API stm_error_handler stm_set_error_handler(stm_error_handler handler);

/* chapter: The allocator below */

/* Where memory comes from. All four may be called by several threads at once. */
struct stm_allocator {
    void *(*allocate)(size_t size);                  /* aligned to 16; NULL if there is none */
    void *(*allocate_zero)(size_t count, size_t size);
    void *(*reallocate)(void *block, size_t size);
    void (*release)(void *block);
    size_t (*usable_size)(void *block);
};

/* Sets the allocator below, by default the malloc that is linked. To be called before any other function.
 * STM_BAD_ARGUMENT if it is too late, or a function is missing. */
STM_API int stm_use_allocator(const struct stm_allocator *allocator);

/* chapter: Figures */

/* What the calling thread has. */
struct stm_statistics {
    uint64_t ticks;            /* of all its clocks, so far */
    uint64_t dates;            /* on its own clock and in global time, that have not passed */
    uint64_t expired_waiting;  /* dates that have passed and are not settled */
    uint64_t descriptor_bytes; /* memory of descriptors, those free for use included */
};

STM_API void stm_thread_statistics(struct stm_statistics *statistics);

/* Live bytes of the process, kept in measuring and in checked mode only (otherwise 0). */
struct stm_live_bytes {
    uint64_t short_term;
    uint64_t persistent;
};
STM_API void stm_live(struct stm_live_bytes *live);

/* In measuring mode, writes a line as a tick does, for a point in between; otherwise does nothing. */
STM_API void stm_sample(void);

/* chapter: Checked mode */

/* Writes to standard error what checked mode found so far besides errors: objects whose dates wait for a clock that
 * does not advance, and refreshes that were never needed. Called at exit in checked mode; otherwise writes nothing. */
STM_API void stm_report(void);

#ifdef __cplusplus
}
#endif

#endif
