/* Pointer arithmetic over arrays: walking with a pointer, differences, slices. */
#include "annot.h"
#include <stdio.h>

static int count_zeros(FAT(const int) p, int n) {
    int zeros = 0;
    for (FAT(const int) end = p + n; p != end; p++)
        if (*p == 0)
            zeros++;
    return zeros;
}

static void prefix(FAT(int) p, int n) {
    for (int i = 1; i < n; i++)
        p[i] += p[i - 1];
}

static FAT(int) IN(r) find(FAT(int) IN(r) p, int n, int x) {
    for (int i = 0; i < n; i++, p++)
        if (*p == x)
            return p;
    return NULL;
}

int main(void) {
    static int a[10] = {0, 3, 0, 1, 4, 0, 2, 9, 0, 5};
    printf("%d %d\n", count_zeros(a, 10), count_zeros(a + 3, 4));
    FAT(int) nine = find(a, 10, 9);
    if (nine != NULL)
        printf("9 at %d, before it %d, after it %d\n", (int)(nine - a), nine[-1], *(nine + 1));
    printf("%s\n", find(a, 10, 7) == NULL ? "no 7" : "7");
    prefix(a + 1, 9);
    FAT(int) p = a;
    for (int i = 0; i < 10; i++)
        printf("%d ", *p++);
    printf("\n");
    *--p += 100;
    printf("%d\n", a[9]);
    return 0;
}
