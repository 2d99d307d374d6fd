/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Question: what does an arena per tree cost against malloc and free per node?
 * The same binary trees, built, counted and freed, by both in turn; prints the ratio of the times (malloc / arena).
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tenure/rt.h"

struct node {
    struct node *left, *right;
};

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const struct tn_site site = {"trees.cyc", 1, 1, "build", NULL};

static struct node *build_arena(struct tn_arena *arena, int depth) {
    struct node *n = (struct node *)tn_arena_alloc(arena, sizeof *n, _Alignof(struct node), &site);
    n->left = depth > 0 ? build_arena(arena, depth - 1) : NULL;
    n->right = depth > 0 ? build_arena(arena, depth - 1) : NULL;
    return n;
}

static struct node *build_malloc(int depth) {
    struct node *n = (struct node *)malloc(sizeof *n);
    if (n == NULL) abort();
    n->left = depth > 0 ? build_malloc(depth - 1) : NULL;
    n->right = depth > 0 ? build_malloc(depth - 1) : NULL;
    return n;
}

static void free_nodes(struct node *n) {
    if (n->left != NULL) {
        free_nodes(n->left);
        free_nodes(n->right);
    }
    free(n);
}

static long count(const struct node *n) { return n->left == NULL ? 1 : 1 + count(n->left) + count(n->right); }

static long run_arena(int depth, int trees) {
    long nodes = 0;
    for (int i = 0; i < trees; i++) {
        struct tn_arena arena;
        tn_arena_enter(&arena);
        nodes += count(build_arena(&arena, depth));
        tn_arena_exit(&arena);
    }
    return nodes;
}

static long run_malloc(int depth, int trees) {
    long nodes = 0;
    for (int i = 0; i < trees; i++) {
        struct node *tree = build_malloc(depth);
        nodes += count(tree);
        free_nodes(tree);
    }
    return nodes;
}

int main(void) {
    for (int depth = 4; depth <= 20; depth += 4) {
        int trees = 1 << (22 - depth);
        double arena = 1e9, plain = 1e9;
        for (int round = 0; round < 5; round++) { /* in pairs; the best of each */
            double t0 = seconds();
            long a = run_arena(depth, trees);
            double t1 = seconds();
            long b = run_malloc(depth, trees);
            double t2 = seconds();
            if (a != b) return 1;
            if (t1 - t0 < arena) arena = t1 - t0;
            if (t2 - t1 < plain) plain = t2 - t1;
        }
        printf("trees depth %2d: arena %6.1f ms, malloc %6.1f ms, ratio %.2f\n", depth, arena * 1e3, plain * 1e3,
               plain / arena);
    }
    return 0;
}
