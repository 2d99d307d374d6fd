/* The game of life on a torus. */
#include <stdio.h>
#include <string.h>

#define H 12
#define W 24

static char world[H][W];

static int neighbours(int y, int x) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dy != 0 || dx != 0)
                n += world[(y + dy + H) % H][(x + dx + W) % W];
    return n;
}

static int step(void) {
    static char next[H][W];
    int alive = 0;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            int n = neighbours(y, x);
            next[y][x] = n == 3 || (n == 2 && world[y][x]);
            alive += next[y][x];
        }
    }
    memcpy(world, next, sizeof world);
    return alive;
}

int main(void) {
    static const char *const start[] = {".#......", "..#.....", "###.....", "........", "....###.", "....#...", ".....#.."};
    for (int y = 0; y < 7; y++)
        for (int x = 0; start[y][x] != '\0'; x++)
            world[y + 2][x + 5] = start[y][x] == '#';
    for (int generation = 1; generation <= 40; generation++) {
        int alive = step();
        if (generation % 10 != 0)
            continue;
        printf("generation %d, %d alive\n", generation, alive);
        for (int y = 0; y < H; y++) {
            for (int x = 0; x < W; x++)
                putchar(world[y][x] ? '#' : '.');
            putchar('\n');
        }
    }
    return 0;
}
