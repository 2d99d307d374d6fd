/* Text: words of standard input set in lines of at most 40 characters. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WIDTH 40

static int column;

static void put_word(const char word[64], int n) {
    if (n == 0)
        return;
    if (column > 0 && column + 1 + n > WIDTH) {
        putchar('\n');
        column = 0;
    }
    if (column > 0) {
        putchar(' ');
        column++;
    }
    fputs(word, stdout);
    column += n;
}

int main(void) {
    char word[64];
    int n = 0, c;
    while ((c = getchar()) != EOF) {
        if (isspace(c) || n == 63) {
            word[n] = '\0';
            put_word(word, n);
            n = 0;
        }
        if (!isspace(c))
            word[n++] = (char)c;
    }
    word[n] = '\0';
    put_word(word, (int)strlen(word));
    putchar('\n');
    return 0;
}
