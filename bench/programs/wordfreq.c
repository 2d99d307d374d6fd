/* Counts the words of its input and prints the most frequent ones. A word is a run of ASCII letters,
 * upper and lower case alike. The words are kept in a balanced tree (an AA tree), all in one arena. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORD 1024
#define CHUNK 65536
#define ARENA_BLOCK 65536

struct Block {
    struct Block *next;
};

struct Arena {
    struct Block *blocks;
    char *at;
    size_t left;
};

static void *allocate(struct Arena *arena, size_t size) {
    size = (size + 7) & ~(size_t)7;
    if (size > arena->left) {
        size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
        struct Block *b = malloc(sizeof *b + room);
        if (b == NULL) {
            fprintf(stderr, "wordfreq: out of memory\n");
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

struct Tree {
    const char *word;
    int *count;
    int level;
    struct Tree *left, *right;
};

struct List {
    struct Tree *hd;
    struct List *tl;
};

static int *lookup(const struct Tree *t, const char *word) {
    while (t != NULL) {
        int c = strcmp(word, t->word);
        if (c == 0)
            return t->count;
        t = c < 0 ? t->left : t->right;
    }
    return NULL;
}

static struct Tree *skew(struct Tree *t) {
    struct Tree *l = t->left;
    if (l == NULL || l->level != t->level)
        return t;
    t->left = l->right;
    l->right = t;
    return l;
}

static struct Tree *split(struct Tree *t) {
    struct Tree *r = t->right;
    if (r == NULL || r->right == NULL || r->right->level != t->level)
        return t;
    t->right = r->left;
    r->left = t;
    r->level++;
    return r;
}

/* Puts a word that is not in the tree into it; returns the new root. */
static struct Tree *insert(struct Arena *arena, struct Tree *t, const char *word, int *count) {
    if (t == NULL) {
        t = allocate(arena, sizeof *t);
        *t = (struct Tree){word, count, 1, NULL, NULL};
        return t;
    }
    if (strcmp(word, t->word) < 0)
        t->left = insert(arena, t->left, word, count);
    else
        t->right = insert(arena, t->right, word, count);
    return split(skew(t));
}

struct Counter {
    struct Arena *arena;
    struct Tree *words;
    char word[MAX_WORD];
    int length;
};

static void end_word(struct Counter *c) {
    if (c->length == 0)
        return;
    c->word[c->length] = '\0';
    c->length = 0;
    int *count = lookup(c->words, c->word);
    if (count != NULL) {
        ++*count;
        return;
    }
    char *copy = allocate(c->arena, strlen(c->word) + 1);
    strcpy(copy, c->word);
    count = allocate(c->arena, sizeof *count);
    *count = 1;
    c->words = insert(c->arena, c->words, copy, count);
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
    struct Counter c = {&arena, NULL, {0}, 0};
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
    struct List *l = to_list(&arena, c.words, NULL);
    l = merge_sort(l, length(l));
    for (; l != NULL && n > 0; l = l->tl, n--)
        printf("%7d %s\n", *l->hd->count, l->hd->word);
    release(&arena);
    return 0;
}
