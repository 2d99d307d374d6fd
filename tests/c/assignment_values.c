/* Operators: the value of an assignment, of ++ and -- before and after, in subscripts and chains. */
#include <stdio.h>

struct Pair {
    int a;
    unsigned char b;
};

int main(void) {
    int buffer[8] = {0}, at = 8, n = 0;
    do
        buffer[--at] = n * n;
    while (++n < 5);
    for (int i = at; i < 8; i++)
        printf("%d ", buffer[i]);
    int a = 5, b = 3, c;
    a += b -= 1;
    printf("%d %d ", a, b);
    c = a = b += 2;
    printf("%d %d %d\n", a, b, c);
    struct Pair p = {1, 254};
    int x = p.b += 3, y = p.b--, z = --p.b, w = p.a++ * 10 + 1;
    printf("%d %d %d %d %d %d\n", x, y, z, w, p.a, p.b);
    double d = 1.5;
    float f = 0;
    d *= f = 3;
    printf("%g %g ", d, f);
    printf("%g\n", ++d);
    int *q = &buffer[3];
    int r = ++*q, s = (*q)++;
    printf("%d %d %d\n", r, s, *q);
    for (unsigned i = 3; i-- > 0;)
        printf("%u ", i);
    printf("%d\n", (a = 4, b = a-- - 1, a * 10 + b));
    return 0;
}
