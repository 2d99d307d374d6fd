/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: lru <TOUCHES
 * Of a trace of touches.c: how many faults a memory of each size would have under the least recently used order (Mattson
 * and others, 1970, with a tree of counts, as Bennett and Kruskal, 1975). A page's first touch is none: nothing has to
 * be read for it. Prints a line `PAGES FAULTS` for each size at which the number changes, and `pages N touches N` last.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 1 << 22, PLACES = 1 << 22 };

static struct {
    uint64_t page;
    uint32_t time; /* of its last touch; 0: never */
} places[PLACES];
static uint32_t tree[TIMES + 1];   /* counts of pages whose last touch is at a time */
static uint32_t place_at[TIMES + 1]; /* whose last touch it is */
static uint64_t faults_at[PLACES];   /* touches that found so many other pages used since */
static uint32_t pages, now;

static void add(uint32_t time, int32_t more) {
    for (; time <= TIMES; time += time & -time) tree[time] += (uint32_t)more;
}

static uint32_t count_to(uint32_t time) {
    uint32_t sum = 0;
    for (; time > 0; time -= time & -time) sum += tree[time];
    return sum;
}

static uint32_t place_of(uint64_t page) {
    uint32_t i = (uint32_t)(page * UINT64_C(0x9E3779B97F4A7C15) >> 42);
    while (places[i].time != 0 && places[i].page != page) i = (i + 1) % PLACES;
    return i;
}

/* Numbers the times anew, without those that no page has any more. */
static void renumber(void) {
    uint32_t kept = 0;
    for (uint32_t t = 1; t <= now; t++) {
        uint32_t place = place_at[t];
        if (places[place].time != t) continue;
        places[place].time = ++kept;
        place_at[kept] = place;
    }
    for (uint32_t t = 1; t <= TIMES; t++) tree[t] = 0;
    for (uint32_t t = 1; t <= kept; t++) add(t, 1);
    now = kept;
}

static int touch(uint64_t page) {
    if (now == TIMES) renumber();
    uint32_t place = place_of(page), last = places[place].time;
    if (last == 0) {
        if (++pages > PLACES / 2 || pages > TIMES / 2) return 0;
        places[place].page = page;
    } else {
        faults_at[pages - count_to(last)]++;
        add(last, -1);
    }
    places[place].time = ++now;
    place_at[now] = place;
    add(now, 1);
    return 1;
}

int main(void) {
    uint64_t page, touches = 0, faults = 0;
    for (; fread(&page, sizeof page, 1, stdin) == 1; touches++)
        if (!touch(page)) {
            fputs("lru: too many pages\n", stderr);
            return 1;
        }
    /* A memory of n pages keeps what at most n - 1 others were used since. */
    for (uint32_t other = pages; other-- > 0;) {
        if (faults_at[other] == 0) continue;
        printf("%u %llu\n", other + 1, (unsigned long long)faults);
        faults += faults_at[other];
    }
    printf("0 %llu\npages %u touches %llu\n", (unsigned long long)faults, pages, (unsigned long long)touches);
    return 0;
}
