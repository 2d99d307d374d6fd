/* printf: widths, precisions, flags and lengths. */
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int width = 8;
    size_t size = 123456789;
    ptrdiff_t difference = -5;
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d]\n", 42, 42, 42, 42, 42, 42);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o]\n", 3000000000u, 255u, 255u, 255u, 8u, 8u);
    printf("[%ld] [%lld] [%llu]\n", LONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("[%hd] [%hhd] [%hhu]\n", (short)-1, (signed char)-128, (unsigned char)200);
    printf("[%zu] [%td] [%jd]\n", size, difference, (intmax_t)-7);
    printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f]\n", 3.14159, 3.14159, 3.14159, 3.14159, 3.14159);
    printf("[%e] [%.3E] [%g] [%g] [%G]\n", 12345.678, 0.00012, 100000.0, 1000000.0, 1e-10);
    printf("[%s] [%10s] [%-10s] [%.2s]\n", "text", "text", "text", "text");
    printf("[%c] [%3c] [%%] [%*d] [%-*d] [%.*f]\n", 'x', 'y', width, 7, width, 7, 3, 2.0);
    char buffer[64];
    int n = snprintf(buffer, sizeof buffer, "%d-%s-%c", 17, "mixed", '!');
    printf("%s %d\n", buffer, n);
    n = snprintf(buffer, 8, "%s", "cut off here");
    printf("%s %d\n", buffer, n);
    return 0;
}
