/* A wavelet coder for grey pictures in PGM files.
 *
 * The picture goes through the reversible 5/3 wavelet (lifting, integers only), each coefficient is
 * divided by its band's step, and what remains is written by an adaptive binary arithmetic coder whose
 * contexts are the magnitudes of the neighbours. With quality step 1 nothing is lost.
 *
 * Stream: "TWV1", width and height (32 bits each, big endian), step (16 bits), then the coded bits. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 5
#define CONTEXTS 12
#define MAGNITUDES 20
#define MAX_SIDE 32768
#define MAX_PIXELS (1 << 26)

struct Image {
    int width, height;
    int *data;
};

/* Probabilities, of 65536, that the next bit is 1. */
struct Model {
    uint16_t nonzero[CONTEXTS];
    uint16_t more[CONTEXTS][MAGNITUDES];
    uint16_t mantissa[MAGNITUDES];
};

/* The interval [low, high] of the arithmetic coder; value is the decoder's position in it. */
struct Coder {
    uint32_t low, high, value;
    struct Model model;
};

static void coder_init(struct Coder *c) {
    c->low = 0;
    c->high = 0xffffffff;
    c->value = 0;
    for (int i = 0; i < CONTEXTS; i++) {
        c->model.nonzero[i] = 32768;
        for (int k = 0; k < MAGNITUDES; k++)
            c->model.more[i][k] = 32768;
    }
    for (int k = 0; k < MAGNITUDES; k++)
        c->model.mantissa[k] = 32768;
}

static uint16_t adapt(uint16_t p, int bit) {
    if (bit)
        return (uint16_t)(p + ((65535 - p) >> 5));
    return (uint16_t)(p - (p >> 5));
}

static void encode(struct Coder *c, uint16_t p, int bit) {
    uint32_t mid = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p >> 16);
    if (bit)
        c->high = mid;
    else
        c->low = mid + 1;
    while ((c->low ^ c->high) >> 24 == 0) {
        putchar((int)(c->high >> 24));
        c->low <<= 8;
        c->high = c->high << 8 | 255;
    }
}

static void encode_end(struct Coder *c) {
    for (int i = 24; i >= 0; i -= 8)
        putchar((int)(c->low >> i & 255));
}

static uint32_t next_byte(void) {
    int c = getchar();
    return c == EOF ? 0 : (uint32_t)c;
}

static int decode(struct Coder *c, uint16_t p) {
    uint32_t mid = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p >> 16);
    int bit = c->value <= mid;
    if (bit)
        c->high = mid;
    else
        c->low = mid + 1;
    while ((c->low ^ c->high) >> 24 == 0) {
        c->low <<= 8;
        c->high = c->high << 8 | 255;
        c->value = c->value << 8 | next_byte();
    }
    return bit;
}

static unsigned bit_length(uint32_t v) {
    unsigned n = 0;
    for (; v > 0; v >>= 1)
        n++;
    return n;
}

/* A value is written as: zero or not, how many bits its magnitude has, these bits, the sign. */
static void encode_value(struct Coder *c, int context, int v) {
    struct Model *m = &c->model;
    encode(c, m->nonzero[context], v != 0);
    m->nonzero[context] = adapt(m->nonzero[context], v != 0);
    if (v == 0)
        return;
    uint32_t magnitude = (uint32_t)abs(v);
    int n = (int)bit_length(magnitude);
    for (int k = 1; k < MAGNITUDES; k++) {
        encode(c, m->more[context][k], k < n);
        m->more[context][k] = adapt(m->more[context][k], k < n);
        if (k >= n)
            break;
    }
    for (int k = n - 2; k >= 0; k--) {
        int bit = magnitude >> k & 1;
        encode(c, m->mantissa[k], bit);
        m->mantissa[k] = adapt(m->mantissa[k], bit);
    }
    encode(c, 32768, v < 0);
}

static int decode_value(struct Coder *c, int context) {
    struct Model *m = &c->model;
    int nonzero = decode(c, m->nonzero[context]);
    m->nonzero[context] = adapt(m->nonzero[context], nonzero);
    if (!nonzero)
        return 0;
    int n = 1;
    for (int k = 1; k < MAGNITUDES; k++) {
        int more = decode(c, m->more[context][k]);
        m->more[context][k] = adapt(m->more[context][k], more);
        if (!more)
            break;
        n++;
    }
    int magnitude = 1;
    for (int k = n - 2; k >= 0; k--) {
        int bit = decode(c, m->mantissa[k]);
        m->mantissa[k] = adapt(m->mantissa[k], bit);
        magnitude = magnitude << 1 | bit;
    }
    return decode(c, 32768) ? -magnitude : magnitude;
}

