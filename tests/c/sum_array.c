/* Parameters with bounds: arrays whose length is another parameter. */
#include "annot.h"
#include <stdio.h>

static long sum(TAG(n), const int a[n]) {
    long s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static void scale(TAG(n), double v[n], double by) {
    for (int i = 0; i < n; i++)
        v[i] *= by;
}

static int most(TAG(n), const int a[n]) {
    int m = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

int main(void) {
    int a[5] = {3, 1, 4, 1, 5}, b[3] = {-1, -2, -3};
    double v[4] = {0.5, 1, 1.5, 2};
    printf("%ld %ld %ld\n", sum(5, a), sum(3, b), sum(2, a));
    printf("%d %d\n", most(5, a), most(3, b));
    scale(4, v, 2.5);
    for (int i = 0; i < 4; i++)
        printf("%g ", v[i]);
    printf("\n");
    return 0;
}
