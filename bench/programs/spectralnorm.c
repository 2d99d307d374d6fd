/* The spectral norm of the infinite matrix A(i,j) = 1/((i+j)(i+j+1)/2+i+1), cut off at n. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double element(int i, int j) {
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static void multiply(int n, const double v[], double out[]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += element(i, j) * v[j];
        out[i] = sum;
    }
}

static void multiply_transposed(int n, const double v[], double out[]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += element(j, i) * v[j];
        out[i] = sum;
    }
}

static void multiply_both(int n, const double v[], double out[], double tmp[]) {
    multiply(n, v, tmp);
    multiply_transposed(n, tmp, out);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 100;
    double *u = malloc(n * sizeof(double));
    double *v = malloc(n * sizeof(double));
    double *tmp = malloc(n * sizeof(double));
    if (!u || !v || !tmp)
        return 1;
    for (int i = 0; i < n; i++)
        u[i] = 1;
    for (int i = 0; i < 10; i++) {
        multiply_both(n, u, v, tmp);
        multiply_both(n, v, u, tmp);
    }
    double uv = 0, vv = 0;
    for (int i = 0; i < n; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    printf("%.9f\n", sqrt(uv / vv));
    free(u);
    free(v);
    free(tmp);
    return 0;
}
