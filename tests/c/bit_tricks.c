/* Bits: population count, parity, reversal, rotation, powers of two. */
#include <stdint.h>
#include <stdio.h>

static int popcount(uint32_t x) {
    int n = 0;
    while (x != 0) {
        x &= x - 1;
        n++;
    }
    return n;
}

static uint32_t reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

static uint32_t rotate(uint32_t x, unsigned n) {
    n &= 31;
    return n == 0 ? x : x << n | x >> (32 - n);
}

static uint32_t next_power(uint32_t x) {
    x--;
    for (int s = 1; s < 32; s *= 2)
        x |= x >> s;
    return x + 1;
}

static unsigned gray(unsigned x) {
    return x ^ x >> 1;
}

int main(void) {
    static const uint32_t values[] = {0, 1, 2, 0x80000000u, 0xffffffffu, 0x12345678u, 1000};
    for (int i = 0; i < 7; i++) {
        uint32_t v = values[i];
        printf("%08x %2d %d %08x %08x %u\n", v, popcount(v), popcount(v) & 1, reverse(v), rotate(v, 12), next_power(v));
    }
    for (unsigned i = 0; i < 8; i++)
        printf("%u%u%u ", gray(i) >> 2 & 1, gray(i) >> 1 & 1, gray(i) & 1);
    printf("\n%d %d %d\n", -17 >> 2, ~0, (int8_t)0x80);
    return 0;
}
