/* Polynomials: structs with arrays, passed and returned by value; Horner, product, derivative. */
#include <stdio.h>

#define MAX 12

struct Poly {
    int degree;
    long c[MAX];
};

static long evaluate(struct Poly p, long x) {
    long v = 0;
    for (int i = p.degree; i >= 0; i--)
        v = v * x + p.c[i];
    return v;
}

static struct Poly multiply(struct Poly a, struct Poly b) {
    struct Poly p = {.degree = a.degree + b.degree};
    for (int i = 0; i <= a.degree; i++)
        for (int j = 0; j <= b.degree; j++)
            p.c[i + j] += a.c[i] * b.c[j];
    return p;
}

static struct Poly derivative(struct Poly p) {
    for (int i = 0; i < p.degree; i++)
        p.c[i] = p.c[i + 1] * (i + 1);
    p.c[p.degree] = 0;
    if (p.degree > 0)
        p.degree--;
    return p;
}

static void print(struct Poly p) {
    for (int i = p.degree; i >= 0; i--)
        if (p.c[i] != 0)
            printf("%+ldx^%d ", p.c[i], i);
    printf("\n");
}

int main(void) {
    struct Poly p = {1, {-1, 1}}, q = p;
    for (int i = 2; i <= 6; i++)
        q = multiply(q, (struct Poly){1, {-i, 1}});
    print(q);
    print(derivative(q));
    for (long x = 0; x <= 8; x++)
        printf("%ld ", evaluate(q, x));
    printf("\n");
    return 0;
}
