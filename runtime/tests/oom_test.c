/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Out of memory at every point: the N-th allocation fails, for each N until none fails. Linked with --wrap, so that
 * each request for memory of the runtime passes here.
 */
#include <stdlib.h>
#include <string.h>

#include "tenure/rt.h"
#include "tenure/statistics.h"

#include "harness.h"

/* How many requests are granted before one is refused; negative: all are. */
static int grants = -1;
static int refused;

static int refuse(void) {
    if (grants < 0) return 0;
    if (grants-- > 0) return 0;
    refused++;
    return 1;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__real_tn_os_map(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
void *__wrap_tn_os_map(size_t size);
void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refuse() ? NULL : __real_calloc(count, size); }
void *__wrap_aligned_alloc(size_t align, size_t size) { return refuse() ? NULL : __real_aligned_alloc(align, size); }
void *__wrap_tn_os_map(size_t size) { return refuse() ? NULL : __real_tn_os_map(size); }

/* Uses every kind of allocation. Frees what it takes from the heap, which a compiled program would not. */
static void use_memory(void) {
    struct tn_arena outer, inner;
    tn_arena_enter(&outer);
    memset(tn_arena_alloc(&outer, 10000, 8, NULL), 1, 10000);
    tn_arena_enter(&inner);
    for (int i = 0; i < 100; i++) memset(tn_arena_alloc_zero(&inner, 5000, 32, NULL), 2, 5000);
    memset(tn_arena_alloc(&inner, 3000000, 8, NULL), 3, 3000000);
    free(tn_heap_alloc(100, 8, NULL));
    free(tn_arena_alloc(&tn_heap, 100, 128, NULL));
    tn_unique_free(tn_unique_alloc(100, 8, NULL));
    tn_counted_drop(tn_counted_alloc_zero(100, 64, NULL));
    tn_dynamic_free_unique(tn_dynamic_new_unique(NULL));
    tn_dynamic_drop_counted(tn_dynamic_new_counted(NULL));
    tn_arena_exit(&inner);
    tn_arena_exit(&outer);
}

static void every_failure_is_an_exception_and_loses_nothing(void) {
    struct tn_region_statistics before[TN_KIND_COUNT], after[TN_KIND_COUNT];
    tn_statistics_read(before);
    volatile int failures = 0;
    for (volatile int n = 0; n < 10000; n++) {
        volatile int raised = 0;
        refused = 0;
        grants = n;
        struct tn_handler h;
        tn_handler_push(&h);
        if (TN_SETJMP(&h) == 0) {
            use_memory();
            tn_handler_pop(&h);
        } else {
            raised = 1;
            CHECK(tn_caught(&h) == &tn_exn_Bad_alloc);
        }
        grants = -1;
        CHECK(raised == refused && tn_frames == NULL);
        tn_statistics_read(after);
        CHECK(after[TN_KIND_LEXICAL].bytes_reserved == before[TN_KIND_LEXICAL].bytes_reserved);
        if (!refused) break;
        failures++;
    }
    CHECK(failures >= 3);
    CHECK(failures < 1000);
}

const struct test tests[] = {
    {"every failure is an exception and loses nothing", every_failure_is_an_exception_and_loses_nothing},
    {NULL, NULL},
};
