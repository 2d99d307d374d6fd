/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * RandomGraph (papers/002…, table 1): vertices with references to their neighbours; a random vertex is replaced by a new one, and its
 * neighbours' references to it are changed. Each object has several parents.
 *
 *     graph VERTICES REPLACEMENTS
 */
#include "heap.h"

#define EDGES 8

struct vertex {
    ref edge[EDGES];
    uint64_t index;
    unsigned char payload[56];
};

static const uint32_t offsets[] = {0, 8, 16, 24, 32, 40, 48, 56};
static const layout vertex_layout = {sizeof(struct vertex), EDGES, offsets};
static const layout word_layout = {8, 1, offsets};

static struct vertex *at(ref it) { return AT(struct vertex, it); }

static ref make(uint64_t index) {
    ref it = NEW(sizeof(struct vertex), &vertex_layout);
    struct vertex *vertex = at(it);
    memset(vertex, 0, sizeof *vertex);
    vertex->index = index;
    return it;
}

int main(int argc, char **argv) {
    begin();
    uint64_t vertices = argument(argc, argv, 1, 100000), replacements = argument(argc, argv, 2, 1000000), sum = 0;
    ref all = NEW(vertices * sizeof(ref), &word_layout);
    memset(AT(ref, all), 0, vertices * sizeof(ref));
    for (uint64_t i = 0; i < vertices; i++) {
        ref it = make(i);
        AT(ref, all)[i] = it;
    }
    /* Edges go both ways, each in the same place at both ends: half of a vertex's are with the vertex a step further on. */
    for (uint64_t e = 0; e < EDGES; e++) {
        uint64_t step = random_next() % (vertices / 2) | 1;
        for (uint64_t i = 0; i + step < vertices; i++) {
            struct vertex *a = at(AT(ref, all)[i]);
            if (a->edge[e] != NULL) continue;
            struct vertex *b = at(AT(ref, all)[i + step]);
            if (b->edge[e] != NULL) continue;
            a->edge[e] = AT(ref, all)[i + step];
            b->edge[e] = AT(ref, all)[i];
        }
    }
    for (uint64_t r = 0; r < replacements; r++) {
        uint64_t i = random_next() % vertices;
        ref old = AT(ref, all)[i], it = make(i);
        struct vertex *from = at(old), *to = at(it);
        for (uint64_t e = 0; e < EDGES; e++) {
            to->edge[e] = from->edge[e];
            if (from->edge[e] == NULL) continue;
            struct vertex *neighbour = at(from->edge[e]);
            sum += neighbour->index + (uint64_t)SAME(neighbour->edge[e], old);
            neighbour->edge[e] = it;
        }
        AT(ref, all)[i] = it;
        DELETE(old);
    }
    finish(sum);
    return 0;
}
