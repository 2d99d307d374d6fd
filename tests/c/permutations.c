/* Combinatorics: permutations in order, combinations, subsets by bits, Pascal's triangle. */
#include <stdbool.h>
#include <stdio.h>

#define N 4

static bool next_permutation(int a[N]) {
    int i = N - 2;
    while (i >= 0 && a[i] >= a[i + 1])
        i--;
    if (i < 0)
        return false;
    int j = N - 1;
    while (a[j] <= a[i])
        j--;
    int t = a[i];
    a[i] = a[j];
    a[j] = t;
    for (int lo = i + 1, hi = N - 1; lo < hi; lo++, hi--) {
        t = a[lo];
        a[lo] = a[hi];
        a[hi] = t;
    }
    return true;
}

static int chosen[3];

static int combinations(int from, int depth) {
    if (depth == 3) {
        printf("%d%d%d ", chosen[0], chosen[1], chosen[2]);
        return 1;
    }
    int n = 0;
    for (int i = from; i <= 5; i++) {
        chosen[depth] = i;
        n += combinations(i + 1, depth + 1);
    }
    return n;
}

int main(void) {
    int a[N] = {1, 2, 2, 3};
    do
        printf("%d%d%d%d ", a[0], a[1], a[2], a[3]);
    while (next_permutation(a));
    printf("\n");
    int n = combinations(1, 0);
    printf("%d\n", n);
    for (unsigned set = 0; set < 8; set++) {
        printf("{");
        for (unsigned i = 0; i < 3; i++)
            if (set & 1u << i)
                printf("%c", 'a' + (int)i);
        printf("} ");
    }
    printf("\n");
    int row[12] = {1};
    for (int r = 0; r < 12; r++) {
        for (int k = r; k > 0; k--)
            row[k] += row[k - 1];
        printf("%d ", row[r / 2]);
    }
    printf("\n");
    return 0;
}
