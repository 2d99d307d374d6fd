/* A recursive-descent calculator that walks a string by pointer. */
#include <ctype.h>
#include <stdio.h>

static const char *at;
static int failed;

static long expression(void);

static void skip(void) {
    while (*at == ' ')
        at++;
}

static long primary(void) {
    skip();
    if (*at == '(') {
        at++;
        long v = expression();
        skip();
        if (*at == ')')
            at++;
        else
            failed = 1;
        return v;
    }
    if (*at == '-') {
        at++;
        return -primary();
    }
    if (!isdigit((unsigned char)*at)) {
        failed = 1;
        return 0;
    }
    long v = 0;
    while (isdigit((unsigned char)*at)) {
        v = v * 10 + (*at - '0');
        at++;
    }
    return v;
}

static long term(void) {
    long v = primary();
    for (;;) {
        skip();
        if (*at == '*') {
            at++;
            v *= primary();
        } else if (*at == '/' || *at == '%') {
            char op = *at;
            at++;
            long d = primary();
            if (d == 0) {
                failed = 1;
                return 0;
            }
            v = op == '/' ? v / d : v % d;
        } else {
            return v;
        }
    }
}

static long expression(void) {
    long v = term();
    for (;;) {
        skip();
        if (*at == '+') {
            at++;
            v += term();
        } else if (*at == '-') {
            at++;
            v -= term();
        } else {
            return v;
        }
    }
}

int main(void) {
    static const char *const inputs[] = {"1 + 2 * 3", "(1 + 2) * 3", "-(4 - 10) % 4", "100 / 7 / 2", "2 * (3 + (4 - 1))", "1 +", "7 / 0", "(1", "12 34"};
    for (int i = 0; i < 9; i++) {
        at = inputs[i];
        failed = 0;
        long v = expression();
        skip();
        if (failed || *at != '\0')
            printf("%s: error\n", inputs[i]);
        else
            printf("%s = %ld\n", inputs[i], v);
    }
    return 0;
}
