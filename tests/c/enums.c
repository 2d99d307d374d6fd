/* Enums: values, arithmetic, names, sets of flags, switch without default. */
#include <stdio.h>

enum Day { MON = 1, TUE, WED, THU, FRI, SAT, SUN };
enum Flag { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2, ALL = READ | WRITE | EXEC };
enum { COUNT = SUN - MON + 1, BIG = 1000000 };

static const char *const names[COUNT] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static enum Day after(enum Day d, int days) {
    return (enum Day)((d - MON + days) % COUNT + MON);
}

static int is_weekend(enum Day d) {
    switch (d) {
    case MON:
    case TUE:
    case WED:
    case THU:
    case FRI: return 0;
    case SAT:
    case SUN: return 1;
    }
    return -1;
}

static void print_flags(unsigned flags) {
    printf("%c%c%c%s\n", flags & READ ? 'r' : '-', flags & WRITE ? 'w' : '-', flags & EXEC ? 'x' : '-',
           (flags & ALL) == ALL ? " all" : "");
}

int main(void) {
    int work = 0;
    for (enum Day d = MON; d <= SUN; d++) {
        enum Day later = after(d, 10);
        printf("%s +10 = %s\n", names[d - MON], names[later - MON]);
        if (!is_weekend(d))
            work++;
    }
    printf("%d working days, %d\n", work, BIG);
    print_flags(READ | EXEC);
    print_flags(ALL & ~READ);
    print_flags(ALL);
    return 0;
}
