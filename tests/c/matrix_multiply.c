/* Matrices: product and power of square matrices as two-dimensional arrays. */
#include <stdio.h>

#define N 3

static void multiply(int a[N][N], int b[N][N], int out[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
    }
}

static void print(int a[N][N]) {
    for (int i = 0; i < N; i++)
        printf("%6d %6d %6d\n", a[i][0], a[i][1], a[i][2]);
    printf("\n");
}

int main(void) {
    int a[N][N] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    int identity[N][N] = {{1}, {0, 1}, {[2] = 1}};
    int power[N][N], next[N][N];
    multiply(a, identity, power);
    for (int e = 1; e <= 4; e++) {
        print(power);
        multiply(power, a, next);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                power[i][j] = next[i][j];
    }
    return 0;
}
