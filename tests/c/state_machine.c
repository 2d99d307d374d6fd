/* State machines: comments are taken out of C source on standard input. */
#include <stdio.h>

enum State { CODE, SLASH, BLOCK, STAR, LINE, STRING, ESCAPE };

int main(void) {
    enum State state = CODE;
    int c, removed = 0;
    while ((c = getchar()) != EOF) {
        switch (state) {
        case CODE:
            if (c == '/') {
                state = SLASH;
            } else {
                if (c == '"')
                    state = STRING;
                putchar(c);
            }
            break;
        case SLASH:
            if (c == '*') {
                state = BLOCK;
                removed++;
            } else if (c == '/') {
                state = LINE;
                removed++;
            } else {
                putchar('/');
                putchar(c);
                state = CODE;
            }
            break;
        case BLOCK:
            if (c == '*')
                state = STAR;
            break;
        case STAR:
            if (c == '/') {
                putchar(' ');
                state = CODE;
            } else if (c != '*') {
                state = BLOCK;
            }
            break;
        case LINE:
            if (c == '\n') {
                putchar(c);
                state = CODE;
            }
            break;
        case STRING:
            putchar(c);
            if (c == '\\')
                state = ESCAPE;
            else if (c == '"')
                state = CODE;
            break;
        case ESCAPE:
            putchar(c);
            state = STRING;
            break;
        }
    }
    printf("-- %d comments\n", removed);
    return 0;
}
