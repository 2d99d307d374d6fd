/* Big numbers: factorials and powers in arrays of decimal digits. */
#include <stdio.h>

#define DIGITS 200

struct Big {
    int n;
    unsigned char digit[DIGITS];
};

static struct Big from_int(int v) {
    struct Big b = {0};
    do {
        b.digit[b.n++] = (unsigned char)(v % 10);
        v /= 10;
    } while (v > 0);
    return b;
}

static void multiply(struct Big *b, int by) {
    int carry = 0;
    for (int i = 0; i < b->n; i++) {
        int v = b->digit[i] * by + carry;
        b->digit[i] = (unsigned char)(v % 10);
        carry = v / 10;
    }
    for (; carry > 0; carry /= 10)
        b->digit[b->n++] = (unsigned char)(carry % 10);
}

static struct Big add(struct Big a, struct Big b) {
    struct Big sum = {0};
    int carry = 0;
    for (int i = 0; i < a.n || i < b.n || carry > 0; i++) {
        int v = carry + (i < a.n ? a.digit[i] : 0) + (i < b.n ? b.digit[i] : 0);
        sum.digit[sum.n++] = (unsigned char)(v % 10);
        carry = v / 10;
    }
    return sum;
}

static void print(const struct Big *b) {
    for (int i = b->n - 1; i >= 0; i--)
        printf("%d", b->digit[i]);
    printf("\n");
}

int main(void) {
    struct Big f = from_int(1);
    for (int i = 2; i <= 60; i++)
        multiply(&f, i);
    print(&f);
    struct Big a = from_int(0), b = from_int(1);
    for (int i = 0; i < 300; i++) {
        struct Big c = add(a, b);
        a = b;
        b = c;
    }
    print(&a);
    struct Big p = from_int(1);
    for (int i = 0; i < 256; i++)
        p = add(p, p);
    print(&p);
    return 0;
}
