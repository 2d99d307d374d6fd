/* A fast Fourier transform for any length: mixed radix, each stage a pass over the whole array
 * (Stockham's autosort), with fixed butterflies for 2, 3 and 4 and a general one for other primes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define MAX_RADIX 1024
#define MAX_LENGTH (1 << 24)

struct Complex {
    double re, im;
};

static struct Complex add(struct Complex a, struct Complex b) {
    return (struct Complex){a.re + b.re, a.im + b.im};
}

static struct Complex sub(struct Complex a, struct Complex b) {
    return (struct Complex){a.re - b.re, a.im - b.im};
}

static struct Complex mul(struct Complex a, struct Complex b) {
    return (struct Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* -i a */
static struct Complex turn(struct Complex a) {
    return (struct Complex){a.im, -a.re};
}

/* A stage takes `rows` interleaved transforms of length r * m apart into r * rows of length m:
 * in[k + rows * (j + m * q)], q < r, goes through a butterfly to out[k + rows * (q + r * j)]. */

static void stage2(int rows, int m, const struct Complex *w, const struct Complex *in, struct Complex *out) {
    for (int j = 0; j < m; j++) {
        struct Complex w1 = w[j * rows];
        for (int k = 0; k < rows; k++) {
            struct Complex a = in[k + rows * j];
            struct Complex b = in[k + rows * (j + m)];
            out[k + rows * (2 * j)] = add(a, b);
            out[k + rows * (2 * j + 1)] = mul(sub(a, b), w1);
        }
    }
}

static void stage3(int rows, int m, const struct Complex *w, const struct Complex *in, struct Complex *out) {
    const double half_sqrt3 = 0.86602540378443864676;
    for (int j = 0; j < m; j++) {
        struct Complex w1 = w[j * rows], w2 = w[2 * j * rows];
        for (int k = 0; k < rows; k++) {
            struct Complex a = in[k + rows * j];
            struct Complex b = in[k + rows * (j + m)];
            struct Complex c = in[k + rows * (j + 2 * m)];
            struct Complex s = add(b, c), d = turn(sub(b, c));
            struct Complex t = {a.re - 0.5 * s.re, a.im - 0.5 * s.im};
            struct Complex u = {half_sqrt3 * d.re, half_sqrt3 * d.im};
            out[k + rows * (3 * j)] = add(a, s);
            out[k + rows * (3 * j + 1)] = mul(add(t, u), w1);
            out[k + rows * (3 * j + 2)] = mul(sub(t, u), w2);
        }
    }
}

static void stage4(int rows, int m, const struct Complex *w, const struct Complex *in, struct Complex *out) {
    for (int j = 0; j < m; j++) {
        struct Complex w1 = w[j * rows], w2 = w[2 * j * rows], w3 = w[3 * j * rows];
        for (int k = 0; k < rows; k++) {
            struct Complex a = in[k + rows * j];
            struct Complex b = in[k + rows * (j + m)];
            struct Complex c = in[k + rows * (j + 2 * m)];
            struct Complex d = in[k + rows * (j + 3 * m)];
            struct Complex s0 = add(a, c), s1 = sub(a, c), s2 = add(b, d), s3 = turn(sub(b, d));
            out[k + rows * (4 * j)] = add(s0, s2);
            out[k + rows * (4 * j + 1)] = mul(add(s1, s3), w1);
            out[k + rows * (4 * j + 2)] = mul(sub(s0, s2), w2);
            out[k + rows * (4 * j + 3)] = mul(sub(s1, s3), w3);
        }
    }
}

static void stage_any(int r, int rows, int m, const struct Complex *w, const struct Complex *in,
                      struct Complex *out) {
    struct Complex t[MAX_RADIX];
    for (int j = 0; j < m; j++) {
        for (int k = 0; k < rows; k++) {
            for (int q = 0; q < r; q++)
                t[q] = in[k + rows * (j + m * q)];
            for (int p = 0; p < r; p++) {
                struct Complex sum = t[0];
                for (int q = 1; q < r; q++)
                    sum = add(sum, mul(t[q], w[p * q % r * m * rows]));
                out[k + rows * (p + r * j)] = mul(sum, w[p * j * rows]);
            }
        }
    }
}

/* The next factor of n: 4 before 2 before 3 before the odd numbers. */
static int factor(int n) {
    if (n % 4 == 0)
        return 4;
    if (n % 2 == 0)
        return 2;
    for (int r = 3; r <= n / r; r += 2)
        if (n % r == 0)
            return r;
    return n;
}

static int supported(int n) {
    while (n > 1) {
        int r = factor(n);
        if (r > MAX_RADIX)
            return 0;
        n /= r;
    }
    return 1;
}

/* w[k] = exp(-2 pi i k / n); conjugated for the inverse transform. */
static void make_twiddles(struct Complex *w, int n, int inverse) {
    for (int k = 0; k < n; k++) {
        double angle = (inverse ? 2 : -2) * PI * k / n;
        w[k].re = cos(angle);
        w[k].im = sin(angle);
    }
}

