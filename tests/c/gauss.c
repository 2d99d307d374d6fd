/* Matrices: linear equations by elimination with pivoting, and the determinant. */
#include <math.h>
#include <stdio.h>

#define N 4

static double solve(double a[N][N + 1], double x[N]) {
    double det = 1;
    for (int col = 0; col < N; col++) {
        int pivot = col;
        for (int row = col + 1; row < N; row++)
            if (fabs(a[row][col]) > fabs(a[pivot][col]))
                pivot = row;
        if (a[pivot][col] == 0)
            return 0;
        if (pivot != col) {
            det = -det;
            for (int k = 0; k <= N; k++) {
                double t = a[col][k];
                a[col][k] = a[pivot][k];
                a[pivot][k] = t;
            }
        }
        det *= a[col][col];
        for (int row = col + 1; row < N; row++) {
            double f = a[row][col] / a[col][col];
            for (int k = col; k <= N; k++)
                a[row][k] -= f * a[col][k];
        }
    }
    for (int row = N - 1; row >= 0; row--) {
        x[row] = a[row][N];
        for (int k = row + 1; k < N; k++)
            x[row] -= a[row][k] * x[k];
        x[row] /= a[row][row];
    }
    return det;
}

int main(void) {
    double a[N][N + 1] = {{2, 1, -1, 3, 11}, {-3, -1, 2, 1, 1}, {-2, 1, 2, -2, -4}, {1, 1, 1, 1, 10}};
    double singular[N][N + 1] = {{1, 2, 3, 4, 5}, {2, 4, 6, 8, 10}, {0, 1, 0, 1, 0}, {1, 0, 0, 0, 1}};
    double x[N] = {0};
    printf("determinant %.6f\n", solve(a, x));
    for (int i = 0; i < N; i++)
        printf("x%d = %.6f\n", i, x[i]);
    printf("determinant %.6f\n", solve(singular, x));
    return 0;
}
