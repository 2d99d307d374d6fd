/* Encodings: base64, to and from. */
#include <stdio.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void encode(const char *s, char out[128]) {
    int n = (int)strlen(s), at = 0;
    for (int i = 0; i < n; i += 3) {
        unsigned v = (unsigned)(unsigned char)s[i] << 16;
        if (i + 1 < n)
            v |= (unsigned)(unsigned char)s[i + 1] << 8;
        if (i + 2 < n)
            v |= (unsigned char)s[i + 2];
        out[at++] = digits[v >> 18 & 63];
        out[at++] = digits[v >> 12 & 63];
        out[at++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
        out[at++] = i + 2 < n ? digits[v & 63] : '=';
    }
    out[at] = '\0';
}

static int value(char c) {
    for (int i = 0; i < 64; i++)
        if (digits[i] == c)
            return i;
    return -1;
}

static int decode(const char in[128], char out[128]) {
    unsigned v = 0;
    int bits = 0, at = 0;
    for (int i = 0; in[i] != '\0' && in[i] != '='; i++) {
        int d = value(in[i]);
        if (d < 0)
            return -1;
        v = v << 6 | (unsigned)d;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[at++] = (char)(v >> bits & 255);
        }
    }
    out[at] = '\0';
    return at;
}

int main(void) {
    static const char *const texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar", "Many hands make light work."};
    char coded[128], plain[128];
    for (int i = 0; i < 8; i++) {
        encode(texts[i], coded);
        int n = decode(coded, plain);
        printf("%s -> %s -> %s (%d)\n", texts[i], coded, plain, n);
    }
    return 0;
}
