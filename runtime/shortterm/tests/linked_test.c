/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A program that knows the installed library alone, for each way to link it that the README names. Argument 1 is "scoped" where malloc is
 * directed to the library, "plain" where it is not. A constructor allocates before the library's own has run.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenure/shortterm.h>

static char *early;
static void *early_short;

__attribute__((constructor(102))) static void allocate_early(void) {
    early = malloc(100);
    early_short = stm_malloc(100);
}

static int failures, tests;

static void check(int holds, const char *what) {
    tests++;
    if (holds) return;
    failures++;
    printf("FAILED: %s\n", what);
}

/* Objects of each kind of call, kept, grown and freed as usual. */
static int ordinary(void) {
    char *kept = malloc(10), *zero = calloc(10, 10), *grown = NULL;
    void *aligned = aligned_alloc(64, 128), *placed = NULL;
    int placed_well = posix_memalign(&placed, 256, 100) == 0;
    for (size_t size = 1; size < 100000; size *= 3) {
        grown = realloc(grown, size);
        grown[size - 1] = 'x';
    }
    int well = zero[99] == 0 && (size_t)aligned % 64 == 0 && placed_well && (size_t)placed % 256 == 0 && malloc_usable_size(kept) >= 10;
    free(kept), free(zero), free(aligned), free(placed), free(grown);
    return well;
}

/* 100 MB in all, of which a period's 100 KB live. */
static int in_a_scope(void) {
    char *last = NULL;
    for (int i = 0; i < 1000; i++) {
        if (stm_scope_begin(0) != STM_OK) return 0;
        for (int k = 0; k < 100; k++) memset(last = malloc(1000), i, 1000);
        stm_scope_end();
        stm_tick();
    }
    return last != NULL && mallinfo2().uordblks < 10000000;
}

int main(int argc, char **argv) {
    int scoped = argc > 1 && strcmp(argv[1], "scoped") == 0;
    check(early != NULL && early_short != NULL, "a constructor allocates");
    free(early);
    stm_free(early_short);
    check(ordinary(), "malloc and its kin");
    void *object = stm_malloc(10);
    check(stm_refresh(object, 1) == STM_OK && stm_date_count(object) == 1, "a date");
    stm_tick(), stm_tick();
    check(scoped ? in_a_scope() : stm_scope_begin(0) == STM_NO_INTERPOSER, "a scope");
    check(ordinary(), "malloc and its kin, afterwards");
    printf("%d tests, %d failures\n", tests, failures);
    return failures != 0;
}
