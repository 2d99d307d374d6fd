/* Tables of structs: Roman numerals, both ways. */
#include <stdio.h>
#include <string.h>

static const struct {
    int value;
    const char *digits;
} table[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"},
             {40, "XL"},  {10, "X"},   {9, "IX"},  {5, "V"},    {4, "IV"},  {1, "I"}};

#define ROWS ((int)(sizeof table / sizeof table[0]))

static void to_roman(int n, char out[20]) {
    int at = 0;
    for (int i = 0; i < ROWS; i++) {
        while (n >= table[i].value) {
            for (int k = 0; table[i].digits[k] != '\0'; k++)
                out[at++] = table[i].digits[k];
            n -= table[i].value;
        }
    }
    out[at] = '\0';
}

static int digit(char c) {
    switch (c) {
    case 'I': return 1;
    case 'V': return 5;
    case 'X': return 10;
    case 'L': return 50;
    case 'C': return 100;
    case 'D': return 500;
    case 'M': return 1000;
    default: return 0;
    }
}

static int from_roman(const char s[20]) {
    int sum = 0;
    for (int i = 0; s[i] != '\0'; i++) {
        int d = digit(s[i]);
        sum += d < digit(s[i + 1]) ? -d : d;
    }
    return sum;
}

int main(void) {
    static const int years[] = {1, 4, 9, 14, 40, 90, 400, 1066, 1444, 1999, 2024, 3888};
    char text[20];
    for (int i = 0; i < 12; i++) {
        to_roman(years[i], text);
        printf("%d = %s = %d\n", years[i], text, from_roman(text));
    }
    return 0;
}
