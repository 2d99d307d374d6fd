/* Bit-fields: a date packed into 16 bits, flags, signed fields. */
#include <stdio.h>

struct Date {
    unsigned day : 5;
    unsigned month : 4;
    unsigned year : 7;
};

struct Flags {
    unsigned readable : 1;
    unsigned writable : 1;
    unsigned : 2;
    signed level : 3;
    unsigned kind : 4;
};

static struct Date tomorrow(struct Date d) {
    d.day++;
    if (d.day > 30) {
        d.day = 1;
        d.month++;
        if (d.month > 12) {
            d.month = 1;
            d.year++;
        }
    }
    return d;
}

int main(void) {
    struct Date d = {.day = 29, .month = 12, .year = 99};
    for (int i = 0; i < 4; i++) {
        printf("%u-%02u-%02u\n", 1980u + d.year, (unsigned)d.month, (unsigned)d.day);
        d = tomorrow(d);
    }
    struct Flags f = {0};
    f.readable = 1;
    f.level = -3;
    f.kind = 15;
    f.kind += 2;
    printf("%d %d %d %d\n", f.readable, f.writable, f.level, f.kind);
    f.level = 3;
    f.level--;
    f.readable ^= 1;
    printf("%d %d\n", f.readable, f.level);
    return 0;
}
