/* Recursion and static locals: Fibonacci numbers with a memory. */
#include <stdio.h>

static long long fib(int n) {
    static long long memo[91];
    static int calls = 0;
    calls++;
    if (n == 90)
        printf("called %d times before\n", calls - 1);
    if (n < 2)
        return n;
    if (memo[n] == 0)
        memo[n] = fib(n - 1) + fib(n - 2);
    return memo[n];
}

static int count(void) {
    static int n = 100;
    return n++;
}

int main(void) {
    for (int i = 0; i <= 80; i += 10)
        printf("fib(%d) = %lld\n", i, fib(i));
    printf("fib(90) = %lld\n", fib(90));
    int a = count();
    int b = count();
    int c = count();
    printf("%d %d %d\n", a, b, c);
    return 0;
}
