/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The aging queue: what looks may take, and which pages they learn of. Linked with the static library. To be run with
 * TENURE_TOLERANT_COLD_SECONDS=1 and no report.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "subject.h"
#include "tenure/tolerant.h"
#include "tolerant/aging.h"

enum { SIZE = 64, MANY = 400000 };
static char *objects[MANY];

static struct tn_tolerant_statistics statistics(void) {
    struct tn_tolerant_statistics now;
    tn_tolerant_statistics(&now, sizeof now);
    return now;
}

static uint64_t wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void the_target_takes_the_papers_steps(void) {
    enum { SHARE = 10, SECOND = 1000000000 }; /* one percent: the target stays from half a percent to one and a half */
    struct tt_aging aging = {.active = 640, .inactive = 320, .target = 320};
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 4, SECOND, SHARE) == 320 + 320 / 32);
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 6, SECOND, SHARE) == 320);
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 14, SECOND, SHARE) == 320);
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 16, SECOND, SHARE) == 320 - 320 / 8);
    aging.active = 10;
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 4, SECOND, SHARE) == 320 + 8);
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 16, SECOND, SHARE) == 320 - 8);
    aging.target = 5;
    CHECK(tt_aging_adapt(aging, SECOND / 1000 * 16, SECOND, SHARE) == 0);
    /* A list that is not full asks for no more room. */
    aging.target = 400;
    CHECK(tt_aging_adapt(aging, 0, SECOND, SHARE) == 400);
}

/* Each look is paid for by processor time that the program had before the next; only the last is not yet. */
static void looks_stay_within_their_share_of_the_processors_time(void) {
    uint64_t start = wall();
    struct tn_tolerant_statistics now = statistics();
    unsigned state = 1;
    for (unsigned round = 0; round < 1000 && now.looks < 4; round++) {
        for (unsigned i = 0; i < MANY / 4; i++) {
            unsigned at = next_random(&state) % MANY;
            free(objects[at]);
            objects[at] = memset(malloc(SIZE), 1, SIZE);
        }
        now = statistics();
    }
    double had = (double)now.process_nanoseconds + (double)(wall() - start) / 32;
    double paid = (double)(now.look_nanoseconds - now.longest_look_nanoseconds);
    printf("%u looks took %.3f%% of the processor time\n", now.looks,
           100 * (double)now.look_nanoseconds / (double)now.process_nanoseconds);
    CHECK(now.looks >= 4);
    CHECK(paid <= had * 0.01);
}

static void look(void) {
    usleep(250000);
    CHECK(tn_tolerant_look());
}

static uint64_t touch_some(unsigned from, unsigned to) {
    uint64_t sum = 0;
    for (unsigned i = from; i < to; i++) sum += (uint64_t)(objects[i] != NULL ? objects[i][8] : 0);
    return sum;
}

/* Few runs may be watched at a time. Those that are used take turns, and those that nobody uses are found all the same:
 * what is cold makes room for others. */
static void with_few_inactive_runs_all_cold_pages_are_found_in_turn(void) {
    for (unsigned i = 0; i < MANY; i++) free(objects[i]);
    for (unsigned i = 0; i < MANY; i++) objects[i] = memset(malloc(SIZE), 1, SIZE);
    uint64_t sum = 0;
    unsigned most = 0;
    for (unsigned i = 0; i < 30; i++) {
        tt_aging_now.target = 4;
        look();
        if (i > 2 && statistics().inactive_runs > most) most = statistics().inactive_runs;
        sum += touch_some(0, MANY / 4);
    }
    struct tn_tolerant_statistics now = statistics();
    printf("%u inactive at a time, %u active, %llu KiB of %llu cold\n", most, now.active_runs,
           (unsigned long long)now.cold_bytes >> 10, (unsigned long long)MANY * SIZE >> 10);
    CHECK(sum != 0 && most > 0 && most <= 4);
    CHECK(now.active_runs > 0);
    CHECK(now.cold_bytes > (uint64_t)MANY * SIZE / 2 && now.cold_bytes <= (uint64_t)MANY * SIZE);
}

const struct test tests[] = {
    {"the target takes the paper's steps", the_target_takes_the_papers_steps},
    {"looks stay within their share of the processor's time", looks_stay_within_their_share_of_the_processors_time},
    {"with few inactive runs all cold pages are found in turn", with_few_inactive_runs_all_cold_pages_are_found_in_turn},
    {NULL, NULL},
};
