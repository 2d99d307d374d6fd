/* MD5 (RFC 1321) and SHA-256 (FIPS 180-4) of files, printed as md5sum and sha256sum do. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 64
#define CHUNK 65536

enum Kind { MD5, SHA256 };

struct Hasher {
    enum Kind kind;
    uint32_t h[8];
    uint64_t total;
    unsigned fill;
    unsigned char block[BLOCK];
};

static const uint32_t md5_k[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static const int md5_shift[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static const uint32_t sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_left(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static uint32_t rotate_right(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

static void md5_block(uint32_t h[8], const unsigned char p[BLOCK]) {
    uint32_t w[16];
    for (int i = 0; i < 16; i++)
        w[i] = p[4 * i] | (uint32_t)p[4 * i + 1] << 8 | (uint32_t)p[4 * i + 2] << 16 |
               (uint32_t)p[4 * i + 3] << 24;
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        switch (i / 16) {
        case 0:
            f = (b & c) | (~b & d);
            g = i;
            break;
        case 1:
            f = (d & b) | (~d & c);
            g = (5 * i + 1) % 16;
            break;
        case 2:
            f = b ^ c ^ d;
            g = (3 * i + 5) % 16;
            break;
        default:
            f = c ^ (b | ~d);
            g = 7 * i % 16;
            break;
        }
        uint32_t next = b + rotate_left(a + f + md5_k[i] + w[g], md5_shift[i / 16][i % 4]);
        a = d;
        d = c;
        c = b;
        b = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
}

static void sha256_block(uint32_t h[8], const unsigned char p[BLOCK]) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 |
               p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate_right(w[i - 15], 7) ^ rotate_right(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotate_right(w[i - 2], 17) ^ rotate_right(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3];
    uint32_t e = h[4], f = h[5], g = h[6], k = h[7];
    for (int i = 0; i < 64; i++) {
        uint32_t s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t t1 = k + s1 + ((e & f) ^ (~e & g)) + sha256_k[i] + w[i];
        uint32_t s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        k = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += k;
}

static void hash_block(struct Hasher *s, const unsigned char p[BLOCK]) {
    if (s->kind == MD5)
        md5_block(s->h, p);
    else
        sha256_block(s->h, p);
}

static void hash_start(struct Hasher *s, enum Kind kind) {
    static const uint32_t start[2][8] = {
        {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0, 0, 0, 0},
        {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
    };
    s->kind = kind;
    for (int i = 0; i < 8; i++)
        s->h[i] = start[kind][i];
    s->total = 0;
    s->fill = 0;
}

static void put_byte(struct Hasher *s, unsigned char byte) {
    s->block[s->fill] = byte;
    s->fill = (s->fill + 1) % BLOCK;
}

static void hash_update(struct Hasher *s, const unsigned char *data, size_t n) {
    size_t i = 0;
    s->total += n;
    while (i < n && s->fill > 0) {
        put_byte(s, data[i++]);
        if (s->fill == 0)
            hash_block(s, s->block);
    }
    for (; i + BLOCK <= n; i += BLOCK)
        hash_block(s, data + i);
    while (i < n)
        put_byte(s, data[i++]);
}

/* Pads with a one bit, zeros and the length in bits, then writes the digest; returns its size. */
static int hash_finish(struct Hasher *s, unsigned char digest[32]) {
    uint64_t bits = s->total * 8;
    unsigned char tail[BLOCK + 8] = {0x80};
    size_t zeros = (s->fill < 56 ? 56 : 120) - s->fill;
    for (int i = 0; i < 8; i++)
        tail[zeros + i] = (unsigned char)(s->kind == MD5 ? bits >> 8 * i : bits >> (56 - 8 * i));
    hash_update(s, tail, zeros + 8);
    int size = s->kind == MD5 ? 16 : 32;
    for (int i = 0; i < size; i++) {
        int byte = s->kind == MD5 ? i % 4 : 3 - i % 4;
        digest[i] = (unsigned char)(s->h[i / 4] >> 8 * byte);
    }
    return size;
}

static unsigned char chunk[CHUNK];

static int hash_file(FILE *f, const char *name, enum Kind kind) {
    struct Hasher s;
    unsigned char digest[32];
    size_t n;
    hash_start(&s, kind);
    while ((n = fread(chunk, 1, CHUNK, f)) > 0)
        hash_update(&s, chunk, n);
    if (ferror(f)) {
        fprintf(stderr, "hash: cannot read %s\n", name);
        return 1;
    }
    int size = hash_finish(&s, digest);
    for (int i = 0; i < size; i++)
        printf("%02x", digest[i]);
    printf("  %s\n", name);
    return 0;
}

int main(int argc, char **argv) {
    enum Kind kind;
    if (argc >= 2 && strcmp(argv[1], "md5") == 0) {
        kind = MD5;
    } else if (argc >= 2 && strcmp(argv[1], "sha256") == 0) {
        kind = SHA256;
    } else {
        fprintf(stderr, "usage: hash md5|sha256 [FILE...]\n");
        return 2;
    }
    if (argc == 2)
        return hash_file(stdin, "-", kind);
    int failed = 0;
    for (int i = 2; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            fprintf(stderr, "hash: cannot open %s\n", argv[i]);
            failed = 1;
            continue;
        }
        failed |= hash_file(f, argv[i], kind);
        fclose(f);
    }
    return failed;
}
