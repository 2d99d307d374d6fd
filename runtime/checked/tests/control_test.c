/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Negative controls: programs in which one touch is missing, each beside the same one with it. In the tagged form a reference is no
 * address of the machine's; in the trapping form where objects were is closed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

/* Fills some blocks, so that what is deleted or moved goes away. */
static void *volatile refs[2000];
static void fill(void) {
    for (int i = 0; i < 2000; i++) {
        refs[i] = tnc_new(100, TNC_HERE);
        *(volatile int *)tnc_touch(refs[i], TNC_HERE) = i;
    }
}

static volatile int got;

#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
static void follows_a_reference(void) {
    fill();
    got = *(volatile int *)refs[5];
}
static void follows_a_middle(void) {
    fill();
    got = *(volatile int *)tn_interior(refs[5], 4);
}
static void follows_an_address(void) {
    fill();
    if (*(volatile int *)tnc_touch(refs[5], TNC_HERE) != 5) abort();
    if (*(volatile int *)tn_address(refs[5]) != 5) abort();
}
static void a_reference_is_no_address(void) {
    CHECK_CHILD(follows_a_reference, 1, NULL);
    CHECK_CHILD(follows_a_middle, 1, NULL);
    CHECK_CHILD(follows_an_address, 0, NULL);
}
#else
#define SAYS "checked heap: an address was used that no touch gave since the object moved or went"

static void keeps_an_address_over_a_poll(void) {
    fill();
    volatile int *at = tnc_touch(refs[5], TNC_HERE);
    tnc_poll();
    got = *at;
}
static void touches_again_after_a_poll(void) {
    fill();
    volatile int *at = tnc_touch(refs[5], TNC_HERE);
    got = *at;
    tnc_poll();
    at = tnc_touch(refs[5], TNC_HERE);
    if (*at != 5) abort();
}
static void keeps_an_address_over_a_delete(void) {
    fill();
    volatile int *at = tnc_touch(refs[5], TNC_HERE);
    tnc_delete(refs[700], TNC_HERE);
    *at = 6;
}
static void pins_over_a_delete(void) {
    fill();
    volatile int *at = tnc_pin(refs[5], TNC_HERE);
    tnc_delete(refs[700], TNC_HERE);
    tnc_delete(refs[5], TNC_HERE);
    tnc_poll();
    if (*at != 5) abort();
    tnc_unpin(refs[5]);
}
static void keeps_a_large_address(void) {
    char *ref = tnc_new(100000, TNC_HERE), *at = tnc_touch(ref, TNC_HERE);
    tnc_delete(ref, TNC_HERE);
    got = ((volatile char *)at)[50000];
}
static void follows_a_reference(void) {
    fill();
    tnc_poll();
    got = *(volatile int *)refs[5];
}
static void a_missing_touch_is_found(void) {
    CHECK_CHILD(keeps_an_address_over_a_poll, 1, SAYS);
    CHECK_CHILD(touches_again_after_a_poll, 0, NULL);
    CHECK_CHILD(keeps_an_address_over_a_delete, 1, SAYS);
    CHECK_CHILD(pins_over_a_delete, 0, NULL);
    CHECK_CHILD(keeps_a_large_address, 1, SAYS);
    CHECK_CHILD(follows_a_reference, 1, SAYS);
}
#endif

const struct test tests[] = {
#if TN_CHECKED_FORM == TN_CHECKED_TAGGED
    {"a reference is no address", a_reference_is_no_address},
#else
    {"a missing touch is found", a_missing_touch_is_found},
#endif
    {NULL, NULL},
};
