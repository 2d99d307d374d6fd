/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: index churn|grow NODES OPERATIONS LEAK-PERCENT [reachable] [oracle]
 * A hash index that is looked up all the time, most often at its popular entries, beside a site that leaks: in
 * LEAK-PERCENT of the operations a session of an entry's size begins that never ends, in a list that nobody walks
 * (reachable) or forgotten. `churn` replaces an entry with every fourth operation; `grow` begins with a tenth of them and
 * only adds, interleaved with the leak. `oracle` gives sessions pages of their own: what a malloc could reach that knew
 * which site leaks. Prints operations a second and major faults.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "load.h"

struct node {
    struct node *next;
    uint64_t key;
    char value[48];
};

#define SLOTS (1u << 16)
static struct node *slots[SLOTS];
static uint64_t state = 88172645463325252u;
static int oracle, reachable;
static struct session {
    struct session *next;
    char state[sizeof(struct node) - sizeof(void *)];
} *sessions;
static void *volatile forgotten;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* A wrapper, as most programs have one. */
static __attribute__((noinline)) void *xmalloc(size_t size, int leaks) {
    void *object = oracle && leaks ? leaking_sites_malloc(size) : malloc(size);
    if (object == NULL) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    return object;
}

static __attribute__((noinline)) void add_node(uint64_t key) {
    note_step();
    struct node *node = xmalloc(sizeof *node, 0);
    node->key = key;
    memset(node->value, (int)key, sizeof node->value);
    node->next = slots[key % SLOTS];
    slots[key % SLOTS] = node;
}

static __attribute__((noinline)) void start_session(void) {
    note_step();
    struct session *session = xmalloc(sizeof *session, 1);
    memset(session->state, 1, sizeof session->state);
    session->next = NULL;
    if (reachable) {
        session->next = sessions;
        sessions = session;
    }
    forgotten = session;
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
    uint64_t operations = strtoull(arguments[3], NULL, 10);
    uint64_t percent = strtoull(arguments[4], NULL, 10);
    for (int i = 5; i < count; i++) {
        reachable |= strcmp(arguments[i], "reachable") == 0;
        oracle |= strcmp(arguments[i], "oracle") == 0;
    }
    uint64_t present = grows ? nodes / 10 : nodes;
    for (uint64_t key = 0; key < present; key++) add_node(key);
    pid_t self = getpid();
    double start = time_without_waiting(self);
    for (uint64_t i = 0; i < operations; i++) {
        look_up(popular(present));
        if (grows && i * nodes / operations > present) add_node(present++);
        if (!grows && i % 4 == 0) replace(next_random() % nodes);
        if (next_random() % 100 < percent) start_session();
    }
    double seconds = time_without_waiting(self) - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.0f operations/s, %ld major faults, peak %ld KiB\n", (double)operations / seconds, usage.ru_majflt,
           usage.ru_maxrss);
    return 0;
}
