/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A stage of a pipeline: reads names of text files, and writes for each its size in words and its commonest ones, then the commonest words of all.
 * What belongs to one document, its text and its table of words, is short-term and expires at the tick after it; the index of all
 * words is persistent. Nothing is freed; `plain` is the same program with malloc and free.
 *
 * usage: find … | indexer short|plain
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenure/shortterm.h>

struct word {
    struct word *next;
    unsigned long count;
    char text[];
};

struct table {
    size_t size, used;
    struct word **buckets;
};

static int plain;

/* Memory of the document that is being read. */
static void *take(size_t size) {
    void *memory = plain ? malloc(size) : stm_malloc_refreshed(size, 0);
    if (memory == NULL) exit(1);
    return memory;
}

static void *take_persistent(size_t size) {
    void *memory = plain ? malloc(size) : stm_malloc(size);
    if (memory == NULL) exit(1);
    return memory;
}

static struct table new_table(size_t size, void *(*allocate)(size_t)) {
    struct table table = {.size = size, .buckets = allocate(size * sizeof(struct word *))};
    memset(table.buckets, 0, size * sizeof(struct word *));
    return table;
}

static void add(struct table *table, const char *text, size_t length, unsigned long count, void *(*allocate)(size_t)) {
    size_t hash = 5381;
    for (size_t i = 0; i < length; i++) hash = hash * 33 + (unsigned char)text[i];
    struct word **place = &table->buckets[hash % table->size];
    for (; *place != NULL; place = &(*place)->next)
        if (strlen((*place)->text) == length && memcmp((*place)->text, text, length) == 0) {
            (*place)->count += count;
            return;
        }
    struct word *word = allocate(sizeof *word + length + 1);
    *word = (struct word){.next = NULL, .count = count};
    memcpy(word->text, text, length);
    word->text[length] = '\0';
    *place = word;
    table->used++;
}

static int by_count(const void *a, const void *b) {
    const struct word *first = *(struct word *const *)a, *second = *(struct word *const *)b;
    if (first->count != second->count) return first->count < second->count ? 1 : -1;
    return strcmp(first->text, second->text);
}

static struct word **sorted(const struct table *table, void *(*allocate)(size_t)) {
    struct word **words = allocate((table->used + 1) * sizeof *words);
    size_t n = 0;
    for (size_t i = 0; i < table->size; i++)
        for (struct word *word = table->buckets[i]; word != NULL; word = word->next) words[n++] = word;
    qsort(words, n, sizeof *words, by_count);
    return words;
}

static char *read_whole(FILE *file, size_t *size) {
    size_t room = 4096;
    char *text = take(room);
    *size = 0;
    for (size_t got; (got = fread(text + *size, 1, room - *size, file)) > 0;) {
        *size += got;
        if (*size < room) continue;
        char *larger = take(room * 2);
        memcpy(larger, text, *size);
        if (plain) free(text);
        text = larger;
        room *= 2;
    }
    return text;
}

static void free_table(struct table *table) {
    for (size_t i = 0; i < table->size; i++)
        for (struct word *word = table->buckets[i], *next; word != NULL; word = next) next = word->next, free(word);
    free(table->buckets);
}

static void index_document(const char *name, FILE *file, struct table *all) {
    size_t size;
    char *text = read_whole(file, &size);
    struct table words = new_table(1009, take);
    unsigned long total = 0;
    for (size_t i = 0; i < size;) {
        while (i < size && !isalpha((unsigned char)text[i])) i++;
        size_t start = i;
        for (; i < size && isalpha((unsigned char)text[i]); i++) text[i] = (char)tolower((unsigned char)text[i]);
        if (i == start) continue;
        add(&words, text + start, i - start, 1, take);
        total++;
    }
    struct word **order = sorted(&words, take);
    printf("%s: %lu words", name, total);
    for (size_t i = 0; i < words.used && i < 5; i++) printf(", %s %lu", order[i]->text, order[i]->count);
    putchar('\n');
    for (size_t i = 0; i < words.used; i++) add(all, order[i]->text, strlen(order[i]->text), order[i]->count, take_persistent);
    if (!plain) return;
    free(order);
    free_table(&words);
    free(text);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: indexer short|plain\n");
        return 2;
    }
    plain = strcmp(argv[1], "plain") == 0;
    struct table all = new_table(65537, take_persistent);
    char name[4096];
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        FILE *file = fopen(name, "rb");
        if (file == NULL) continue;
        index_document(name, file, &all);
        fclose(file);
        if (!plain) stm_tick();
    }
    struct word **order = sorted(&all, take_persistent);
    for (size_t i = 0; i < all.used && i < 20; i++) printf("%s %lu\n", order[i]->text, order[i]->count);
    return 0;
}
