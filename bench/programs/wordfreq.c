/* Counts the words of its input and prints the most frequent ones. A word is a run of ASCII letters,
 * upper and lower case alike. The words are kept in a balanced tree, all in one arena. */
#include "arena.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD 1024
#define CHUNK 65536

/* A dictionary never changes: to insert is to copy the path to the new node (an AVL tree). */
struct Tree {
    struct Tree *left, *right;
    const char *word;
    int *count;
    int height;
};

struct Dict {
    int (*compare)(const char *, const char *);
    struct Tree *tree;
};

struct List {
    struct Tree *hd;
    struct List *tl;
};

static int *lookup(const struct Dict *d, const char *word) {
    const struct Tree *t = d->tree;
    while (t != NULL) {
        int c = d->compare(word, t->word);
        if (c == 0)
            return t->count;
        t = c < 0 ? t->left : t->right;
    }
    return NULL;
}

static int height(const struct Tree *t) {
    return t == NULL ? 0 : t->height;
}

static struct Tree *make(struct Arena *arena, struct Tree *left, const struct Tree *entry, struct Tree *right) {
    struct Tree *t = allocate(arena, sizeof *t);
    int l = height(left), r = height(right);
    *t = (struct Tree){left, right, entry->word, entry->count, 1 + (l > r ? l : r)};
    return t;
}

/* As make, where the heights of left and right may differ by two. */
static struct Tree *balance(struct Arena *arena, struct Tree *left, const struct Tree *entry, struct Tree *right) {
    if (height(left) > height(right) + 1) {
        if (height(left->left) >= height(left->right))
            return make(arena, left->left, left, make(arena, left->right, entry, right));
        struct Tree *m = left->right;
        return make(arena, make(arena, left->left, left, m->left), m, make(arena, m->right, entry, right));
    }
    if (height(right) > height(left) + 1) {
        if (height(right->right) >= height(right->left))
            return make(arena, make(arena, left, entry, right->left), right, right->right);
        struct Tree *m = right->left;
        return make(arena, make(arena, left, entry, m->left), m, make(arena, m->right, right, right->right));
    }
    return make(arena, left, entry, right);
}

/* Puts a word that is not in the tree into it; returns the new tree. */
static struct Tree *insert(struct Arena *arena, const struct Dict *d, struct Tree *t, const struct Tree *entry) {
    if (t == NULL)
        return make(arena, NULL, entry, NULL);
    if (d->compare(entry->word, t->word) < 0)
        return balance(arena, insert(arena, d, t->left, entry), t, t->right);
    return balance(arena, t->left, t, insert(arena, d, t->right, entry));
}

struct Counter {
    struct Arena *arena;
    struct Dict words;
    char word[MAX_WORD];
    int length;
};

static void end_word(struct Counter *c) {
    if (c->length == 0)
        return;
    c->word[c->length] = '\0';
    c->length = 0;
    int *count = lookup(&c->words, c->word);
    if (count != NULL) {
        ++*count;
        return;
    }
    char *copy = allocate(c->arena, strlen(c->word) + 1);
    strcpy(copy, c->word);
    count = allocate(c->arena, sizeof *count);
    *count = 1;
    struct Tree entry = {NULL, NULL, copy, count, 1};
    c->words.tree = insert(c->arena, &c->words, c->words.tree, &entry);
}

/* Letters beyond the first MAX_WORD - 1 of a word are dropped. */
static void count_file(struct Counter *c, FILE *f) {
    static char chunk[CHUNK];
    size_t n;
    while ((n = fread(chunk, 1, CHUNK, f)) > 0) {
        for (size_t i = 0; i < n; i++) {
            if (!isalpha((unsigned char)chunk[i]))
                end_word(c);
            else if (c->length < MAX_WORD - 1)
                c->word[c->length++] = (char)tolower((unsigned char)chunk[i]);
        }
    }
    end_word(c);
}

/* The words of a tree in descending order before those of the list. */
static struct List *to_list(struct Arena *arena, struct Tree *t, struct List *rest) {
    if (t == NULL)
        return rest;
    struct List *node = allocate(arena, sizeof *node);
    node->hd = t;
    node->tl = to_list(arena, t->left, rest);
    return to_list(arena, t->right, node);
}

static int length(const struct List *l) {
    int n = 0;
    for (; l != NULL; l = l->tl)
        n++;
    return n;
}

/* More frequent words first, equally frequent ones in alphabetical order. */
static int by_count(const struct Tree *a, const struct Tree *b) {
    if (*a->count != *b->count)
        return *a->count > *b->count ? -1 : 1;
    return strcmp(a->word, b->word);
}

static struct List *merge(struct List *a, struct List *b) {
    struct List first = {NULL, NULL};
    struct List *last = &first;
    while (a != NULL && b != NULL) {
        if (by_count(a->hd, b->hd) <= 0) {
            last->tl = a;
            a = a->tl;
        } else {
            last->tl = b;
            b = b->tl;
        }
        last = last->tl;
    }
    last->tl = a != NULL ? a : b;
    return first.tl;
}

static struct List *merge_sort(struct List *l, int n) {
    if (n < 2)
        return l;
    struct List *half = l;
    for (int i = 1; i < n / 2; i++)
        half = half->tl;
    struct List *second = half->tl;
    half->tl = NULL;
    return merge(merge_sort(l, n / 2), merge_sort(second, n - n / 2));
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: wordfreq N [FILE...]\n");
        return 2;
    }
    int n = atoi(argv[1]);
    struct Arena arena = {NULL, NULL, 0};
    struct Counter c = {&arena, {strcmp, NULL}, {0}, 0};
    if (argc == 2)
        count_file(&c, stdin);
    for (int i = 2; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            fprintf(stderr, "wordfreq: cannot open %s\n", argv[i]);
            return 1;
        }
        count_file(&c, f);
        fclose(f);
    }
    struct List *l = to_list(&arena, c.words.tree, NULL);
    l = merge_sort(l, length(l));
    for (; l != NULL && n > 0; l = l->tl, n--)
        printf("%7d %s\n", *l->hd->count, l->hd->word);
    release(&arena);
    return 0;
}