/* The context of a coefficient: how large those left of it and above it are. */
static int context_at(const struct Image *m, int x, int y, int x0, int y0, int x1) {
    const int *d = m->data;
    int at = y * m->width + x;
    int sum = 0;
    if (x > x0)
        sum += 2 * abs(d[at - 1]);
    if (y > y0) {
        sum += 2 * abs(d[at - m->width]);
        if (x > x0)
            sum += abs(d[at - m->width - 1]);
        if (x + 1 < x1)
            sum += abs(d[at - m->width + 1]);
    }
    unsigned n = bit_length((uint32_t)sum);
    return n < CONTEXTS ? (int)n : CONTEXTS - 1;
}

struct Band {
    int x0, y0, x1, y1;
    int step;
};

static void encode_band(struct Coder *c, struct Image *m, struct Band b) {
    for (int y = b.y0; y < b.y1; y++) {
        for (int x = b.x0; x < b.x1; x++) {
            int at = y * m->width + x;
            int context = context_at(m, x, y, b.x0, b.y0, b.x1);
            m->data[at] /= b.step;
            encode_value(c, context, m->data[at]);
        }
    }
}

static void decode_band(struct Coder *c, struct Image *m, struct Band b) {
    for (int y = b.y0; y < b.y1; y++)
        for (int x = b.x0; x < b.x1; x++)
            m->data[y * m->width + x] = decode_value(c, context_at(m, x, y, b.x0, b.y0, b.x1));
}

static void dequantise(struct Image *m, struct Band b) {
    for (int y = b.y0; y < b.y1; y++) {
        for (int x = b.x0; x < b.x1; x++) {
            int at = y * m->width + x;
            int v = m->data[at];
            if (v != 0 && b.step > 1)
                m->data[at] = v > 0 ? v * b.step + b.step / 2 : v * b.step - b.step / 2;
        }
    }
}

static int half_up(int n, int times) {
    for (; times > 0; times--)
        n = (n + 1) / 2;
    return n;
}

#define BANDS (3 * LEVELS + 1)

/* The bands of a picture from coarse to fine; finer ones are divided by larger steps. */
static void make_bands(const struct Image *m, int step, struct Band bands[BANDS]) {
    int w = half_up(m->width, LEVELS), h = half_up(m->height, LEVELS);
    bands[0] = (struct Band){0, 0, w, h, 1};
    for (int level = LEVELS - 1; level >= 0; level--) {
        int full_w = half_up(m->width, level), full_h = half_up(m->height, level);
        int s = step >> level > 1 ? step >> level : 1;
        int i = 1 + 3 * (LEVELS - 1 - level);
        bands[i] = (struct Band){w, 0, full_w, h, s};
        bands[i + 1] = (struct Band){0, h, w, full_h, s};
        bands[i + 2] = (struct Band){w, h, full_w, full_h, s};
        w = full_w;
        h = full_h;
    }
}

/* Lifts line[0..n) and leaves the averages before the differences in out. */
static void forward_line(int *line, int *out, int n) {
    int half = (n + 1) / 2;
    if (n < 2) {
        out[0] = line[0];
        return;
    }
    for (int i = 1; i < n; i += 2)
        line[i] -= (line[i - 1] + (i + 1 < n ? line[i + 1] : line[i - 1])) >> 1;
    for (int i = 0; i < n; i += 2) {
        int left = i > 0 ? line[i - 1] : line[1];
        int right = i + 1 < n ? line[i + 1] : left;
        line[i] += (left + right + 2) >> 2;
    }
    for (int i = 0; i < half; i++)
        out[i] = line[2 * i];
    for (int i = half; i < n; i++)
        out[i] = line[2 * (i - half) + 1];
}

static void inverse_line(const int *line, int *out, int n) {
    int half = (n + 1) / 2;
    if (n < 2) {
        out[0] = line[0];
        return;
    }
    for (int i = 0; i < half; i++)
        out[2 * i] = line[i];
    for (int i = half; i < n; i++)
        out[2 * (i - half) + 1] = line[i];
    for (int i = 0; i < n; i += 2) {
        int left = i > 0 ? out[i - 1] : out[1];
        int right = i + 1 < n ? out[i + 1] : left;
        out[i] -= (left + right + 2) >> 2;
    }
    for (int i = 1; i < n; i += 2)
        out[i] += (out[i - 1] + (i + 1 < n ? out[i + 1] : out[i - 1])) >> 1;
}

static void load(const struct Image *m, int at, int stride, int *line, int n) {
    for (int i = 0; i < n; i++)
        line[i] = m->data[at + i * stride];
}

static void store(struct Image *m, int at, int stride, const int *line, int n) {
    for (int i = 0; i < n; i++)
        m->data[at + i * stride] = line[i];
}

