/* switch: cases that go on into the next one. */
#include "annot.h"
#include <stdio.h>

static int days_after_new_year(int month, int day) {
    int days = day;
    switch (month - 1) {
    case 11: days += 30; FALLTHRU;
    case 10: days += 31; FALLTHRU;
    case 9: days += 30; FALLTHRU;
    case 8: days += 31; FALLTHRU;
    case 7: days += 31; FALLTHRU;
    case 6: days += 30; FALLTHRU;
    case 5: days += 31; FALLTHRU;
    case 4: days += 30; FALLTHRU;
    case 3: days += 31; FALLTHRU;
    case 2: days += 28; FALLTHRU;
    case 1: days += 31; break;
    default: break;
    }
    return days;
}

static const char *kind(int c) {
    switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u': return "vowel";
    case ' ':
    case '\t': return "space";
    default:
        if (c >= 'a' && c <= 'z')
            return "consonant";
        return "other";
    }
}

int main(void) {
    printf("%d %d %d %d\n", days_after_new_year(1, 1), days_after_new_year(3, 1), days_after_new_year(7, 4),
           days_after_new_year(12, 31));
    static const char text[] = "he y,u";
    for (int i = 0; text[i] != '\0'; i++)
        printf("%c: %s\n", text[i], kind(text[i]));
    return 0;
}
