/* A streaming LZ77 compressor with a window of 64 KiB.
 *
 * Stream: "TLZ1", then blocks of [raw size][packed size][bytes], sizes as 32-bit little endian;
 * a raw size of 0 ends the stream and the CRC-32 of the content follows. A block that does not
 * shrink is stored. A packed block is a row of sequences: a token (literal count in the high four
 * bits, match length - 4 in the low four, 15 meaning that bytes of 255 and one smaller byte add to it),
 * the literals, a 16-bit distance. The last sequence of a block has no match. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 65536
#define WINDOW (2 * BLOCK)
#define PACKED (BLOCK + BLOCK / 255 + 16)
#define HASH_BITS 15
#define HASH_SIZE (1 << HASH_BITS)
#define MIN_MATCH 4
#define MAX_DISTANCE 65535
#define CHAIN 16

/* window[BLOCK...] is the block at hand, the bytes before it are the block before. */
static unsigned char window[WINDOW];
static unsigned char packed[PACKED];
static int head[HASH_SIZE];
static int prev[BLOCK];
static uint32_t crc_table[256];

static void crc_init(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
        crc_table[i] = c;
    }
}

static uint32_t crc_block(uint32_t crc, int size) {
    for (int i = BLOCK; i < BLOCK + size; i++)
        crc = crc_table[(crc ^ window[i]) & 255] ^ crc >> 8;
    return crc;
}

static unsigned hash_at(int pos) {
    uint32_t v = window[pos] | (uint32_t)window[pos + 1] << 8 | (uint32_t)window[pos + 2] << 16 |
                 (uint32_t)window[pos + 3] << 24;
    return v * 2654435761u >> (32 - HASH_BITS);
}

static void insert(int pos) {
    unsigned h = hash_at(pos);
    prev[pos % BLOCK] = head[h];
    head[h] = pos;
}

static int match_length(int a, int b, int end) {
    int start = b;
    while (b < end && window[a] == window[b]) {
        a++;
        b++;
    }
    return b - start;
}

/* Finds the longest earlier match for what stands at pos; its distance is left in *distance. */
static int find_match(int pos, int end, int *distance) {
    int best = 0;
    int candidate = head[hash_at(pos)];
    for (int steps = CHAIN; steps > 0 && candidate >= 0 && pos - candidate <= MAX_DISTANCE; steps--) {
        if (pos + best < end && window[candidate + best] == window[pos + best]) {
            int length = match_length(candidate, pos, end);
            if (length > best) {
                best = length;
                *distance = pos - candidate;
            }
        }
        candidate = prev[candidate % BLOCK];
    }
    return best >= MIN_MATCH ? best : 0;
}

static int put_length(int at, int n) {
    for (; n >= 255; n -= 255)
        packed[at++] = 255;
    packed[at++] = (unsigned char)n;
    return at;
}

/* Writes one sequence at packed[at]; a match of length 0 is the end of the block. */
static int put_sequence(int at, int literals, int from, int length, int distance) {
    int coded = length == 0 ? 0 : length - MIN_MATCH;
    packed[at++] = (unsigned char)((literals < 15 ? literals : 15) << 4 | (coded < 15 ? coded : 15));
    if (literals >= 15)
        at = put_length(at, literals - 15);
    for (int i = 0; i < literals; i++)
        packed[at++] = window[from + i];
    if (length > 0) {
        packed[at++] = (unsigned char)distance;
        packed[at++] = (unsigned char)(distance >> 8);
        if (coded >= 15)
            at = put_length(at, coded - 15);
    }
    return at;
}

/* Packs the block; returns the packed size, or size itself if it would not be smaller. */
static int pack_block(int size) {
    int end = BLOCK + size, pos = BLOCK, literals_from = BLOCK, at = 0;
    while (pos + MIN_MATCH <= end) {
        int distance = 0;
        int length = find_match(pos, end, &distance);
        if (length == 0) {
            insert(pos++);
            continue;
        }
        if (at + (pos - literals_from) + 16 >= size)
            return size;
        at = put_sequence(at, pos - literals_from, literals_from, length, distance);
        int after = pos + length;
        for (; pos < after && pos + MIN_MATCH <= end; pos++)
            insert(pos);
        pos = after;
        literals_from = after;
    }
    if (at + (end - literals_from) + 16 >= size)
        return size;
    return put_sequence(at, end - literals_from, literals_from, 0, 0);
}

