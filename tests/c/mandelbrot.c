/* Floating point: the Mandelbrot set in characters. */
#include <stdio.h>

static int escape(double cr, double ci, int limit) {
    double r = 0, i = 0;
    int n = 0;
    while (n < limit && r * r + i * i <= 4) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
        n++;
    }
    return n;
}

int main(void) {
    static const char shades[] = " .:-=+*#%@";
    for (int y = -10; y <= 10; y++) {
        for (int x = -38; x <= 18; x++) {
            int n = escape(x / 18.0, y / 9.0, 90);
            putchar(shades[n == 90 ? 9 : n % 9]);
        }
        putchar('\n');
    }
    return 0;
}
