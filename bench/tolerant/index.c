/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: index churn|grow NODES LEAKED-MB OPERATIONS [oracle]
 * A hash index that is looked up all the time, most often at its popular entries, beside a site that leaks. `churn`
 * replaces entries; `grow` only adds them, interleaved with the leak. `oracle` gives the leak pages of its own: what a
 * malloc could reach that knew which site leaks. Prints operations a second and major faults.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

struct node {
    struct node *next;
    uint64_t key;
    char value[48];
};

#define SLOTS (1u << 16)
static struct node *slots[SLOTS];
static uint64_t state = 88172645463325252u;
static char *leak_cursor, *leak_limit;
static int oracle;
static void *volatile sink;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void *checked(void *object) {
    if (object == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return object;
}

/* A wrapper, as most programs have one. */
static __attribute__((noinline)) void *xmalloc(size_t size) { return checked(malloc(size)); }

static __attribute__((noinline)) void add_node(uint64_t key) {
    struct node *node = xmalloc(sizeof *node);
    node->key = key;
    memset(node->value, (int)key, sizeof node->value);
    node->next = slots[key % SLOTS];
    slots[key % SLOTS] = node;
}

static __attribute__((noinline)) void leak_session(void) {
    size_t size = sizeof(struct node);
    char *session;
    if (!oracle) {
        session = xmalloc(size);
    } else {
        if (leak_cursor + size > leak_limit) {
            leak_cursor = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            leak_limit = leak_cursor + (1 << 20);
        }
        session = leak_cursor;
        leak_cursor += size;
    }
    memset(session, 1, size);
    sink = session;
}

/* Popular keys come up more often: the smaller of two. */
static uint64_t popular(uint64_t nodes) {
    uint64_t a = next_random() % nodes, b = next_random() % nodes;
    return a < b ? a : b;
}

static void look_up(uint64_t key) {
    for (struct node *node = slots[key % SLOTS]; node != NULL; node = node->next)
        if (node->key == key) {
            node->value[0]++;
            return;
        }
}

static void replace(uint64_t key) {
    for (struct node **link = &slots[key % SLOTS]; *link != NULL; link = &(*link)->next)
        if ((*link)->key == key) {
            struct node *old = *link;
            *link = old->next;
            free(old);
            add_node(key);
            return;
        }
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    int grows = strcmp(arguments[1], "grow") == 0;
    uint64_t nodes = strtoull(arguments[2], NULL, 10);
    uint64_t leaks = (strtoull(arguments[3], NULL, 10) << 20) / sizeof(struct node);
    uint64_t operations = strtoull(arguments[4], NULL, 10);
    oracle = count > 5;
    uint64_t present = grows ? nodes / 10 : nodes;
    for (uint64_t key = 0; key < present; key++) add_node(key);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    uint64_t leaked = 0;
    for (uint64_t i = 0; i < operations; i++) {
        look_up(popular(present));
        if (grows && i * nodes / operations > present) add_node(present++);
        if (!grows && i % 4 == 0) replace(next_random() % nodes);
        for (; leaked < leaks * i / operations; leaked++) leak_session();
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    printf("%.0f operations/s, %ld major faults, peak %ld KiB\n", (double)operations / seconds, usage.ru_majflt,
           usage.ru_maxrss);
    return 0;
}
