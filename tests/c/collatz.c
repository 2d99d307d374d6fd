/* Loops: the longest Collatz chain, with do-while, break and continue. */
#include <stdint.h>
#include <stdio.h>

static int chain(uint64_t n) {
    int steps = 0;
    do {
        if (n == 1)
            break;
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    } while (1);
    return steps;
}

int main(void) {
    int best = 0;
    uint64_t start = 0;
    for (uint64_t n = 1; n < 30000; n++) {
        if (n % 2 == 0 && n < 15000)
            continue;
        int c = chain(n);
        if (c > best) {
            best = c;
            start = n;
            printf("%d steps from %lu\n", c, (unsigned long)n);
        }
    }
    printf("%d %lu\n", best, (unsigned long)start);
    return 0;
}
