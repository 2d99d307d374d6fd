/* Operators: precedence, short circuits, comma, conditional chains, compound assignment, promotions. */
#include <stdio.h>

static int calls;

static int yes(int v) {
    calls++;
    return v;
}

static const char *grade(int points) {
    return points >= 90 ? "A" : points >= 80 ? "B" : points >= 70 ? "C" : "F";
}

int main(void) {
    int a = 5, b = 3;
    printf("%d %d %d\n", a + b * 2, (a + b) * 2, a << 1 | 1);
    int both = yes(0) && yes(1), either = yes(1) || yes(1);
    printf("%d %d %d\n", both, either, calls);
    for (int p = 65; p <= 95; p += 10)
        printf("%s ", grade(p));
    printf("\n");
    a += b -= 1;
    a *= 2;
    a ^= 0xf;
    a %= 7;
    printf("%d %d\n", a, b);
    int i, j;
    for (i = 0, j = 10; i < j; i += 2, j--)
        ;
    printf("%d %d\n", i, j);
    unsigned char small = 250;
    small += 10;
    signed char negative = -1;
    printf("%d %d %d\n", small, negative < 1, (unsigned char)negative);
    printf("%d %d\n", !a, !!a);
    int array[3] = {1, 2, 3}, k = 0;
    array[k] = array[k + 1] + 10;
    k++;
    printf("%d %d %d\n", array[0], k, (int)(sizeof array / sizeof(int)));
    long big = 1L << 40;
    printf("%ld %d\n", big, (int)(big >> 38));
    return 0;
}