static void forward(struct Image *m, int *line, int *out) {
    for (int level = 0; level < LEVELS; level++) {
        int w = half_up(m->width, level), h = half_up(m->height, level);
        for (int y = 0; y < h; y++) {
            load(m, y * m->width, 1, line, w);
            forward_line(line, out, w);
            store(m, y * m->width, 1, out, w);
        }
        for (int x = 0; x < w; x++) {
            load(m, x, m->width, line, h);
            forward_line(line, out, h);
            store(m, x, m->width, out, h);
        }
    }
}

static void inverse(struct Image *m, int *line, int *out) {
    for (int level = LEVELS - 1; level >= 0; level--) {
        int w = half_up(m->width, level), h = half_up(m->height, level);
        for (int x = 0; x < w; x++) {
            load(m, x, m->width, line, h);
            inverse_line(line, out, h);
            store(m, x, m->width, out, h);
        }
        for (int y = 0; y < h; y++) {
            load(m, y * m->width, 1, line, w);
            inverse_line(line, out, w);
            store(m, y * m->width, 1, out, w);
        }
    }
}

static int fail(const char *message) {
    fprintf(stderr, "wavelet: %s\n", message);
    return 1;
}

/* The next number of a PGM header, after spaces and comments; -1 if there is none. */
static int header_number(void) {
    int c = getchar(), n = 0;
    while (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getchar();
        c = getchar();
    }
    if (c < '0' || c > '9')
        return -1;
    for (; c >= '0' && c <= '9' && n < 100000; c = getchar())
        n = n * 10 + (c - '0');
    return n;
}

static void write_number(int v, int bytes) {
    for (int i = bytes - 1; i >= 0; i--)
        putchar(v >> 8 * i & 255);
}

static int read_number(int bytes) {
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | next_byte();
    return (int)v;
}

static struct Coder coder;

static int compress(int step) {
    if (getchar() != 'P' || getchar() != '5')
        return fail("the input is not a binary PGM file");
    int width = header_number(), height = header_number(), most = header_number();
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE || width > MAX_PIXELS / height || most < 1 || most > 255)
        return fail("the picture's size or depth is not supported");
    int longest = width > height ? width : height;
    int *line = calloc(longest, sizeof(int));
    int *out = calloc(longest, sizeof(int));
    struct Image m = {width, height, calloc((size_t)width * height, sizeof(int))};
    if (!line || !out || !m.data)
        return fail("out of memory");
    for (int i = 0; i < width * height; i++) {
        int c = getchar();
        if (c == EOF)
            return fail("the picture ends too early");
        m.data[i] = c;
    }
    forward(&m, line, out);
    fputs("TWV1", stdout);
    write_number(width, 4);
    write_number(height, 4);
    write_number(step, 2);
    struct Band bands[BANDS];
    make_bands(&m, step, bands);
    coder_init(&coder);
    for (int i = 0; i < BANDS; i++)
        encode_band(&coder, &m, bands[i]);
    encode_end(&coder);
    free(line);
    free(out);
    free(m.data);
    return fflush(stdout) != 0;
}

static int clamp(int v) {
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

static int decompress(void) {
    char magic[4];
    if (fread(magic, 1, 4, stdin) != 4 || memcmp(magic, "TWV1", 4) != 0)
        return fail("the input is not a TWV1 stream");
    int width = read_number(4), height = read_number(4), step = read_number(2);
    if (width < 1 || width > MAX_SIDE || height < 1 || height > MAX_SIDE || width > MAX_PIXELS / height || step < 1)
        return fail("the stream's header is damaged");
    int longest = width > height ? width : height;
    int *line = calloc(longest, sizeof(int));
    int *out = calloc(longest, sizeof(int));
    struct Image m = {width, height, calloc((size_t)width * height, sizeof(int))};
    if (!line || !out || !m.data)
        return fail("out of memory");
    struct Band bands[BANDS];
    make_bands(&m, step, bands);
    coder_init(&coder);
    coder.value = (uint32_t)read_number(4);
    for (int i = 0; i < BANDS; i++)
        decode_band(&coder, &m, bands[i]);
    for (int i = 0; i < BANDS; i++)
        dequantise(&m, bands[i]);
    inverse(&m, line, out);
    printf("P5\n%d %d\n255\n", width, height);
    for (int i = 0; i < width * height; i++)
        putchar(clamp(m.data[i]));
    free(line);
    free(out);
    free(m.data);
    return fflush(stdout) != 0;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "unpack") == 0)
        return decompress();
    if (argc == 3 && strcmp(argv[1], "pack") == 0 && atoi(argv[2]) >= 1 && atoi(argv[2]) <= 255)
        return compress(atoi(argv[2]));
    fprintf(stderr, "usage: wavelet pack STEP|unpack < INPUT > OUTPUT, with STEP from 1 (nothing is lost) to 255\n");
    return 2;
}
