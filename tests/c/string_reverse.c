/* Strings: reversing, upper case and trimming in local arrays. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[80] = "  The quick brown fox jumps over the lazy dog.  ";
    int n = (int)strlen(line);

    int from = 0, to = n;
    while (from < to && isspace((unsigned char)line[from]))
        from++;
    while (to > from && isspace((unsigned char)line[to - 1]))
        to--;
    char trimmed[80];
    for (int i = from; i < to; i++)
        trimmed[i - from] = line[i];
    trimmed[to - from] = '\0';
    printf("[%s] %d\n", trimmed, (int)strlen(trimmed));

    for (int i = 0, j = to - from - 1; i < j; i++, j--) {
        char t = trimmed[i];
        trimmed[i] = trimmed[j];
        trimmed[j] = t;
    }
    printf("[%s]\n", trimmed);

    char word[2][16] = {"upper", "Lower"};
    for (int w = 0; w < 2; w++)
        for (int i = 0; word[w][i] != '\0'; i++)
            word[w][i] = (char)(w == 0 ? toupper((unsigned char)word[w][i]) : tolower((unsigned char)word[w][i]));
    printf("%s %s\n", word[0], word[1]);
    return 0;
}
