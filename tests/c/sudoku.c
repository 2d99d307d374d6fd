/* Backtracking: a sudoku from standard input. */
#include <stdio.h>

static int grid[9][9];
static int rows[9], columns[9], boxes[9];
static long tried;

static void set(int y, int x, int v, int on) {
    int bit = 1 << v, box = y / 3 * 3 + x / 3;
    grid[y][x] = on ? v : 0;
    if (on) {
        rows[y] |= bit;
        columns[x] |= bit;
        boxes[box] |= bit;
    } else {
        rows[y] &= ~bit;
        columns[x] &= ~bit;
        boxes[box] &= ~bit;
    }
}

static int solve(int cell) {
    while (cell < 81 && grid[cell / 9][cell % 9] != 0)
        cell++;
    if (cell == 81)
        return 1;
    int y = cell / 9, x = cell % 9;
    int taken = rows[y] | columns[x] | boxes[y / 3 * 3 + x / 3];
    for (int v = 1; v <= 9; v++) {
        if (taken >> v & 1)
            continue;
        tried++;
        set(y, x, v, 1);
        if (solve(cell + 1))
            return 1;
        set(y, x, v, 0);
    }
    return 0;
}

int main(void) {
    char line[20];
    for (int y = 0; y < 9; y++) {
        if (fgets(line, sizeof line, stdin) == NULL)
            return 1;
        for (int x = 0; x < 9; x++)
            if (line[x] >= '1' && line[x] <= '9')
                set(y, x, line[x] - '0', 1);
    }
    if (!solve(0)) {
        printf("no solution\n");
        return 0;
    }
    for (int y = 0; y < 9; y++) {
        for (int x = 0; x < 9; x++)
            printf("%d%s", grid[y][x], x % 3 == 2 ? "  " : " ");
        printf("%s", y % 3 == 2 ? "\n\n" : "\n");
    }
    printf("%ld tried\n", tried);
    return 0;
}
