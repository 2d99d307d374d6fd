/* Sorting: a binary heap of doubles, used for sorting and as a priority queue. */
#include <stdio.h>

#define N 31

static void sift_down(double heap[N], int i, int n) {
    for (;;) {
        int child = 2 * i + 1;
        if (child >= n)
            return;
        if (child + 1 < n && heap[child + 1] > heap[child])
            child++;
        if (heap[i] >= heap[child])
            return;
        double t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
        i = child;
    }
}

static void heap_sort(double a[N]) {
    for (int i = N / 2; i-- > 0;)
        sift_down(a, i, N);
    for (int n = N - 1; n > 0; n--) {
        double t = a[0];
        a[0] = a[n];
        a[n] = t;
        sift_down(a, 0, n);
    }
}

int main(void) {
    double a[N];
    for (int i = 0; i < N; i++)
        a[i] = (i * 37 % N) / 4.0 - 2.5;
    heap_sort(a);
    for (int i = 0; i < N; i++)
        printf("%g ", a[i]);
    printf("\n");
    return 0;
}
