/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Little memory: under a limit of address space, each allocation either succeeds or is refused, and the program goes on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

/* Allocates objects of that size until none is left, then frees all and can allocate again; 0 if so. */
static int exhaust(size_t size) {
    struct node {
        struct node *next;
    } *all = NULL;
    size_t count = 0;
    for (;;) {
        errno = 0;
        struct node *node = malloc(size);
        if (node == NULL) break;
        memset(node, 1, size < 64 ? size : 64);
        node->next = all;
        all = node;
        if (++count * size > (size_t)4 << 30) return 3;
    }
    if (errno != ENOMEM || count == 0) return 4;
    while (all != NULL) {
        struct node *next = all->next;
        free(all);
        all = next;
    }
    for (size_t i = 0; i < count / 2; i++) {
        struct node *node = malloc(size);
        if (node == NULL) return 5;
        node->next = all;
        all = node;
    }
    return 0;
}

static void check_exhaust(size_t limit, size_t size) {
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limits = {limit, limit};
        setrlimit(RLIMIT_AS, &limits);
        _exit(exhaust(size));
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) printf("limit %zu, size %zu: wait status %#x\n", limit, size, (unsigned)status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void memory_that_runs_out_is_refused_and_found_again(void) {
    for (size_t limit = (size_t)150 << 20; limit <= (size_t)210 << 20; limit += (size_t)60 << 20) {
        check_exhaust(limit, 48);
        check_exhaust(limit, 3000);
        check_exhaust(limit, 50000);
        check_exhaust(limit, 3000000);
    }
}

const struct test tests[] = {
    {"memory that runs out is refused and found again", memory_that_runs_out_is_refused_and_found_again},
    {NULL, NULL},
};
