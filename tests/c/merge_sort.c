/* Sorting: merge sort with static arrays and index ranges, top down and bottom up. */
#include <stdio.h>

#define MAX 64

static int data[MAX];
static int work[MAX];

static void merge(int from, int middle, int to) {
    int i = from, j = middle;
    for (int k = from; k < to; k++) {
        if (i < middle && (j >= to || data[i] <= data[j]))
            work[k] = data[i++];
        else
            work[k] = data[j++];
    }
    for (int k = from; k < to; k++)
        data[k] = work[k];
}

static void sort_down(int from, int to) {
    if (to - from < 2)
        return;
    int middle = from + (to - from) / 2;
    sort_down(from, middle);
    sort_down(middle, to);
    merge(from, middle, to);
}

static void sort_up(void) {
    for (int width = 1; width < MAX; width *= 2)
        for (int i = 0; i + width < MAX; i += 2 * width)
            merge(i, i + width, i + 2 * width < MAX ? i + 2 * width : MAX);
}

static void fill(unsigned seed) {
    for (int i = 0; i < MAX; i++) {
        seed = seed * 69069u + 1u;
        data[i] = (int)(seed >> 24);
    }
}

static void print(void) {
    for (int i = 0; i < MAX; i++)
        printf("%4d%s", data[i], i % 16 == 15 ? "\n" : "");
}

int main(void) {
    fill(1);
    sort_down(0, MAX);
    print();
    fill(2);
    sort_up();
    print();
    return 0;
}
