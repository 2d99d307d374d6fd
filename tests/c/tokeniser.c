/* Lexing: tokens of a small language from standard input, with their places. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum Kind { NAME, NUMBER, KEYWORD, SIGN, BAD, KINDS };

static const char *const kind_names[KINDS] = {"name", "number", "keyword", "sign", "bad"};
static const char *const keywords[] = {"if", "while", "return", "int"};

static int is_keyword(const char *s) {
    for (int i = 0; i < 4; i++)
        if (strcmp(keywords[i], s) == 0)
            return 1;
    return 0;
}

static char line[200];
static char token[32];

static int scan(int i, enum Kind *kind) {
    int n = 0;
    if (isalpha((unsigned char)line[i]) || line[i] == '_') {
        while ((isalnum((unsigned char)line[i]) || line[i] == '_') && n < 31)
            token[n++] = line[i++];
        token[n] = '\0';
        *kind = NAME;
        for (int k = 0; k < 4; k++)
            if (strcmp(keywords[k], token) == 0)
                *kind = KEYWORD;
        return i;
    }
    if (isdigit((unsigned char)line[i])) {
        while (isdigit((unsigned char)line[i]) && n < 31)
            token[n++] = line[i++];
        *kind = NUMBER;
    } else {
        *kind = strchr("+-*/=<>(){};", line[i]) != NULL ? SIGN : BAD;
        char first = line[i];
        token[n++] = line[i++];
        if ((first == '=' || first == '<' || first == '>') && line[i] == '=')
            token[n++] = line[i++];
    }
    token[n] = '\0';
    return i;
}

int main(void) {
    int counts[KINDS] = {0};
    for (int number = 1; fgets(line, sizeof line, stdin) != NULL; number++) {
        int i = 0;
        while (line[i] != '\0') {
            enum Kind kind = BAD;
            int start = i;
            if (isspace((unsigned char)line[i])) {
                i++;
                continue;
            }
            i = scan(i, &kind);
            counts[kind]++;
            printf("%d:%d %s %s\n", number, start + 1, kind_names[kind], token);
        }
    }
    for (int k = 0; k < KINDS; k++)
        printf("%s %d\n", kind_names[k], counts[k]);
    printf("%d %d\n", is_keyword("while"), is_keyword("whale"));
    return 0;
}
