/* Reads JSON (RFC 8259), says what is wrong with it and where, and prints it again. */
#include "arena.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 512

struct Text {
    const char *start;
    int length;
};

enum Tag { JNULL, JBOOL, JNUMBER, JSTRING, JARRAY, JOBJECT };

struct Items;
struct Members;

struct Value {
    enum Tag tag;
    union {
        int truth;
        struct Text text;
        struct Items *items;
        struct Members *members;
    } u;
};

struct Items {
    struct Value *value;
    struct Items *next;
};

struct Members {
    struct Text name;
    struct Value *value;
    struct Members *next;
};

struct Parser {
    const char *text;
    size_t size;
    size_t pos;
    struct Arena *arena;
    const char *message;
    jmp_buf failed;
};

static _Noreturn void fail(struct Parser *p, size_t at, const char *message) {
    p->pos = at;
    p->message = message;
    longjmp(p->failed, 1);
}

static int peek(struct Parser *p) {
    return p->pos < p->size ? (unsigned char)p->text[p->pos] : -1;
}

static void skip_space(struct Parser *p) {
    while (p->pos < p->size) {
        char c = p->text[p->pos];
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return;
        p->pos++;
    }
}

static size_t digits(struct Parser *p) {
    size_t start = p->pos;
    while (p->pos < p->size && p->text[p->pos] >= '0' && p->text[p->pos] <= '9')
        p->pos++;
    return p->pos - start;
}

static struct Text parse_number(struct Parser *p) {
    size_t start = p->pos;
    if (peek(p) == '-')
        p->pos++;
    if (peek(p) == '0')
        p->pos++;
    else if (digits(p) == 0)
        fail(p, start, "expected a value");
    if (peek(p) == '.') {
        p->pos++;
        if (digits(p) == 0)
            fail(p, p->pos, "expected a digit after the decimal point");
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        p->pos++;
        if (peek(p) == '+' || peek(p) == '-')
            p->pos++;
        if (digits(p) == 0)
            fail(p, p->pos, "expected a digit in the exponent");
    }
    return (struct Text){p->text + start, (int)(p->pos - start)};
}

static int hex4(struct Parser *p) {
    int v = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(p);
        if (c >= '0' && c <= '9')
            v = v * 16 + (c - '0');
        else if (c >= 'a' && c <= 'f')
            v = v * 16 + (c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            v = v * 16 + (c - 'A' + 10);
        else
            fail(p, p->pos, "expected four hexadecimal digits after \\u");
        p->pos++;
    }
    return v;
}

