/* Makes input for the example programs on standard output: the same bytes whenever and wherever it runs.
 *
 * It is C that Tenure compiles as it stands, so that a C compiler alone makes the same inputs for the C twins: no
 * expression here depends on the order in which its operands are evaluated. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 20000
#define LONGEST 11
#define LINE 2000
#define DEEPEST 6

static uint64_t state;

static void seed(uint64_t number) { state = number * 0x9E3779B97F4A7C15u + 1; }

/* xorshift64*: Sebastiano Vigna, An experimental exploration of Marsaglia's xorshift generators, 2016. */
static uint64_t random_bits(void) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

/* A number from 0 to n - 1. */
static int below(int n) { return (int)((random_bits() >> 33) % (uint64_t)n); }

/* A number from 0 to less than 1. */
static double unit(void) { return (double)(random_bits() >> 11) / 9007199254740992.0; }

/* Prose's statistics: frequent letters make words, and few words make up most of the text. */
static char words[WORDS][LONGEST + 1];
static double popularity[WORDS];

static void make_words(void) {
    static const char letters[27] = "etaoinshrdlucmfwypvbgkjqxz";
    double sum = 0;
    for (int i = 0; i < WORDS; i++) {
        int length = 1 + below(LONGEST);
        for (int k = 0; k < length; k++) {
            /* The n-th letter has weight 26 - n: a point in a triangle. */
            int a = below(27), b = below(26);
            words[i][k] = letters[a <= b ? a : b];
        }
        sum += 1.0 / (i + 3);
        popularity[i] = sum;
    }
}

