/* Text: how often each letter stands in standard input, drawn as bars. */
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int count[26] = {0}, most = 0, total = 0, c;
    while ((c = getchar()) != EOF) {
        if (!isalpha(c))
            continue;
        int i = tolower(c) - 'a';
        total++;
        if (++count[i] > most)
            most = count[i];
    }
    for (int i = 0; i < 26; i++) {
        if (count[i] == 0)
            continue;
        printf("%c %5.1f%% ", 'a' + i, 100.0 * count[i] / total);
        for (int k = 0; k < count[i] * 30 / most; k++)
            putchar('*');
        putchar('\n');
    }
    return 0;
}
