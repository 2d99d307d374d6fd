/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * One-bug programs: for each raiser, the exact message and status of a program that does not catch it.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tenure/rt.h"

#include "harness.h"

static const struct tn_site pointer = {"test.cyc", 4, 9, "main", "p"};
static const struct tn_site element = {"sum.cyc", 14, 12, "sum", "a[i]"};
static const struct tn_site bare = {"test.cyc", 2, 0, NULL, NULL};

static void null_pointer(void) { tn_raise_null(&pointer); }
static void null_unknown(void) { tn_raise_null(&bare); }
static void null_nowhere(void) { tn_raise_null(NULL); }
static void index_too_large(void) { tn_raise_index(&element, 12, 10); }
static void index_negative(void) { tn_raise_index(&element, tn_index_i64(0, -3), 10); }
static void fat_null(void) { tn_raise_fat(&element, NULL, 0, 0); }
static void fat_past_end(void) { tn_raise_fat(&element, &element, 10, 10); }
static void fat_before_start(void) { tn_raise_fat(&element, &element, tn_fat_offset_i32(0, -1), 10); }
static void fat_empty(void) { tn_raise_fat(&element, &element, 0, 0); }
static void too_few(void) { tn_raise_numelts(&element, 3, 4); }
static void divided_by_zero(void) { tn_raise_div(&element, 0); }
static void quotient_too_large(void) { tn_raise_div(&element, -1); }
static void arithmetic(void) { tn_raise_arith(&bare); }
static void no_match(void) { tn_raise_match(&bare); }
static void wrong_tag(void) { tn_raise_tag(&element, 1, 2); }
static void past_zero(void) { tn_raise_zeroterm(&element); }
static const struct tn_site condition = {"test.cyc", 9, 5, "f", "i < n"};
static void assertion(void) { tn_raise_assert(&condition); }
static void no_memory(void) { tn_raise_alloc(&bare, 123); }
static void heap_exhausted(void) { (void)tn_heap_alloc((size_t)1 << 62, 8, &bare); }
static void arena_object_too_large(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    (void)tn_arena_alloc(&a, SIZE_MAX, 8, &bare);
}
static void quota_exhausted(void) {
    struct tn_arena a;
    tn_arena_enter(&a);
    tn_arena_set_quota(&a, 4096);
    (void)tn_arena_alloc(&a, 1000, 8, &bare);
    (void)tn_arena_alloc(&a, 5000, 8, &bare);
}
static void too_many_elements(void) { (void)tn_fat_len(UINT64_C(1) << 32, &bare); }

static void describe_failure(const void *exn, char *out, size_t size) {
    const struct failure {
        const struct tn_exn_tag *tag;
        const char *text;
    } *failure = exn;
    (void)snprintf(out, size, "%s", failure->text);
}
static const struct tn_exn_tag tag_Failure = {"Core::Failure", describe_failure};
static struct {
    const struct tn_exn_tag *tag;
    const char *text;
} failure = {&tag_Failure, "no such file"};
static void own_exception(void) { tn_throw(&failure, &bare); }

/* What was printed before the exception is not lost, and exit handlers run. */
static void say_bye(void) { (void)!write(STDERR_FILENO, "bye\n", 4); }
static void ends_in_order(void) {
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
    (void)setvbuf(stdout, NULL, _IOFBF, 4096);
    (void)printf("before\n");
    (void)atexit(say_bye);
    tn_raise_match(&bare);
}
static void throw_again(void) { tn_raise_match(&bare); }
static void throws_in_exit_handler(void) {
    (void)atexit(throw_again);
    tn_raise_arith(&bare);
}

static void rethrown(void) {
    struct tn_handler h;
    tn_handler_push(&h);
    if (TN_SETJMP(&h) == 0) tn_raise_index(&element, 12, 10);
    /* Another exception that is thrown and caught in the meantime does not replace the cause. */
    struct tn_handler inner;
    tn_handler_push(&inner);
    if (TN_SETJMP(&inner) == 0) tn_raise_null(&pointer);
    tn_rethrow(&h);
}

#define AT_ACCESS "  at sum.cyc:14:12 in sum: a[i]\n"
#define AT_BARE "  at test.cyc:2\n"

