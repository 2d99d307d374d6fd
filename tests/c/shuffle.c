/* Random numbers: a congruential generator, shuffling, an estimate of pi. */
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252u;

static uint32_t next(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

static uint32_t below(uint32_t n) {
    return next() % n;
}

int main(void) {
    int cards[52];
    for (int i = 0; i < 52; i++)
        cards[i] = i;
    for (int i = 51; i > 0; i--) {
        uint32_t j = below((uint32_t)i + 1);
        int t = cards[i];
        cards[i] = cards[j];
        cards[j] = t;
    }
    for (int i = 0; i < 52; i++)
        printf("%c%c%s", "23456789TJQKA"[cards[i] % 13], "shdc"[cards[i] / 13], i % 13 == 12 ? "\n" : " ");
    int inside = 0;
    for (int i = 0; i < 20000; i++) {
        double x = next() / 2147483648.0, y = next() / 2147483648.0;
        inside += x * x + y * y < 1;
    }
    printf("%.3f\n", 4.0 * inside / 20000);
    int buckets[6] = {0};
    for (int i = 0; i < 6000; i++)
        buckets[below(6)]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", buckets[i]);
    printf("\n");
    return 0;
}
