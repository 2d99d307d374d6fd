/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: loads NAME SCALE
 * Allocation-intensive loads of our own, each after what a program does that papers use. Programs of a published name are in replace.c.
 *   numbers     continued fractions with numbers of a few words, as cfrac: tiny objects, short lives
 *   sets        sets of many sizes, as espresso: grown, copied, freed in another order
 *   tree        a tree built and thrown away step after step, as barnes
 *   successors  threads that replace random ones of few objects, and hand what they have to their successors
 *   batches     a thread that allocates what another frees, handed over in batches
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned scale;

static unsigned next_random(unsigned *state) {
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

struct number {
    unsigned length;
    unsigned digits[];
};

static struct number *number_of(unsigned length) {
    struct number *number = malloc(sizeof *number + length * sizeof(unsigned));
    number->length = length;
    return number;
}

static struct number *product(const struct number *a, const struct number *b) {
    struct number *c = number_of(a->length + b->length);
    memset(c->digits, 0, c->length * sizeof(unsigned));
    for (unsigned i = 0; i < a->length; i++) {
        unsigned long long carry = 0;
        for (unsigned k = 0; k < b->length; k++) {
            carry += c->digits[i + k] + (unsigned long long)a->digits[i] * b->digits[k];
            c->digits[i + k] = (unsigned)carry;
            carry >>= 32;
        }
        c->digits[i + b->length] = (unsigned)carry;
    }
    return c;
}

static struct number *reduced(struct number *a, unsigned length) {
    struct number *b = number_of(length);
    for (unsigned i = 0; i < length; i++) b->digits[i] = i < a->length ? a->digits[i] ^ a->digits[a->length - 1] : 1;
    free(a);
    return b;
}

static void run_numbers(void) {
    struct number *kept[64] = {NULL};
    struct number *x = number_of(3);
    for (unsigned i = 0; i < 3; i++) x->digits[i] = 0x9E3779B9u * (i + 1);
    for (unsigned i = 0; i < scale * 100000; i++) {
        struct number *square = product(x, x);
        free(x);
        x = reduced(square, 2 + i % 3);
        if (i % 16 == 0) {
            free(kept[i / 16 % 64]);
            kept[i / 16 % 64] = product(x, x);
        }
    }
    for (unsigned i = 0; i < 64; i++) free(kept[i]);
    free(x);
}

static void run_sets(void) {
    enum { SETS = 3000 };
    static char *sets[SETS];
    static unsigned sizes[SETS];
    unsigned state = 7;
    for (unsigned i = 0; i < scale * 60000; i++) {
        unsigned a = next_random(&state) % SETS, b = next_random(&state) % SETS;
        unsigned size = 8 + next_random(&state) % 64 * (next_random(&state) % 8 + 1);
        char *joined = malloc(size + sizes[b]);
        if (sizes[b] != 0) memcpy(joined, sets[b], sizes[b]);
        memset(joined + sizes[b], (int)i, size);
        if (size + sizes[b] > 1500) joined = realloc(joined, size);
        free(sets[a]);
        sets[a] = joined;
        sizes[a] = size + sizes[b] > 1500 ? size : size + sizes[b];
    }
    for (unsigned i = 0; i < SETS; i++) free(sets[i]);
}

struct cell {
    struct cell *children[8];
    double mass, place[3];
};

static struct cell *grow_tree(unsigned depth, unsigned *state) {
    struct cell *cell = calloc(1, sizeof *cell);
    cell->mass = depth;
    for (unsigned i = 0; i < 8 && depth > 0; i++)
        if (next_random(state) % 2 == 0) cell->children[i] = grow_tree(depth - 1, state);
    return cell;
}

static double drop_tree(struct cell *cell) {
    if (cell == NULL) return 0;
    double mass = cell->mass;
    for (unsigned i = 0; i < 8; i++) mass += drop_tree(cell->children[i]);
    free(cell);
    return mass;
}

static void run_tree(void) {
    unsigned state = 3;
    double mass = 0;
    for (unsigned i = 0; i < scale * 4; i++) mass += drop_tree(grow_tree(7, &state));
    if (mass < 0) puts("negative");
}

enum { HELD = 1000 };
static void *successors_thread(void *seed) {
    char **held = seed;
    unsigned state = 11;
    for (unsigned i = 0; i < scale * 10000; i++) {
        unsigned k = next_random(&state) % HELD;
        free(held[k]);
        held[k] = malloc(10 + next_random(&state) % 500);
        held[k][0] = 1;
    }
    return held;
}

static void run_successors(void) {
    static char *held[2][HELD];
    for (unsigned round = 0; round < 5; round++) {
        pthread_t threads[2];
        for (unsigned t = 0; t < 2; t++) pthread_create(&threads[t], NULL, successors_thread, held[(t + round) % 2]);
        for (unsigned t = 0; t < 2; t++) pthread_join(threads[t], NULL);
    }
}

/* Batches of so many objects, of which so many may wait. */
enum { BATCH = 4096, WAITING_MOST = 4 };

struct batch {
    struct batch *next;
    char *objects[BATCH];
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct batch *first;
    unsigned batches; /* that wait */
} queue = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static void *batches_allocates(void *unused) {
    unsigned state = 5;
    for (unsigned i = 0; i < scale * 12; i++) {
        struct batch *batch = malloc(sizeof *batch);
        for (unsigned k = 0; k < BATCH; k++) {
            batch->objects[k] = malloc(16 + next_random(&state) % 200);
            batch->objects[k][0] = 1;
        }
        pthread_mutex_lock(&queue.lock);
        while (queue.batches == WAITING_MOST) pthread_cond_wait(&queue.changed, &queue.lock);
        batch->next = queue.first;
        queue.first = batch;
        queue.batches++;
        pthread_cond_signal(&queue.changed);
        pthread_mutex_unlock(&queue.lock);
    }
    return unused;
}

static void *batches_frees(void *unused) {
    for (unsigned i = 0; i < scale * 12; i++) {
        pthread_mutex_lock(&queue.lock);
        while (queue.batches == 0) pthread_cond_wait(&queue.changed, &queue.lock);
        struct batch *batch = queue.first;
        queue.first = batch->next;
        queue.batches--;
        pthread_cond_signal(&queue.changed);
        pthread_mutex_unlock(&queue.lock);
        for (unsigned k = 0; k < BATCH; k++) free(batch->objects[k]);
        free(batch);
    }
    return unused;
}

static void run_batches(void) {
    pthread_t allocates, frees;
    pthread_create(&allocates, NULL, batches_allocates, NULL);
    pthread_create(&frees, NULL, batches_frees, NULL);
    pthread_join(allocates, NULL);
    pthread_join(frees, NULL);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } loads[] = {{"numbers", run_numbers}, {"sets", run_sets}, {"tree", run_tree}, {"successors", run_successors}, {"batches", run_batches}};
    scale = count > 2 ? (unsigned)atoi(arguments[2]) : 10;
    for (unsigned i = 0; i < sizeof loads / sizeof loads[0] && count > 1; i++)
        if (strcmp(loads[i].name, arguments[1]) == 0) return loads[i].run(), 0;
    return 2;
}
