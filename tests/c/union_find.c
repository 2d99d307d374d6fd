/* Graphs: disjoint sets, a minimum spanning tree, a topological order. */
#include <stdio.h>

#define NODES 10

struct Edge {
    int a, b, weight;
};

static int parent[NODES];

static int find(int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

static struct Edge edges[] = {{0, 1, 7}, {0, 3, 5}, {1, 2, 8}, {1, 3, 9}, {1, 4, 7}, {2, 4, 5}, {3, 4, 15},
                              {3, 5, 6}, {4, 5, 8}, {4, 6, 9}, {5, 6, 11}, {7, 8, 1}, {8, 9, 2}, {7, 9, 3}};
#define EDGES (sizeof edges / sizeof *edges)

static void topological(void) {
    int incoming[NODES] = {0}, order[NODES], n = 0;
    for (unsigned e = 0; e < EDGES; e++)
        incoming[edges[e].b > edges[e].a ? edges[e].b : edges[e].a]++;
    for (int i = 0; i < NODES; i++)
        if (incoming[i] == 0)
            order[n++] = i;
    for (int i = 0; i < n; i++)
        for (unsigned e = 0; e < EDGES; e++)
            if (edges[e].a == order[i] && --incoming[edges[e].b] == 0)
                order[n++] = edges[e].b;
    for (int i = 0; i < n; i++)
        printf("%d ", order[i]);
    printf("\n");
}

int main(void) {
    topological();
    for (unsigned i = 1; i < EDGES; i++) {
        struct Edge e = edges[i];
        unsigned j = i;
        for (; j > 0 && edges[j - 1].weight > e.weight; j--)
            edges[j] = edges[j - 1];
        edges[j] = e;
    }
    int total = 0;
    for (int i = 0; i < NODES; i++)
        parent[i] = i;
    for (unsigned i = 0; i < EDGES; i++) {
        int a = find(edges[i].a), b = find(edges[i].b);
        if (a == b)
            continue;
        parent[a] = b;
        total += edges[i].weight;
        printf("%d-%d ", edges[i].a, edges[i].b);
    }
    printf("weight %d\n", total);
    return 0;
}
