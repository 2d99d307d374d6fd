/* 64-bit arithmetic: modular powers, Miller-Rabin, wrap-around of unsigned numbers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t m) {
    uint64_t r = 0;
    a %= m;
    while (b > 0) {
        if (b & 1)
            r = r >= m - a ? r - (m - a) : r + a;
        a = a >= m - a ? a - (m - a) : a + a;
        b >>= 1;
    }
    return r;
}

static uint64_t power(uint64_t a, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    for (; e > 0; e >>= 1) {
        if (e & 1)
            r = multiply(r, a, m);
        a = multiply(a, a, m);
    }
    return r;
}

static bool is_prime(uint64_t n) {
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2)
        return false;
    for (int i = 0; i < 12; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    uint64_t d = n - 1;
    int s = 0;
    while (d % 2 == 0) {
        d /= 2;
        s++;
    }
    for (int i = 0; i < 12; i++) {
        uint64_t x = power(bases[i], d, n);
        if (x == 1 || x == n - 1)
            continue;
        bool composite = true;
        for (int k = 1; k < s && composite; k++) {
            x = multiply(x, x, n);
            composite = x != n - 1;
        }
        if (composite)
            return false;
    }
    return true;
}

int main(void) {
    static const uint64_t numbers[] = {97, 561, 1000003, 18446744073709551557u, 18446744073709551556u, 3825123056546413051u};
    for (int i = 0; i < 6; i++)
        printf("%llu %s\n", (unsigned long long)numbers[i], is_prime(numbers[i]) ? "prime" : "composite");
    uint64_t u = 0;
    u--;
    uint32_t v = 0xffffffffu;
    v += 2;
    int64_t s = INT64_MIN;
    printf("%llx %u %lld %lld\n", (unsigned long long)u, v, (long long)s, (long long)(s / 1000));
    printf("%d %d\n", (int)(-7 / 2), (int)(-7 % 2));
    return 0;
}
