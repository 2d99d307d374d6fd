/* Input: lines, words and characters of standard input, as wc counts them. */
#include <stdio.h>

int main(void) {
    long lines = 0, words = 0, chars = 0;
    int in_word = 0, c;
    while ((c = getchar()) != EOF) {
        chars++;
        if (c == '\n')
            lines++;
        if (c == ' ' || c == '\n' || c == '\t') {
            in_word = 0;
        } else if (!in_word) {
            in_word = 1;
            words++;
        }
    }
    printf("%ld %ld %ld\n", lines, words, chars);
    return 0;
}
