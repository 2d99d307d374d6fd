/* Data structures: a binary search tree of heap nodes, in order, by level, and its height. */
#include "annot.h"
#include <stdio.h>
#include <stdlib.h>

struct Tree {
    int key;
    struct Tree *left, *right;
};

static struct Tree *root;
static int size;

static struct Tree *make(int key) {
    struct Tree *t = malloc(sizeof *t);
    if (t == NULL)
        exit(1);
    t->key = key;
    t->left = NULL;
    t->right = NULL;
    size++;
    return t;
}

static struct Tree *insert(struct Tree *HEAP t, int key) {
    if (t == NULL)
        return make(key);
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int height(const struct Tree *t) {
    if (t == NULL)
        return 0;
    int l = height(t->left), r = height(t->right);
    return 1 + (l > r ? l : r);
}

static void in_order(const struct Tree *t) {
    if (t == NULL)
        return;
    in_order(t->left);
    printf("%d ", t->key);
    in_order(t->right);
}

static void print_level(const struct Tree *t, int level) {
    if (t == NULL)
        return;
    if (level == 0) {
        printf("%d ", t->key);
        return;
    }
    print_level(t->left, level - 1);
    print_level(t->right, level - 1);
}

int main(void) {
    for (int i = 0; i < 24; i++)
        root = insert(root, (i * 17 + 5) % 23);
    printf("%d nodes, height %d\n", size, height(root));
    in_order(root);
    printf("\n");
    for (int level = 0; level < height(root); level++) {
        print_level(root, level);
        printf("\n");
    }
    return 0;
}
