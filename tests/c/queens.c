/* Backtracking: all solutions of the problem of the queens. */
#include <stdbool.h>
#include <stdio.h>

#define MAX 10

static int column_of[MAX];
static bool column_used[MAX], up_used[2 * MAX], down_used[2 * MAX];
static int solutions;

static void place(int row, int n) {
    if (row == n) {
        if (solutions++ == 0) {
            for (int i = 0; i < n; i++)
                printf("%d ", column_of[i]);
            printf("\n");
        }
        return;
    }
    for (int c = 0; c < n; c++) {
        if (column_used[c] || up_used[row + c] || down_used[row - c + n])
            continue;
        column_of[row] = c;
        column_used[c] = up_used[row + c] = down_used[row - c + n] = true;
        place(row + 1, n);
        column_used[c] = up_used[row + c] = down_used[row - c + n] = false;
    }
}

int main(void) {
    for (int n = 1; n <= 8; n++) {
        solutions = 0;
        place(0, n);
        printf("%d queens: %d solutions\n", n, solutions);
    }
    return 0;
}
