/* Dates: leap years, day of the week, days between, a month's calendar. */
#include <stdbool.h>
#include <stdio.h>

static bool is_leap(int y) {
    return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
}

static int days_in(int y, int m) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return m == 2 && is_leap(y) ? 29 : days[m - 1];
}

/* Days since 1970-01-01. */
static long day_number(int y, int m, int d) {
    long n = 0;
    for (int i = 1970; i < y; i++)
        n += is_leap(i) ? 366 : 365;
    for (int i = y; i < 1970; i++)
        n -= is_leap(i) ? 366 : 365;
    for (int i = 1; i < m; i++)
        n += days_in(y, i);
    return n + d - 1;
}

static int weekday(long n) {
    return (int)((n % 7 + 10) % 7);
}

static void calendar(int y, int m) {
    int column = weekday(day_number(y, m, 1));
    printf("%04d-%02d\nMo Tu We Th Fr Sa Su\n%*s", y, m, 3 * column, "");
    for (int d = 1; d <= days_in(y, m); d++) {
        printf("%2d%s", d, column == 6 ? "\n" : " ");
        column = (column + 1) % 7;
    }
    printf("\n");
}

int main(void) {
    static const char *const names[7] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
    printf("%d %d %d %d\n", is_leap(1900), is_leap(2000), is_leap(2024), is_leap(2026));
    printf("%s\n", names[weekday(day_number(1969, 7, 20))]);
    printf("%s\n", names[weekday(day_number(2000, 1, 1))]);
    printf("%ld\n", day_number(2026, 11, 21) - day_number(1999, 12, 31));
    calendar(2024, 2);
    return 0;
}
