/* Numbers: greatest common divisor, least common multiple, extended Euclid. */
#include <stdio.h>

static unsigned long long gcd(unsigned long long a, unsigned long long b) {
    while (b != 0) {
        unsigned long long r = a % b;
        a = b;
        b = r;
    }
    return a;
}

struct Bezout {
    long g, x, y;
};

static struct Bezout extended(long a, long b) {
    if (b == 0)
        return (struct Bezout){a, 1, 0};
    struct Bezout r = extended(b, a % b);
    return (struct Bezout){r.g, r.y, r.x - a / b * r.y};
}

int main(void) {
    printf("%llu %llu %llu\n", gcd(48, 36), gcd(0, 7), gcd(12345678901234567890ULL, 9876543210ULL));
    unsigned long long lcm = 1;
    for (unsigned i = 1; i <= 40; i++)
        lcm = lcm / gcd(lcm, i) * i;
    printf("lcm of 1..40 = %llu\n", lcm);
    struct Bezout r = extended(240, 46);
    printf("240*%ld + 46*%ld = %ld\n", r.x, r.y, r.g);
    return 0;
}
