/* Two-dimensional arrays: spirals, magic squares, rotation in place. */
#include <stdio.h>

#define N 5

static void print(int a[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            printf("%3d", a[i][j]);
        printf("\n");
    }
    printf("\n");
}

static void spiral(int a[N][N]) {
    int top = 0, bottom = N - 1, left = 0, right = N - 1, v = 1;
    while (top <= bottom && left <= right) {
        for (int j = left; j <= right; j++)
            a[top][j] = v++;
        top++;
        for (int i = top; i <= bottom; i++)
            a[i][right] = v++;
        right--;
        for (int j = right; j >= left && top <= bottom; j--)
            a[bottom][j] = v++;
        bottom--;
        for (int i = bottom; i >= top && left <= right; i--)
            a[i][left] = v++;
        left++;
    }
}

static void magic(int a[N][N]) {
    int i = 0, j = N / 2;
    for (int v = 1; v <= N * N; v++) {
        a[i][j] = v;
        if (v % N == 0) {
            i = (i + 1) % N;
        } else {
            i = (i + N - 1) % N;
            j = (j + 1) % N;
        }
    }
}

static void rotate(int a[N][N]) {
    for (int i = 0; i < N / 2; i++) {
        for (int j = i; j < N - 1 - i; j++) {
            int t = a[i][j];
            a[i][j] = a[N - 1 - j][i];
            a[N - 1 - j][i] = a[N - 1 - i][N - 1 - j];
            a[N - 1 - i][N - 1 - j] = a[j][N - 1 - i];
            a[j][N - 1 - i] = t;
        }
    }
}

int main(void) {
    int a[N][N];
    spiral(a);
    print(a);
    rotate(a);
    print(a);
    magic(a);
    print(a);
    return 0;
}
