/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Words, fat pointers, conversions and zero-terminated sequences.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "tenure/rt.h"

#include "harness.h"

static void words_keep_all_bits(void) {
    CHECK(tn_word_to_i64(tn_word_from_i64(INT64_MIN)) == INT64_MIN);
    CHECK(tn_word_to_u64(tn_word_from_u64(UINT64_MAX)) == UINT64_MAX);
    CHECK(tn_word_to_f64(tn_word_from_f64(-0.1)) == -0.1);
    CHECK(tn_word_to_f32(tn_word_from_f32(3.25f)) == 3.25f);
    CHECK(signbit(tn_word_to_f64(tn_word_from_f64(-0.0))));
    CHECK(isnan(tn_word_to_f64(tn_word_from_f64(NAN))));
}

static void short_steps_wrap_and_come_back(void) {
    CHECK(tn_fat_offset_i32(tn_fat_offset_i32(0, -1), 1) == 0);
    CHECK(tn_fat_offset_i32(tn_fat_offset_i32(3, INT_MIN), INT_MIN) == 3);
    CHECK(tn_fat_offset_i32(5, 7) == 12);
    CHECK(tn_fat_offset_i32(5, -7) == UINT32_MAX - 1);
}

static void positions_below_the_first_element_are_negative(void) {
    CHECK(tn_fat_position(0, 10) == 0);
    CHECK(tn_fat_position(10, 10) == 10);
    CHECK(tn_fat_position(UINT32_MAX, 10) == -1);
    CHECK(tn_fat_position(INT32_MAX, 10) == INT32_MAX);
    CHECK(tn_fat_position(UINT32_C(1) << 31, 10) == INT32_MIN);
    CHECK(tn_fat_position(UINT32_MAX, 0) == -1);
}

static void positions_of_long_objects_reach_to_their_ends(void) {
    const uint32_t len = UINT32_C(3000000000);
    CHECK(tn_fat_position(len - 1, len) == len - 1);
    CHECK(tn_fat_position(len, len) == len);
    CHECK(tn_fat_position(UINT32_MAX, len) == -1);
    CHECK(tn_fat_position(len + 1, len) == (int64_t)len - UINT32_MAX);
    CHECK(tn_fat_position(UINT32_MAX, UINT32_MAX) == UINT32_MAX);
    CHECK(tn_fat_position(INT32_MAX, INT32_MAX) == INT32_MAX);
}

static void long_steps_lead_to_positions_alone(void) {
    CHECK(!tn_fat_step_leaves(5, 10, INT32_MAX));
    CHECK(!tn_fat_step_leaves(5, 10, INT32_MIN));
    CHECK(tn_fat_step_leaves(5, 10, INT64_C(1) << 31));
    CHECK(tn_fat_step_leaves(5, 10, INT64_C(1) << 32));
    CHECK(tn_fat_step_leaves(5, 10, INT64_MIN));
    CHECK(tn_fat_step_leaves(5, 10, INT64_MAX));
    CHECK(tn_fat_step_leaves(5, 10, UINT32_MAX));
    CHECK(!tn_fat_step_leaves(UINT32_C(1) << 31, 10, UINT32_MAX));
    CHECK(!tn_fat_step_leaves(0, UINT32_C(3000000000), INT64_C(3000000000)));
    CHECK(tn_fat_step_leaves(0, UINT32_C(3000000000), INT64_C(3000000001)));
    CHECK(!tn_fat_step_leaves(UINT32_C(3000000000), UINT32_C(3000000000), INT64_C(-3000000000)));
    CHECK(!tn_fat_step_leaves(5, 10, (int64_t)(uint64_t)-2));
}

static void wide_subscripts_do_not_wrap(void) {
    CHECK(tn_index_i64(5, -2) == 3);
    CHECK(tn_index_i64(5, INT64_C(1) << 32) == (UINT64_C(1) << 32) + 5);
    CHECK(tn_index_i64(5, -6) == UINT64_MAX);
    CHECK(tn_index_u64(5, UINT64_MAX) == 4);
    CHECK(tn_index_i32(5, -6) == UINT32_MAX);
}

static void elements_are_counted_from_the_current_one(void) {
    CHECK(tn_fat_numelts(0, 0) == 0);
    CHECK(tn_fat_numelts(3, 10) == 7);
    CHECK(tn_fat_numelts(10, 10) == 0);
    CHECK(tn_fat_numelts(UINT32_MAX, 10) == 0);
}

static void sizes_saturate(void) {
    CHECK(tn_size_mul(SIZE_MAX / 2, 3) == SIZE_MAX);
    CHECK(tn_size_mul(6, 7) == 42);
    CHECK(tn_size_add(SIZE_MAX, 1) == SIZE_MAX);
}

