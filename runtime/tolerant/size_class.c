/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/size_class.h"

#define DOUBLING(s) 9 * (s), 10 * (s), 11 * (s), 12 * (s), 13 * (s), 14 * (s), 15 * (s), 16 * (s)
#define TWICE(c) c, c
#define FOUR_TIMES(c) c, c, c, c

/* Beside the table of addresses that each allocation reads: a page less to map, for each process that is forked. */
#define BESIDE_ADDRESSES __attribute__((section(".data.rel.ro")))

BESIDE_ADDRESSES const uint8_t tt_class_table[] = {
    0,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, /* to 256 */
    TWICE(16), TWICE(17), TWICE(18), TWICE(19), TWICE(20), TWICE(21), TWICE(22), TWICE(23), /* to 512 */
    FOUR_TIMES(24), FOUR_TIMES(25), FOUR_TIMES(26), FOUR_TIMES(27), /* to 1024 */
    FOUR_TIMES(28), FOUR_TIMES(29), FOUR_TIMES(30), FOUR_TIMES(31),
};
_Static_assert(sizeof tt_class_table == TT_TABLE_MOST / TT_GRAIN + 1, "the header declares it");

BESIDE_ADDRESSES const uint16_t tt_class_sizes[] = {
    0, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256,
    DOUBLING(32), DOUBLING(64), DOUBLING(128), DOUBLING(256), DOUBLING(512), DOUBLING(1024), DOUBLING(2048),
};
_Static_assert(sizeof tt_class_sizes == (TT_CLASSES + 1) * sizeof *tt_class_sizes, "the header declares it");