/* Writes a code point in UTF-8; returns how many bytes it takes. */
static int put_utf8(char out[4], int code) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 63));
        out[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 63));
    out[2] = (char)(0x80 | (code >> 6 & 63));
    out[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* The code point of \uXXXX, with the second half of a surrogate pair; half a pair is U+FFFD. */
static int parse_unicode(struct Parser *p) {
    int code = hex4(p);
    if (code >= 0xd800 && code < 0xdc00 && p->pos + 1 < p->size && p->text[p->pos] == '\\' &&
        p->text[p->pos + 1] == 'u') {
        size_t before = p->pos;
        p->pos += 2;
        int low = hex4(p);
        if (low >= 0xdc00 && low < 0xe000)
            return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        p->pos = before;
    }
    return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

/* What a backslash and the character stand for; -1 if nothing. */
static int unescaped(int c) {
    switch (c) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"':
    case '\\':
    case '/': return c;
    default: return -1;
    }
}

/* Decodes the string that starts after the quote at start - 1 and has escapes. */
static struct Text decode_string(struct Parser *p, size_t start, size_t end) {
    char *out = allocate(p->arena, end - start);
    size_t n = 0;
    p->pos = start;
    while (p->pos < end) {
        int c = peek(p);
        p->pos++;
        if (c == '\\') {
            c = peek(p);
            p->pos++;
            if (c == 'u') {
                char utf8[4];
                int more = put_utf8(utf8, parse_unicode(p));
                for (int i = 0; i < more; i++)
                    out[n++] = utf8[i];
                continue;
            }
            c = unescaped(c);
            if (c < 0)
                fail(p, p->pos - 2, "unknown escape in a string");
        }
        out[n++] = (char)c;
    }
    p->pos = end + 1;
    return (struct Text){out, (int)n};
}

static struct Text parse_string(struct Parser *p) {
    size_t start = p->pos + 1;
    int escapes = 0;
    for (size_t i = start; i < p->size; i++) {
        unsigned char c = (unsigned char)p->text[i];
        if (c == '"') {
            if (escapes)
                return decode_string(p, start, i);
            p->pos = i + 1;
            return (struct Text){p->text + start, (int)(i - start)};
        }
        if (c < 0x20)
            fail(p, i, "control character in a string");
        if (c == '\\') {
            escapes = 1;
            i++;
        }
    }
    fail(p, start - 1, "string without an end");
}

static void parse_word(struct Parser *p, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (p->pos + i >= p->size || p->text[p->pos + i] != word[i])
            fail(p, p->pos, "expected a value");
    p->pos += n;
}

static struct Value *parse_value(struct Parser *p, int depth);

static struct Value *new_value(struct Parser *p, enum Tag tag) {
    struct Value *v = allocate(p->arena, sizeof *v);
    v->tag = tag;
    return v;
}

static struct Items *parse_array(struct Parser *p, int depth) {
    struct Items *items = NULL;
    p->pos++;
    skip_space(p);
    if (peek(p) == ']') {
        p->pos++;
        return NULL;
    }
    for (;;) {
        struct Items *item = allocate(p->arena, sizeof *item);
        item->value = parse_value(p, depth + 1);
        item->next = items;
        items = item;
        skip_space(p);
        int c = peek(p);
        if (c != ',' && c != ']')
            fail(p, p->pos, "expected ',' or ']' in an array");
        p->pos++;
        if (c == ']')
            break;
    }
    struct Items *in_order = NULL;
    while (items != NULL) {
        struct Items *next = items->next;
        items->next = in_order;
        in_order = items;
        items = next;
    }
    return in_order;
}

static struct Members *parse_object(struct Parser *p, int depth) {
    struct Members *members = NULL;
    p->pos++;
    skip_space(p);
    if (peek(p) == '}') {
        p->pos++;
        return NULL;
    }
    for (;;) {
        struct Members *m = allocate(p->arena, sizeof *m);
        skip_space(p);
        if (peek(p) != '"')
            fail(p, p->pos, "expected a member's name in double quotes");
        m->name = parse_string(p);
        skip_space(p);
        if (peek(p) != ':')
            fail(p, p->pos, "expected ':' after a member's name");
        p->pos++;
        m->value = parse_value(p, depth + 1);
        m->next = members;
        members = m;
        skip_space(p);
        int c = peek(p);
        if (c != ',' && c != '}')
            fail(p, p->pos, "expected ',' or '}' in an object");
        p->pos++;
        if (c == '}')
            break;
    }
    struct Members *in_order = NULL;
    while (members != NULL) {
        struct Members *next = members->next;
        members->next = in_order;
        in_order = members;
        members = next;
    }
    return in_order;
}

static struct Value *parse_value(struct Parser *p, int depth) {
    struct Value *v;
    skip_space(p);
    if (depth > DEPTH_LIMIT)
        fail(p, p->pos, "nested too deeply");
    switch (peek(p)) {
    case '{':
        v = new_value(p, JOBJECT);
        v->u.members = parse_object(p, depth);
        return v;
    case '[':
        v = new_value(p, JARRAY);
        v->u.items = parse_array(p, depth);
        return v;
    case '"':
        v = new_value(p, JSTRING);
        v->u.text = parse_string(p);
        return v;
    case 't':
        parse_word(p, "true");
        v = new_value(p, JBOOL);
        v->u.truth = 1;
        return v;
    case 'f':
        parse_word(p, "false");
        v = new_value(p, JBOOL);
        v->u.truth = 0;
        return v;
    case 'n':
        parse_word(p, "null");
        return new_value(p, JNULL);
    default:
        v = new_value(p, JNUMBER);
        v->u.text = parse_number(p);
        return v;
    }
}

static struct Value *parse_document(struct Parser *p) {
    struct Value *v = parse_value(p, 1);
    skip_space(p);
    if (p->pos < p->size)
        fail(p, p->pos, "more text after the value");
    return v;
}

#define OUT_SIZE 65536
static char out[OUT_SIZE];
static int out_used;

static void flush_out(void) {
    fwrite(out, 1, out_used, stdout);
    out_used = 0;
}

static void put(char c) {
    if (out_used == OUT_SIZE)
        flush_out();
    out[out_used++] = c;
}

static void put_text(struct Text t) {
    for (int i = 0; i < t.length; i++)
        put(t.start[i]);
}

static void put_word(const char *s) {
    for (; *s != '\0'; s++)
        put(*s);
}

static void put_quoted(struct Text t) {
    static const char hex[] = "0123456789abcdef";
    put('"');
    for (int i = 0; i < t.length; i++) {
        char c = t.start[i];
        switch (c) {
        case '"': put_word("\\\""); break;
        case '\\': put_word("\\\\"); break;
        case '\b': put_word("\\b"); break;
        case '\f': put_word("\\f"); break;
        case '\n': put_word("\\n"); break;
        case '\r': put_word("\\r"); break;
        case '\t': put_word("\\t"); break;
        default:
            if ((unsigned char)c < 0x20) {
                put_word("\\u00");
                put(hex[c >> 4]);
                put(hex[c & 15]);
            } else {
                put(c);
            }
        }
    }
    put('"');
}

static void put_break(int pretty, int depth) {
    if (!pretty)
        return;
    put('\n');
    for (int i = 0; i < depth; i++)
        put_word("  ");
}

static void print_value(const struct Value *v, int pretty, int depth) {
    switch (v->tag) {
    case JNULL: put_word("null"); break;
    case JBOOL: put_word(v->u.truth ? "true" : "false"); break;
    case JNUMBER: put_text(v->u.text); break;
    case JSTRING: put_quoted(v->u.text); break;
    case JARRAY:
        put('[');
        for (struct Items *i = v->u.items; i != NULL; i = i->next) {
            put_break(pretty, depth + 1);
            print_value(i->value, pretty, depth + 1);
            if (i->next != NULL)
                put(',');
        }
        if (v->u.items != NULL)
            put_break(pretty, depth);
        put(']');
        break;
    case JOBJECT:
        put('{');
        for (struct Members *m = v->u.members; m != NULL; m = m->next) {
            put_break(pretty, depth + 1);
            put_quoted(m->name);
            put_word(pretty ? ": " : ":");
            print_value(m->value, pretty, depth + 1);
            if (m->next != NULL)
                put(',');
        }
        if (v->u.members != NULL)
            put_break(pretty, depth);
        put('}');
        break;
    }
}

static int count_values(const struct Value *v) {
    int n = 1;
    switch (v->tag) {
    case JARRAY:
        for (struct Items *i = v->u.items; i != NULL; i = i->next)
            n += count_values(i->value);
        return n;
    case JOBJECT:
        for (struct Members *m = v->u.members; m != NULL; m = m->next)
            n += count_values(m->value);
        return n;
    default: return n;
    }
}

static int max(int a, int b) {
    return a > b ? a : b;
}

static int depth_of(const struct Value *v) {
    int deepest = 0;
    switch (v->tag) {
    case JARRAY:
        for (struct Items *i = v->u.items; i != NULL; i = i->next)
            deepest = max(deepest, depth_of(i->value));
        return 1 + deepest;
    case JOBJECT:
        for (struct Members *m = v->u.members; m != NULL; m = m->next)
            deepest = max(deepest, depth_of(m->value));
        return 1 + deepest;
    default: return 1;
    }
}

/* The whole of a file, in the arena; its size is left in *size. */
static char *read_all(struct Arena *arena, FILE *f, size_t *size) {
    size_t room = 65536, used = 0, n;
    char *text = allocate(arena, room);
    while ((n = fread(text + used, 1, room - used, f)) > 0) {
        used += n;
        if (used == room) {
            char *bigger = allocate(arena, 2 * room);
            memcpy(bigger, text, room);
            text = bigger;
            room *= 2;
        }
    }
    *size = used;
    return text;
}

enum Command { CHECK, PRETTY, COMPACT };

static void report(struct Parser *p, const char *name) {
    int line = 1, column = 1;
    for (size_t i = 0; i < p->pos; i++) {
        if (p->text[i] == '\n') {
            line++;
            column = 1;
        } else if ((p->text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    fprintf(stderr, "%s:%d:%d: %s\n", name, line, column, p->message);
}

static int process(FILE *f, const char *name, enum Command command) {
    struct Arena arena = {NULL, NULL, 0};
    static struct Parser p;
    p.text = read_all(&arena, f, &p.size);
    p.pos = 0;
    p.arena = &arena;
    if (setjmp(p.failed) != 0) {
        report(&p, name);
        release(&arena);
        return 1;
    }
    struct Value *v = parse_document(&p);
    if (command == CHECK) {
        printf("%s: %d values, depth %d\n", name, count_values(v), depth_of(v));
    } else {
        print_value(v, command == PRETTY, 0);
        put('\n');
        flush_out();
    }
    release(&arena);
    return 0;
}

int main(int argc, char **argv) {
    enum Command command;
    if (argc >= 2 && strcmp(argv[1], "check") == 0) {
        command = CHECK;
    } else if (argc >= 2 && strcmp(argv[1], "pretty") == 0) {
        command = PRETTY;
    } else if (argc >= 2 && strcmp(argv[1], "compact") == 0) {
        command = COMPACT;
    } else {
        fprintf(stderr, "usage: json check|pretty|compact [FILE...]\n");
        return 2;
    }
    if (argc == 2)
        return process(stdin, "-", command);
    int failed = 0;
    for (int i = 2; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            fprintf(stderr, "json: cannot open %s\n", argv[i]);
            failed = 1;
            continue;
        }
        failed |= process(f, argv[i], command);
        fclose(f);
    }
    return failed;
}