/* Transforms x[0..n) in place, with tmp as room for n more. */
static void transform(struct Complex *x, struct Complex *tmp, const struct Complex *w, int n, int inverse) {
    int rows = 1, rest = n;
    struct Complex *in = x, *out = tmp;
    while (rest > 1) {
        int r = factor(rest);
        int m = rest / r;
        if (r == 4 && !inverse)
            stage4(rows, m, w, in, out);
        else if (r == 2)
            stage2(rows, m, w, in, out);
        else if (r == 3 && !inverse)
            stage3(rows, m, w, in, out);
        else
            stage_any(r, rows, m, w, in, out);
        struct Complex *other = in;
        in = out;
        out = other;
        rows *= r;
        rest = m;
    }
    if (in != x)
        for (int i = 0; i < n; i++)
            x[i] = in[i];
}

static void naive(const struct Complex *x, struct Complex *out, int n) {
    for (int k = 0; k < n; k++) {
        out[k] = (struct Complex){0, 0};
        for (int i = 0; i < n; i++) {
            double angle = -2 * PI * ((long long)i * k % n) / n;
            out[k] = add(out[k], mul(x[i], (struct Complex){cos(angle), sin(angle)}));
        }
    }
}

/* A signal that is the same on every machine: two waves and some noise. */
static void make_signal(struct Complex *x, int n) {
    unsigned seed = 1;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        x[i].re = sin(0.05 * i) + 0.5 * cos(0.4 * i) + (seed >> 16) / 65536.0 - 0.5;
        seed = seed * 1664525 + 1013904223;
        x[i].im = (seed >> 16) / 65536.0 - 0.5;
    }
}

static double distance(const struct Complex *a, const struct Complex *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        struct Complex d = sub(a[i], b[i]);
        most = fmax(most, sqrt(d.re * d.re + d.im * d.im));
    }
    return most;
}

static struct Complex *room(int n) {
    struct Complex *p = calloc(n, sizeof(struct Complex));
    if (p == NULL)
        exit(1);
    return p;
}

/* Compares the transform with the definition, and the inverse with the signal. */
static int check(int n) {
    struct Complex *signal = room(n), *x = room(n), *tmp = room(n), *w = room(n), *expected = room(n);
    make_signal(signal, n);
    memcpy(x, signal, n * sizeof(struct Complex));
    naive(signal, expected, n);
    make_twiddles(w, n, 0);
    transform(x, tmp, w, n, 0);
    int wrong = distance(x, expected, n) > 1e-9 * n;
    make_twiddles(w, n, 1);
    transform(x, tmp, w, n, 1);
    for (int i = 0; i < n; i++)
        x[i] = (struct Complex){x[i].re / n, x[i].im / n};
    wrong |= distance(x, signal, n) > 1e-12 * n;
    printf("%d: %s\n", n, wrong ? "wrong" : "agrees with the definition");
    free(signal);
    free(x);
    free(tmp);
    free(w);
    free(expected);
    return wrong;
}

/* Transforms the n numbers of standard input, a line "re im" each. */
static int pipe(int n) {
    struct Complex *x = room(n), *tmp = room(n), *w = room(n);
    for (int i = 0; i < n; i++) {
        if (scanf("%lf %lf", &x[i].re, &x[i].im) != 2) {
            fprintf(stderr, "fft: line %d is not two numbers\n", i + 1);
            return 1;
        }
    }
    make_twiddles(w, n, 0);
    transform(x, tmp, w, n, 0);
    for (int i = 0; i < n; i++)
        printf("%.12g %.12g\n", x[i].re, x[i].im);
    free(x);
    free(tmp);
    free(w);
    return 0;
}

static int bench(int n, int times) {
    struct Complex *x = room(n), *tmp = room(n), *w = room(n);
    double scale = 1 / sqrt(n);
    make_signal(x, n);
    make_twiddles(w, n, 0);
    for (int t = 0; t < times; t++) {
        transform(x, tmp, w, n, 0);
        for (int i = 0; i < n; i++)
            x[i] = (struct Complex){x[i].re * scale, x[i].im * scale};
    }
    double energy = 0;
    for (int i = 0; i < n; i++)
        energy += x[i].re * x[i].re + x[i].im * x[i].im;
    printf("%d transforms of length %d, energy %.6f\n", times, n, energy);
    free(x);
    free(tmp);
    free(w);
    return 0;
}

static int usage(void) {
    fprintf(stderr, "usage: fft check N | fft pipe N | fft bench N TIMES\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return usage();
    int n = atoi(argv[2]);
    if (n < 1 || n > MAX_LENGTH || !supported(n)) {
        fprintf(stderr, "fft: a length of %s is not supported\n", argv[2]);
        return 1;
    }
    if (argc == 3 && strcmp(argv[1], "check") == 0)
        return check(n);
    if (argc == 3 && strcmp(argv[1], "pipe") == 0)
        return pipe(n);
    if (argc == 4 && strcmp(argv[1], "bench") == 0)
        return bench(n, atoi(argv[3]));
    return usage();
}
