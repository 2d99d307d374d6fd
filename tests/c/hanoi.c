/* Recursion: the towers of Hanoi, Ackermann's function, mutual recursion. */
#include <stdio.h>

static int moves;
static int heights[3];

static void move(int n, int from, int to, int by) {
    if (n == 0)
        return;
    move(n - 1, from, by, to);
    heights[from]--;
    heights[to]++;
    moves++;
    if (n >= 4)
        printf("disc %d: %c to %c, heights %d %d %d\n", n, 'A' + from, 'A' + to, heights[0], heights[1], heights[2]);
    move(n - 1, by, to, from);
}

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static int is_odd(unsigned n);

static int is_even(unsigned n) {
    return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(unsigned n) {
    return n == 0 ? 0 : is_even(n - 1);
}

int main(void) {
    heights[0] = 6;
    move(6, 0, 2, 1);
    printf("%d moves\n", moves);
    printf("%u %u %u\n", ackermann(1, 5), ackermann(2, 3), ackermann(2, 9));
    printf("%d %d\n", is_even(100), is_odd(100));
    return 0;
}
