/* An arena of the C twins: blocks in a list, freed together. */
#ifndef ARENA_H
#define ARENA_H

#include <stdio.h>
#include <stdlib.h>

#define ARENA_BLOCK 65536

struct Block {
    struct Block *next;
};

struct Arena {
    struct Block *blocks;
    char *at;
    size_t left;
};

/* Memory of `size` bytes, aligned for anything but long double; ends the program if there is none. */
static void *allocate(struct Arena *arena, size_t size) {
    size = (size + 7) & ~(size_t)7;
    if (size > arena->left) {
        size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        struct Block *b = malloc(sizeof *b + room);
        if (b == NULL) {
            fprintf(stderr, "out of memory\n");
            exit(1);
        }
        b->next = arena->blocks;
        arena->blocks = b;
        arena->at = (char *)(b + 1);
        arena->left = room;
    }
    void *p = arena->at;
    arena->at += size;
    arena->left -= size;
    return p;
}

static void release(struct Arena *arena) {
    while (arena->blocks != NULL) {
        struct Block *b = arena->blocks;
        arena->blocks = b->next;
        free(b);
    }
    arena->left = 0;
}

#endif
