/* Dynamic programming: edit distance and longest common subsequence of words. */
#include <stdio.h>
#include <string.h>

#define MAX 32

static int least(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int distance(const char *a, const char *b) {
    int d[MAX + 1][MAX + 1];
    int n = (int)strlen(a), m = (int)strlen(b);
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    return d[n][m];
}

static void common(const char *a, const char *b) {
    int len[MAX + 1][MAX + 1] = {{0}};
    int n = (int)strlen(a), m = (int)strlen(b);
    char out[MAX + 1];
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            len[i][j] = a[i] == b[j] ? len[i + 1][j + 1] + 1
                                     : len[i + 1][j] > len[i][j + 1] ? len[i + 1][j] : len[i][j + 1];
    int k = 0;
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) {
            out[k++] = a[i];
            i++;
            j++;
        } else if (len[i + 1][j] >= len[i][j + 1]) {
            i++;
        } else {
            j++;
        }
    }
    out[k] = '\0';
    printf("%s\n", out);
}

int main(void) {
    static const char *const pairs[][2] = {{"kitten", "sitting"}, {"saturday", "sunday"}, {"", "abc"}, {"same", "same"}, {"intention", "execution"}};
    for (int i = 0; i < 5; i++) {
        printf("%s %s %d ", pairs[i][0], pairs[i][1], distance(pairs[i][0], pairs[i][1]));
        common(pairs[i][0], pairs[i][1]);
    }
    return 0;
}
