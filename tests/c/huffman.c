/* Greedy algorithms: a Huffman code whose tree lies in arrays. */
#include <stdio.h>
#include <string.h>

#define SYMBOLS 128
#define NODES (2 * SYMBOLS)

static int weight[NODES], left[NODES], right[NODES], parent[NODES];
static int nodes;

static int new_node(int w, int l, int r) {
    weight[nodes] = w;
    left[nodes] = l;
    right[nodes] = r;
    parent[nodes] = -1;
    return nodes++;
}

static int lightest(void) {
    int best = -1;
    for (int i = 0; i < nodes; i++)
        if (parent[i] < 0 && (best < 0 || weight[i] < weight[best]))
            best = i;
    parent[best] = NODES;
    return best;
}

static int code_of(int leaf, char out[SYMBOLS]) {
    char reversed[SYMBOLS];
    int n = 0;
    for (int i = leaf; parent[i] != NODES; i = parent[i])
        reversed[n++] = left[parent[i]] == i ? '0' : '1';
    for (int i = 0; i < n; i++)
        out[i] = reversed[n - 1 - i];
    out[n] = '\0';
    return n;
}

int main(void) {
    const char *text = "she sells sea shells by the sea shore";
    int count[SYMBOLS] = {0}, leaf_of[SYMBOLS], symbols = 0, bits = 0;
    for (int i = 0; text[i] != '\0'; i++)
        count[text[i] & 127]++;
    for (int c = 0; c < SYMBOLS; c++) {
        leaf_of[c] = -1;
        if (count[c] > 0) {
            leaf_of[c] = new_node(count[c], -1, -1);
            symbols++;
        }
    }
    for (int i = 1; i < symbols; i++) {
        int a = lightest();
        int b = lightest();
        int n = new_node(weight[a] + weight[b], a, b);
        parent[a] = n;
        parent[b] = n;
    }
    int root = lightest();
    for (int c = 0; c < SYMBOLS; c++) {
        char code[SYMBOLS];
        if (leaf_of[c] < 0)
            continue;
        int n = code_of(leaf_of[c], code);
        bits += n * count[c];
        printf("'%c' %d %s\n", c, count[c], code);
    }
    printf("%d symbols, %d bits for %d characters\n", weight[root], bits, (int)strlen(text));
    return 0;
}
