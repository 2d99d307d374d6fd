/* Tables: conversions with const data, do-while, rounding. */
#include <math.h>
#include <stdio.h>

static const double rates[4] = {1.0, 1.8, 0.8, 1.0};
static const double offsets[4] = {0.0, 32.0, 0.0, 273.15};
static const char *names[4] = {"Celsius", "Fahrenheit", "Reaumur", "Kelvin"};

static double convert(double celsius, int to) {
    return celsius * rates[to] + offsets[to];
}

int main(void) {
    printf("%10s%12s%10s%10s\n", names[0], names[1], names[2], names[3]);
    double c = -40;
    do {
        printf("%10.1f%12.1f%10.1f%10.2f\n", c, convert(c, 1), convert(c, 2), convert(c, 3));
        c += 35.5;
    } while (c <= 110);
    printf("%d %d %ld %.0f\n", (int)round(2.5), (int)trunc(-2.7), lround(-3.5), fmod(17.5, 5));
    printf("%.3f %.3f\n", hypot(3, 4), atan2(1, -1));
    return 0;
}
