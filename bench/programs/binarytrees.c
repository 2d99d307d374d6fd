/* Binary trees: many complete trees are built, walked and thrown away, beside one that lives on.
 * Each tree has an arena of its own: nodes are carved from blocks that are freed together. */
#include <stdio.h>
#include <stdlib.h>

struct Tree {
    struct Tree *left;
    struct Tree *right;
};

#define BLOCK_NODES 4096

struct Block {
    struct Block *next;
    struct Tree nodes[BLOCK_NODES];
};

struct Arena {
    struct Block *blocks;
    int used;
};

static struct Tree *allocate(struct Arena *arena) {
    if (arena->blocks == NULL || arena->used == BLOCK_NODES) {
        struct Block *b = malloc(sizeof *b);
        if (b == NULL)
            exit(1);
        b->next = arena->blocks;
        arena->blocks = b;
        arena->used = 0;
    }
    return &arena->blocks->nodes[arena->used++];
}

static void release(struct Arena *arena) {
    while (arena->blocks != NULL) {
        struct Block *b = arena->blocks;
        arena->blocks = b->next;
        free(b);
    }
}

static struct Tree *build(struct Arena *arena, int depth) {
    struct Tree *left = NULL, *right = NULL;
    if (depth > 0) {
        left = build(arena, depth - 1);
        right = build(arena, depth - 1);
    }
    struct Tree *t = allocate(arena);
    t->left = left;
    t->right = right;
    return t;
}

static int count(const struct Tree *t) {
    if (t == NULL)
        return 0;
    return 1 + count(t->left) + count(t->right);
}

static int build_and_count(int depth) {
    struct Arena arena = {NULL, 0};
    int n = count(build(&arena, depth));
    release(&arena);
    return n;
}

int main(int argc, char **argv) {
    const int least = 4;
    int most = argc > 1 ? atoi(argv[1]) : 10;
    if (most < least + 2)
        most = least + 2;
    printf("stretch tree of depth %d\t check: %d\n", most + 1, build_and_count(most + 1));

    struct Arena arena = {NULL, 0};
    struct Tree *long_lived = build(&arena, most);
    for (int depth = least; depth <= most; depth += 2) {
        int trees = 1 << (most - depth + least);
        int check = 0;
        for (int i = 0; i < trees; i++)
            check += build_and_count(depth);
        printf("%d\t trees of depth %d\t check: %d\n", trees, depth, check);
    }
    printf("long lived tree of depth %d\t check: %d\n", most, count(long_lived));
    release(&arena);
    return 0;
}
