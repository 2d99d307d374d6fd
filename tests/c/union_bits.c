/* Unions: one word seen as an integer, as bytes and as a float. */
#include <stdint.h>
#include <stdio.h>

union Word {
    uint32_t bits;
    float value;
    unsigned char bytes[4];
};

static void show(float f) {
    union Word w;
    w.value = f;
    printf("%g = %08x, sign %u, exponent %d, fraction %06x, low byte %02x\n", f, w.bits, w.bits >> 31,
           (int)(w.bits >> 23 & 255) - 127, w.bits & 0x7fffff, w.bytes[0]);
}

static uint32_t swap_bytes(uint32_t v) {
    union Word a, b;
    a.bits = v;
    for (int i = 0; i < 4; i++)
        b.bytes[i] = a.bytes[3 - i];
    return b.bits;
}

int main(void) {
    show(1.0f);
    show(-0.15625f);
    show(3.1415927f);
    show(65536.0f);
    printf("%08x\n", swap_bytes(0x01020304));
    union Word half;
    half.value = 2.0f;
    half.bits -= 1u << 23;
    printf("%g\n", half.value);
    return 0;
}
