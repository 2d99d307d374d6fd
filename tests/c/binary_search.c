/* Searching: binary search, lower and upper bound in a sorted table. */
#include <stdio.h>

#define N 12

static const int table[N] = {2, 3, 5, 7, 7, 7, 11, 13, 17, 19, 23, 29};

static int lower_bound(int x) {
    int lo = 0, hi = N;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (table[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int upper_bound(int x) {
    int lo = 0, hi = N;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (table[mid] <= x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int find(int x) {
    int i = lower_bound(x);
    return i < N && table[i] == x ? i : -1;
}

int main(void) {
    for (int x = 0; x <= 30; x++)
        printf("%d: at %d, %d..%d\n", x, find(x), lower_bound(x), upper_bound(x));
    return 0;
}
