/* Strings: which of a table of phrases read the same backwards? */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char *const phrases[] = {
    "A man, a plan, a canal: Panama",
    "Was it a car or a cat I saw?",
    "Not a palindrome",
    "No 'x' in Nixon",
    "",
    "ab",
};

static bool is_palindrome(const char *s) {
    char letters[64];
    int n = 0;
    for (int i = 0; s[i] != '\0'; i++)
        if (isalpha((unsigned char)s[i]))
            letters[n++] = (char)tolower((unsigned char)s[i]);
    for (int i = 0; i < n / 2; i++)
        if (letters[i] != letters[n - 1 - i])
            return false;
    return true;
}

int main(void) {
    for (unsigned i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        printf("%-32s %s\n", phrases[i], is_palindrome(phrases[i]) ? "yes" : "no");
    return 0;
}
