/* Sorting: quicksort over a part of an array that the caller owns. */
#include "annot.h"
#include <stdio.h>

static void quicksort(FAT(int) a, int n) {
    if (n < 2)
        return;
    int pivot = a[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
    }
    quicksort(a, j + 1);
    quicksort(a + i, n - i);
}

int main(void) {
    int a[200];
    unsigned seed = 42;
    for (int i = 0; i < 200; i++) {
        seed = seed * 1103515245u + 12345u;
        a[i] = (int)(seed >> 16) % 1000;
    }
    quicksort(a, 200);
    int sorted = 1;
    for (int i = 1; i < 200; i++)
        if (a[i - 1] > a[i])
            sorted = 0;
    printf("sorted: %d, least %d, median %d, most %d\n", sorted, a[0], a[100], a[199]);
    quicksort(a + 50, 0);
    return 0;
}
