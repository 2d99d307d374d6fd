/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What each kind of region holds and has held. Not included by rt.h: for tools and tests.
 *
 * bytes_reserved of arenas is always counted. Objects and their bytes are counted while the option
 * `statistics` is 1 (environment TENURE_STATISTICS=1) or the debug level is at least 1; the arenas that
 * were begun before are not counted. Thread safe; not for signal handlers.
 */
#ifndef TENURE_STATISTICS_H
#define TENURE_STATISTICS_H

#include <stdint.h>

enum tn_region_kind {
    TN_KIND_LEXICAL,
    TN_KIND_DYNAMIC,
    TN_KIND_HEAP,
    TN_KIND_UNIQUE,
    TN_KIND_COUNTED,
    TN_KIND_COUNT
};

struct tn_region_statistics {
    int64_t objects_live, objects_live_peak;
    int64_t bytes_live, bytes_live_peak;
    int64_t bytes_reserved, bytes_reserved_peak;
};

/* Copies the numbers of all kinds. Those of different kinds may be of slightly different moments when
 * other threads run. */
void tn_statistics_read(struct tn_region_statistics out[TN_KIND_COUNT]);

/* "lexical", "dynamic", …: never NULL for a kind below TN_KIND_COUNT. */
const char *tn_region_kind_name(enum tn_region_kind kind);

/* From now on calls hook(context) whenever `every_bytes` more bytes have been reserved or given back or,
 * when objects are counted, born or died. One hook at a time; NULL for none. The hook is called in the
 * thread that allocates, between allocations; it may read statistics and must neither raise nor
 * allocate in a region. To be set while one thread runs. */
void tn_statistics_trace(void (*hook)(void *context), void *context, int64_t every_bytes);

/* Checks each page and object of all arenas that this thread has open, as far as the debug level laid
 * down what to check; ends the program with a message if one is damaged. Returns the objects seen. */
int64_t tn_arenas_validate(void);

#endif
