/* Strings to numbers: signs, bases, overflow, and back again in any base. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

static int digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return 99;
}

static bool parse(const char *s, int base, long *out) {
    bool negative = false, any = false;
    long v = 0;
    if (*s == '-' || *s == '+') {
        negative = *s == '-';
        s++;
    }
    while (*s != '\0') {
        int d = digit(*s);
        if (d >= base)
            return false;
        if (v < (LONG_MIN + d) / base)
            return false;
        v = v * base - d;
        any = true;
        s++;
    }
    if (!any || (!negative && v == LONG_MIN))
        return false;
    *out = negative ? v : -v;
    return true;
}

static void print_in(unsigned long v, int base) {
    char buffer[65];
    int at = 64;
    buffer[at] = '\0';
    do {
        buffer[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[v % (unsigned long)base];
        v /= (unsigned long)base;
    } while (v > 0);
    for (int i = at; i < 64; i++)
        putchar(buffer[i]);
    putchar(' ');
}

int main(void) {
    static const struct {
        const char *text;
        int base;
    } cases[] = {{"0", 10}, {"-42", 10}, {"+7", 10}, {"ff", 16}, {"zz", 36}, {"12", 2}, {"", 10}, {"-", 10},
                 {"9223372036854775807", 10}, {"9223372036854775808", 10}, {"-9223372036854775808", 10}, {"1x", 10}};
    for (int i = 0; i < 12; i++) {
        long v = 0;
        if (parse(cases[i].text, cases[i].base, &v))
            printf("%s (%d) = %ld\n", cases[i].text, cases[i].base, v);
        else
            printf("%s (%d) is no number\n", cases[i].text, cases[i].base);
    }
    for (int base = 2; base <= 36; base += 7)
        print_in(123456789, base);
    printf("\n");
    return 0;
}