static void floats_saturate_to_integers(void) {
    CHECK(tn_f64_to_i32(1e10) == INT32_MAX && tn_f64_to_i32(-1e10) == INT32_MIN);
    CHECK(tn_f64_to_i32(2147483647.9) == INT32_MAX && tn_f64_to_i32(-2147483648.9) == INT32_MIN);
    CHECK(tn_f64_to_i32(-1.9) == -1 && tn_f64_to_i32(1.9) == 1);
    CHECK(tn_f64_to_i32(NAN) == 0 && tn_f32_to_u64(NAN) == 0 && tn_f80_to_i8((long double)NAN) == 0);
    CHECK(tn_f64_to_i64(INFINITY) == INT64_MAX && tn_f64_to_i64(-INFINITY) == INT64_MIN);
    CHECK(tn_f64_to_i64(0x1p63) == INT64_MAX && tn_f64_to_i64(-0x1p63) == INT64_MIN);
    CHECK(tn_f64_to_u64(0x1p64) == UINT64_MAX && tn_f64_to_u64(0x1p63) == UINT64_C(1) << 63);
    CHECK(tn_f64_to_u8(-0.5) == 0 && tn_f64_to_u8(255.5) == 255 && tn_f64_to_u8(256) == 255);
    CHECK(tn_f32_to_i32(0x1p31f) == INT32_MAX && tn_f32_to_i32(-0x1p31f) == INT32_MIN);
    CHECK(tn_f32_to_u32(4294967040.0f) == 4294967040U && tn_f32_to_i16(-40000.0f) == INT16_MIN);
    CHECK(tn_f64_to_i128(0x1p100) == (tn_i128)1 << 100 && tn_f32_to_u128(0x1p127f) == (tn_u128)1 << 127);
    CHECK(tn_f64_to_i128(-0x1p127) == -tn_f64_to_i128(INFINITY) - 1 && tn_f80_to_u128(-1.0L) == 0);
    CHECK(tn_f64_to_u128(0x1p128) == ~(tn_u128)0 && tn_f32_to_i128((float)NAN) == 0);
    CHECK(tn_f80_to_i64(9223372036854775807.0L) == INT64_MAX && tn_f80_to_u64(18446744073709551615.0L) == UINT64_MAX);
}

static void a_zero_is_reached_and_not_passed(void) {
    CHECK(tn_zt_reaches_1("abc", 0) && tn_zt_reaches_1("abc", 3) && !tn_zt_reaches_1("abc", 4));
    CHECK(!tn_zt_reaches_1("abc", SIZE_MAX) && tn_zt_reaches_1("", 0) && !tn_zt_reaches_1("", 1));
    uint16_t two[] = {1, 256, 0};
    uint32_t four[] = {1, 65536, 0};
    void *eight[] = {two, four, NULL};
    CHECK(tn_zt_reaches_2(two, 2) && !tn_zt_reaches_2(two, 3));
    CHECK(tn_zt_reaches_4(four, 2) && !tn_zt_reaches_4(four, 3));
    CHECK(tn_zt_reaches_8(eight, 2) && !tn_zt_reaches_8(eight, 3));
    CHECK(tn_zt_numelts_1("abc", NULL) == 4 && tn_zt_numelts_1(NULL, NULL) == 0);
    CHECK(tn_zt_numelts_2(two, NULL) == 3 && tn_zt_numelts_4(four, NULL) == 3 && tn_zt_numelts_8(eight, NULL) == 3);
}

static void a_zero_is_looked_for_from_the_current_element(void) {
    static const char text[] = "ab\0cd";
    CHECK(tn_fat_has_zero_1(text, 0, 6) && tn_fat_has_zero_1(text, 2, 3) && tn_fat_has_zero_1(text, 3, 6));
    CHECK(!tn_fat_has_zero_1(text, 0, 2) && !tn_fat_has_zero_1(text, 3, 5) && !tn_fat_has_zero_1(text, 6, 6));
    CHECK(!tn_fat_has_zero_1(NULL, 0, 0) && !tn_fat_has_zero_1(text, UINT32_MAX, 6));
    uint32_t four[] = {1, 65536, 0};
    CHECK(tn_fat_has_zero_4(four, 1, 3) && !tn_fat_has_zero_4(four, 0, 2));
}

TN_FAT_DECLARE(fat_char, char);
TN_FAT_DECLARE(fat_fat_char, struct fat_char);

static void arguments_are_fat_strings(void) {
    struct fat_fat_char args = {test_arguments.base, test_arguments.idx, test_arguments.len};
    /* As in C, NULL comes behind the last. */
    CHECK(args.len == (uint32_t)test_argc + 1 && args.idx == 0 && args.base[test_argc].base == NULL && args.base[test_argc].len == 0);
    for (uint32_t i = 0; i < (uint32_t)test_argc; i++) {
        struct fat_char arg = args.base[i];
        CHECK(arg.idx == 0 && arg.len == strlen(test_argv[i]) + 1 && strcmp(arg.base, test_argv[i]) == 0);
    }
}

const struct test tests[] = {
    {"words keep all bits", words_keep_all_bits},
    {"short steps wrap and come back", short_steps_wrap_and_come_back},
    {"positions below the first element are negative", positions_below_the_first_element_are_negative},
    {"positions of long objects reach to their ends", positions_of_long_objects_reach_to_their_ends},
    {"long steps lead to positions alone", long_steps_lead_to_positions_alone},
    {"wide subscripts do not wrap", wide_subscripts_do_not_wrap},
    {"elements are counted from the current one", elements_are_counted_from_the_current_one},
    {"sizes saturate", sizes_saturate},
    {"floats saturate to integers", floats_saturate_to_integers},
    {"a zero is reached and not passed", a_zero_is_reached_and_not_passed},
    {"a zero is looked for from the current element", a_zero_is_looked_for_from_the_current_element},
    {"arguments are fat strings", arguments_are_fat_strings},
    {NULL, NULL},
};
