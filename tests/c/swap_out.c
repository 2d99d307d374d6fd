/* Pointers to single objects: results through parameters, swapping, pointers to pointers. */
#include "annot.h"
#include <stdio.h>

static void swap(NN(int) a, NN(int) b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static int divide(int a, int b, NN(int) quotient, int *remainder) {
    if (b == 0)
        return 0;
    *quotient = a / b;
    if (remainder != NULL)
        *remainder = a % b;
    return 1;
}

static int total;
static int other;

static void choose(int which, int **place) {
    *place = which ? &total : &other;
}

int main(void) {
    int x = 1, y = 2;
    swap(&x, &y);
    printf("%d %d\n", x, y);
    int q = 0, r = 0;
    printf("%d ", divide(17, 5, &q, &r));
    printf("%d %d\n", q, r);
    printf("%d ", divide(17, 0, &q, NULL));
    printf("%d\n", divide(100, 7, &q, NULL));
    int *place = NULL;
    for (int i = 0; i < 10; i++) {
        choose(i % 3 == 0, &place);
        *place += i;
    }
    printf("%d %d %d\n", q, total, other);
    return 0;
}
