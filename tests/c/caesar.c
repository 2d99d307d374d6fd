/* Strings: the ciphers of Caesar and Vigenere. */
#include <stdio.h>
#include <string.h>

static char shift(char c, int by) {
    if (c >= 'a' && c <= 'z')
        return (char)('a' + (c - 'a' + by + 26) % 26);
    if (c >= 'A' && c <= 'Z')
        return (char)('A' + (c - 'A' + by + 26) % 26);
    return c;
}

int main(void) {
    const char *text = "Attack at Dawn, not at dusk!";
    const char *key = "lemon";
    char out[64];
    size_t n = strlen(text), k = strlen(key);

    for (size_t i = 0; i <= n; i++)
        out[i] = shift(text[i], 3);
    printf("%s\n", out);
    for (size_t i = 0; i < n; i++)
        out[i] = shift(out[i], -3);
    printf("%s\n", out);

    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = shift(text[i], key[used % k] - 'a');
        if (out[i] != text[i] || text[i] == 'a')
            used++;
    }
    printf("%s\n", out);
    return 0;
}