static void every_raiser_has_its_message(void) {
    CHECK_ENDS(null_pointer, 1, "uncaught exception Null_Exception: p is NULL\n  at test.cyc:4:9 in main\n");
    CHECK_ENDS(null_unknown, 1, "uncaught exception Null_Exception: pointer is NULL\n" AT_BARE);
    CHECK_ENDS(null_nowhere, 1, "uncaught exception Null_Exception: pointer is NULL\n");
    CHECK_ENDS(index_too_large, 1, "uncaught exception Array_bounds: index 12, size 10\n" AT_ACCESS);
    CHECK_ENDS(index_negative, 1, "uncaught exception Array_bounds: index -3, size 10\n" AT_ACCESS);
    CHECK_ENDS(fat_null, 1, "uncaught exception Null_Exception: pointer is NULL\n" AT_ACCESS);
    CHECK_ENDS(fat_past_end, 1, "uncaught exception Array_bounds: index 10, size 10\n" AT_ACCESS);
    CHECK_ENDS(fat_before_start, 1, "uncaught exception Array_bounds: index -1, size 10\n" AT_ACCESS);
    CHECK_ENDS(fat_empty, 1, "uncaught exception Array_bounds: index 0, size 0\n" AT_ACCESS);
    CHECK_ENDS(too_few, 1, "uncaught exception Array_bounds: 4 elements needed, 3 there\n" AT_ACCESS);
    CHECK_ENDS(divided_by_zero, 1, "uncaught exception Arithmetic_Exception: division by zero\n" AT_ACCESS);
    CHECK_ENDS(quotient_too_large, 1, "uncaught exception Arithmetic_Exception: quotient out of range\n" AT_ACCESS);
    CHECK_ENDS(arithmetic, 1,
               "uncaught exception Arithmetic_Exception: division by zero or quotient out of range\n" AT_BARE);
    CHECK_ENDS(no_match, 1, "uncaught exception Match_Exception: no case matches\n" AT_BARE);
    CHECK_ENDS(wrong_tag, 1, "uncaught exception Match_Exception: member 1 is set, member 2 is read\n" AT_ACCESS);
    CHECK_ENDS(assertion, 1, "uncaught exception Assert_Exception: i < n does not hold\n  at test.cyc:9:5 in f\n");
    CHECK_ENDS(past_zero, 1, "uncaught exception Array_bounds: the terminating zero is passed\n" AT_ACCESS);
}

static void allocations_that_fail_have_their_message(void) {
    CHECK_ENDS(no_memory, 1, "uncaught exception Bad_alloc: 123 bytes\n" AT_BARE);
    if (!under_asan() && !under_valgrind()) /* their malloc ends the program instead of returning NULL */
        CHECK_ENDS(heap_exhausted, 1, "uncaught exception Bad_alloc: 4611686018427387904 bytes\n" AT_BARE);
    CHECK_ENDS(arena_object_too_large, 1, "uncaught exception Bad_alloc: 18446744073709551615 bytes\n" AT_BARE);
    CHECK_ENDS(quota_exhausted, 1, "uncaught exception Region_Exhausted: 5000 bytes, quota 4096 bytes\n" AT_BARE);
    CHECK_ENDS(too_many_elements, 1, "uncaught exception Bad_alloc: 4294967296 bytes\n" AT_BARE);
}

static void an_uncaught_exception_ends_in_order(void) {
    CHECK_ENDS(own_exception, 1, "uncaught exception Core::Failure: no such file\n" AT_BARE);
    CHECK_ENDS(ends_in_order, 1, "before\nuncaught exception Match_Exception: no case matches\n" AT_BARE "bye\n");
    CHECK_ENDS(throws_in_exit_handler, 1,
               "uncaught exception Arithmetic_Exception: division by zero or quotient out of range\n" AT_BARE
               "uncaught exception Match_Exception: no case matches\n" AT_BARE);
    CHECK_ENDS(rethrown, 1, "uncaught exception Array_bounds: index 12, size 10\n" AT_ACCESS);
}

const struct test tests[] = {
    {"every raiser has its message", every_raiser_has_its_message},
    {"allocations that fail have their message", allocations_that_fail_have_their_message},
    {"an uncaught exception ends in order", an_uncaught_exception_ends_in_order},
    {NULL, NULL},
};
