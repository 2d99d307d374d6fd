/* Fannkuch: over all permutations of 1..n, how often must a prefix be flipped until 1 is in front? */
#include <stdio.h>
#include <stdlib.h>

#define MAX 16

/* Flips the first perm[0] elements until perm[0] is 0; returns the number of flips. */
static int flips(const int start[MAX], int n) {
    int perm[MAX];
    for (int i = 0; i < n; i++)
        perm[i] = start[i];
    int count = 0;
    for (int first = perm[0]; first != 0; first = perm[0]) {
        for (int lo = 0, hi = first; lo < hi; lo++, hi--) {
            int t = perm[lo];
            perm[lo] = perm[hi];
            perm[hi] = t;
        }
        count++;
    }
    return count;
}

/* Steps perm to the next permutation in the order of rotations; 0 after the last one. */
static int next_permutation(int perm[MAX], int count[MAX], int n) {
    for (int r = 1; r < n; r++) {
        int first = perm[0];
        for (int i = 0; i < r; i++)
            perm[i] = perm[i + 1];
        perm[r] = first;
        if (count[r]++ < r)
            return 1;
        count[r] = 0;
    }
    return 0;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 7;
    if (n < 1 || n > MAX) {
        fprintf(stderr, "usage: fannkuch N, with N from 1 to %d\n", MAX);
        return 2;
    }
    int perm[MAX], count[MAX];
    for (int i = 0; i < MAX; i++) {
        perm[i] = i;
        count[i] = 0;
    }
    int most = 0, checksum = 0, sign = 1;
    do {
        int f = flips(perm, n);
        if (f > most)
            most = f;
        checksum += sign * f;
        sign = -sign;
    } while (next_permutation(perm, count, n));
    printf("%d\nPfannkuchen(%d) = %d\n", checksum, n, most);
    return 0;
}