/* Makes the block at hand the block before, also in the hash chains. */
static void slide(void) {
    memcpy(window, window + BLOCK, BLOCK);
    for (int i = 0; i < HASH_SIZE; i++)
        head[i] = head[i] >= BLOCK ? head[i] - BLOCK : -1;
    for (int i = 0; i < BLOCK; i++)
        prev[i] = prev[i] >= BLOCK ? prev[i] - BLOCK : -1;
}

static void write32(uint32_t v) {
    for (int i = 0; i < 4; i++)
        putchar((int)(v >> 8 * i & 255));
}

static int compress(void) {
    uint32_t crc = 0xffffffff;
    int size;
    for (int i = 0; i < HASH_SIZE; i++)
        head[i] = -1;
    fwrite("TLZ1", 1, 4, stdout);
    while ((size = (int)fread(window + BLOCK, 1, BLOCK, stdin)) > 0) {
        crc = crc_block(crc, size);
        int n = pack_block(size);
        write32((uint32_t)size);
        write32((uint32_t)n);
        if (n < size)
            fwrite(packed, 1, n, stdout);
        else
            fwrite(window + BLOCK, 1, size, stdout);
        slide();
    }
    write32(0);
    write32(~crc);
    return ferror(stdin) || fflush(stdout) != 0;
}

static int read32(uint32_t *v) {
    *v = 0;
    for (int i = 0; i < 4; i++) {
        int c = getchar();
        if (c == EOF)
            return 0;
        *v |= (uint32_t)c << 8 * i;
    }
    return 1;
}

/* Reads the bytes that extend a count of 15; -1 if the block ends too early. */
static int get_length(int *at, int size, int n) {
    int byte;
    if (n < 15)
        return n;
    do {
        if (*at >= size || n > BLOCK)
            return -1;
        byte = packed[(*at)++];
        n += byte;
    } while (byte == 255);
    return n;
}

/* Unpacks size packed bytes; returns whether they make exactly raw bytes. */
static int unpack_block(int size, int raw) {
    int at = 0, pos = BLOCK, end = BLOCK + raw;
    while (at < size) {
        int token = packed[at++];
        int literals = get_length(&at, size, token >> 4);
        if (literals < 0 || literals > size - at || literals > end - pos)
            return 0;
        for (int i = 0; i < literals; i++)
            window[pos++] = packed[at++];
        if (at == size)
            return pos == end;
        if (size - at < 2)
            return 0;
        int distance = packed[at] | packed[at + 1] << 8;
        at += 2;
        int length = get_length(&at, size, token & 15);
        if (length < 0 || distance == 0 || length + MIN_MATCH > end - pos)
            return 0;
        for (int i = 0; i < length + MIN_MATCH; i++, pos++)
            window[pos] = window[pos - distance];
    }
    return 0;
}

static int corrupt(void) {
    fprintf(stderr, "lz: the input is not a whole TLZ1 stream\n");
    return 1;
}

static int decompress(void) {
    char magic[4];
    uint32_t crc = 0xffffffff, raw, size, sum;
    if (fread(magic, 1, 4, stdin) != 4 || memcmp(magic, "TLZ1", 4) != 0)
        return corrupt();
    for (;;) {
        if (!read32(&raw))
            return corrupt();
        if (raw == 0)
            break;
        if (!read32(&size) || raw > BLOCK || size > raw)
            return corrupt();
        if (size == raw) {
            if (fread(window + BLOCK, 1, raw, stdin) != raw)
                return corrupt();
        } else if (fread(packed, 1, size, stdin) != size || !unpack_block((int)size, (int)raw)) {
            return corrupt();
        }
        fwrite(window + BLOCK, 1, raw, stdout);
        crc = crc_block(crc, (int)raw);
        memcpy(window, window + BLOCK, BLOCK);
    }
    if (!read32(&sum) || sum != ~crc)
        return corrupt();
    return fflush(stdout) != 0;
}

int main(int argc, char **argv) {
    crc_init();
    if (argc == 2 && strcmp(argv[1], "pack") == 0)
        return compress();
    if (argc == 2 && strcmp(argv[1], "unpack") == 0)
        return decompress();
    fprintf(stderr, "usage: lz pack|unpack < INPUT > OUTPUT\n");
    return 2;
}
