/* Sorting: bubble, insertion and selection sort of the same numbers. */
#include <stdio.h>

#define N 20

static const int input[N] = {34, 7, 23, 32, 5, 62, 32, 7, 0, -4, 19, 88, 3, 3, 41, -17, 56, 12, 9, 100};

static void copy(int to[N]) {
    for (int i = 0; i < N; i++)
        to[i] = input[i];
}

static int bubble(int a[N]) {
    int swaps = 0;
    for (int end = N - 1; end > 0; end--) {
        for (int i = 0; i < end; i++) {
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
                swaps++;
            }
        }
    }
    return swaps;
}

static int insertion(int a[N]) {
    int moves = 0;
    for (int i = 1; i < N; i++) {
        int x = a[i], j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
            moves++;
        }
        a[j] = x;
    }
    return moves;
}

static int selection(int a[N]) {
    int swaps = 0;
    for (int i = 0; i < N - 1; i++) {
        int least = i;
        for (int j = i + 1; j < N; j++)
            if (a[j] < a[least])
                least = j;
        if (least != i) {
            int t = a[i];
            a[i] = a[least];
            a[least] = t;
            swaps++;
        }
    }
    return swaps;
}

static void show(const char *name, int count, int a[N]) {
    printf("%-10s %3d:", name, count);
    for (int i = 0; i < N; i++)
        printf(" %d", a[i]);
    printf("\n");
}

int main(void) {
    int a[N], b[N], c[N];
    int count;
    copy(a);
    copy(b);
    copy(c);
    count = bubble(a);
    show("bubble", count, a);
    count = insertion(b);
    show("insertion", count, b);
    count = selection(c);
    show("selection", count, c);
    return 0;
}
