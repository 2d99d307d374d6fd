/* Floating point: Newton's root, Simpson's rule, series, comparisons. */
#include <float.h>
#include <math.h>
#include <stdio.h>

static double root(double x) {
    double guess = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) {
        double next = (guess + x / guess) / 2;
        if (fabs(next - guess) < 1e-15 * guess)
            return next;
        guess = next;
    }
    return guess;
}

static double bell(double x) {
    return exp(-x * x / 2);
}

static double simpson(double (*f)(double), double from, double to, int n) {
    double h = (to - from) / n, sum = f(from) + f(to);
    for (int i = 1; i < n; i++)
        sum += f(from + i * h) * (i % 2 == 1 ? 4 : 2);
    return sum * h / 3;
}

int main(void) {
    printf("%.12f %.12f %.6f\n", root(2), root(1e10), root(0.25));
    printf("%.10f\n", simpson(bell, -6, 6, 200));
    printf("%.8f\n", simpson(sin, 0, 1, 10));
    double pi = 0;
    for (int k = 0; k < 1000; k++)
        pi += (k % 2 == 0 ? 4.0 : -4.0) / (2 * k + 1);
    printf("%.10f\n", pi);
    float f = 0;
    for (int i = 0; i < 10; i++)
        f += 0.1f;
    printf("%d %d %.9g\n", f == 1.0f, fabsf(f - 1.0f) < 10 * FLT_EPSILON, f);
    printf("%g %g %d\n", 1.0 / 3 * 3, floor(-2.5) + ceil(2.1), (int)3.99);
    return 0;
}
