/* Checksums: CRC-32, Adler-32 and Fletcher-16 of a string. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];

static void make_table(void) {
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[n] = c;
    }
}

static uint32_t crc32(const char *s) {
    uint32_t c = 0xffffffffu;
    for (size_t i = 0; s[i] != '\0'; i++)
        c = table[(c ^ (unsigned char)s[i]) & 255] ^ c >> 8;
    return ~c;
}

static uint32_t adler32(const char *s) {
    uint32_t a = 1, b = 0;
    for (; *s != '\0'; s++) {
        a = (a + (unsigned char)*s) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint16_t fletcher16(const char *s, size_t n) {
    unsigned a = 0, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + (unsigned char)s[i]) % 255;
        b = (b + a) % 255;
    }
    return (uint16_t)(b << 8 | a);
}

int main(void) {
    const char *texts[3] = {"123456789", "", "The quick brown fox jumps over the lazy dog"};
    make_table();
    for (int i = 0; i < 3; i++)
        printf("%08x %08x %04x\n", crc32(texts[i]), adler32(texts[i]), fletcher16(texts[i], strlen(texts[i])));
    return 0;
}