static int any_word(void) {
    double point = unit() * popularity[WORDS - 1];
    int low = 0, high = WORDS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (popularity[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Nine tenths are text that compresses like prose, the rest does not compress at all. */
static void make_text(double megabytes) {
    make_words();
    long left = (long)(megabytes * 1000000);
    long noise = left / 10;
    int column = 0;
    while (left > noise) {
        int chosen = any_word();
        for (int k = 0; k < LONGEST && words[chosen][k] != 0 && left > noise; k++, left--, column++)
            putchar(words[chosen][k]);
        if (left > noise) {
            putchar(column > 72 ? '\n' : ' ');
            column = column > 72 ? 0 : column + 1;
            left--;
        }
    }
    for (; left > 0; left--)
        putchar((int)(random_bits() >> 56));
}

/* Text with all that JSON escapes; beyond ASCII it stands for itself, or, if `escapes`, as \u. A name has a number
 * behind it, which tells it from the others of its object. */
static void json_text(int escapes, int number) {
    putchar('"');
    if (below(6) == 0) {
        for (int left = below(12); left > 0; left--) {
            switch (below(15)) {
            case 0: printf("\\\""); break;
            case 1: printf("\\\\"); break;
            case 2: printf("/"); break;
            case 3: printf("\\b"); break;
            case 4: printf("\\f"); break;
            case 5: printf("\\n"); break;
            case 6: printf("\\r"); break;
            case 7: printf("\\t"); break;
            case 8: printf("\\u0001"); break;
            case 9: printf("\\u001f"); break;
            case 10: printf(escapes ? "\\u00e9" : "\xc3\xa9"); break;
            case 11: printf(escapes ? "\\u6f22" : "\xe6\xbc\xa2"); break;
            case 12: printf(escapes ? "\\ud83d\\ude00" : "\xf0\x9f\x98\x80"); break;
            default: putchar('a' + below(26)); break;
            }
        }
    } else {
        for (int left = 3 + below(17); left > 0; left--) {
            int letter = below(16);
            putchar(letter == 15 ? ' ' : 'a' + letter);
        }
    }
    if (number > 0)
        printf("%d", number);
    putchar('"');
}

static void json_value(int depth, int escapes) {
    int kind = below(depth < DEEPEST ? 10 : 6);
    if (kind == 0) {
        printf("null");
    } else if (kind == 1) {
        printf(below(2) ? "true" : "false");
    } else if (kind == 2) {
        long number = (long)(random_bits() >> 4);
        for (int fewer = below(18); fewer > 0; fewer--)
            number /= 10;
        printf("%ld", below(2) ? number : -number);
    } else if (kind == 3) {
        /* As a printer of the shortest decimals prints it: the last digit is not zero. */
        int before = below(2000000) - 1000000, last = 1 + below(9);
        printf("%d.", before);
        for (int digits = below(7); digits > 0; digits--)
            putchar('0' + below(10));
        printf("%d", last);
    } else if (kind < 6) {
        json_text(escapes, 0);
    } else {
        putchar(kind < 8 ? '[' : '{');
        int count = below(8);
        for (int i = 0; i < count; i++) {
            if (i > 0)
                printf(", ");
            if (kind >= 8) {
                json_text(escapes, i + 1);
                printf(": ");
            }
            json_value(depth + 1, escapes);
        }
        putchar(kind < 8 ? ']' : '}');
    }
}

static void make_json(int size, int number) {
    seed((uint64_t)number);
    putchar('[');
    for (int i = 0; i < size; i++) {
        if (i > 0)
            printf(", ");
        json_value(0, number % 2 == 0);
    }
    putchar(']');
}

static void csv_city(int n) {
    switch (n) {
    case 0: printf("Berlin"); break;
    case 1: printf("Paris"); break;
    case 2: printf("Rome"); break;
    case 3: printf("Oslo"); break;
    case 4: printf("New York"); break;
    default: printf("S\xc3\xa3o Paulo"); break;
    }
}

static void csv_product(int n) {
    switch (n) {
    case 0: printf("apple"); break;
    case 1: printf("pear"); break;
    case 2: printf("plum"); break;
    case 3: printf("nut"); break;
    case 4: printf("\"a, b\""); break;
    default: printf("\"say \"\"hi\"\"\""); break;
    }
}

static void make_csv(int rows) {
    printf("id,city,product,price,amount,day,note\r\n");
    for (int i = 0; i < rows; i++) {
        printf("%d,", i);
        csv_city(below(6));
        putchar(',');
        csv_product(below(6));
        putchar(',');
        if (below(100) >= 3)
            printf("%.2f", 0.5 + unit() * 98.5);
        printf(",%d,", 1 + below(49));
        printf("2026-%02d-", 1 + below(12));
        printf("%02d,", 1 + below(28));
        int note = below(3);
        printf(note == 0 ? "" : note == 1 ? "x" : "\"two\nlines\"");
        printf("\r\n");
    }
}

/* A grey picture with slopes, edges and noise. */
static void make_pgm(int width, int height) {
    printf("P5\n# made by inputs\n%d %d\n255\n", width, height);
    double least = width < height ? width : height;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double v = 128 + 60 * sin(x / 37.0) + 40 * cos(y / 23.0) + (below(7) - 3);
            double dx = x - width / 2.0, dy = y - height / 2.0;
            if (dx * dx + dy * dy < least / 4 * (least / 4))
                v += 50;
            if ((x / 16 + y / 16) % 7 == 0)
                v -= 30;
            putchar(v < 0 ? 0 : v > 255 ? 255 : (int)v);
        }
    }
}

int main(int argc, char **argv) {
    seed(1);
    if (argc == 3 && strcmp(argv[1], "text") == 0)
        make_text(atof(argv[2]));
    else if (argc == 3 && strcmp(argv[1], "json") == 0)
        make_json(atoi(argv[2]), 1);
    else if (argc == 4 && strcmp(argv[1], "json") == 0)
        make_json(atoi(argv[2]), atoi(argv[3]));
    else if (argc == 3 && strcmp(argv[1], "csv") == 0)
        make_csv(atoi(argv[2]));
    else if (argc == 4 && strcmp(argv[1], "pgm") == 0)
        make_pgm(atoi(argv[2]), atoi(argv[3]));
    else {
        fprintf(stderr, "usage: inputs text MEGABYTES | json SIZE [SEED] | csv ROWS | pgm WIDTH HEIGHT\n");
        return 2;
    }
    return 0;
}
