/* Primes: the sieve of Eratosthenes, prime factors, twin primes. */
#include <stdbool.h>
#include <stdio.h>

#define LIMIT 10000

static bool composite[LIMIT + 1];

static void sieve(void) {
    for (int i = 2; i * i <= LIMIT; i++)
        if (!composite[i])
            for (int j = i * i; j <= LIMIT; j += i)
                composite[j] = true;
}

static void factors(int n) {
    printf("%d =", n);
    for (int p = 2; p * p <= n; p++) {
        while (n % p == 0) {
            printf(" %d", p);
            n /= p;
        }
    }
    if (n > 1)
        printf(" %d", n);
    printf("\n");
}

int main(void) {
    int primes = 0, twins = 0, last = 0;
    sieve();
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i])
            continue;
        primes++;
        if (last != 0 && i - last == 2)
            twins++;
        last = i;
    }
    printf("%d primes, %d twins, last %d\n", primes, twins, last);
    factors(9996);
    factors(9973);
    factors(65536);
    return 0;
}
