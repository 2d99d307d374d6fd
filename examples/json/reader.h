/* JSON (RFC 8259): a document in one arena `r, its reader, and its printer. */
#ifndef JSON_READER_H
#define JSON_READER_H

#include <core.h>
#include <list.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_LIMIT 512

/* A document lives in one arena `r: its text, and the values, which point into the text. */
struct Text<`r::R> {
    string_t<`r> start;
    int length;
};

datatype Value<`r::R> {
    JNull;
    JBool(bool);
    JNumber(struct Text<`r>);
    JString(struct Text<`r>);
    JArray(List::list_t<datatype Value<`r> @`r, `r>);
    JObject(List::list_t<struct Member<`r> @`r, `r>);
};
typedef datatype Value<`r> @`r value_t<`r>;

struct Member<`r::R> {
    struct Text<`r> name;
    value_t<`r> value;
};
typedef struct Member<`r> @`r member_t<`r>;

struct Parser<`r::R> {
    region_t<`r> arena;
    string_t<`r> text;
    size_t size;
    size_t pos;
};

/* Where the text goes wrong, and how. */
@extensible datatype exn {
    Bad_json(int, string_t);
};

static int peek(struct Parser<`r> @p) {
    return p->pos < p->size ? (unsigned char)p->text[p->pos] : -1;
}

static void skip_space(struct Parser<`r> @p) {
    while (p->pos < p->size) {
        char c = p->text[p->pos];
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return;
        p->pos++;
    }
}

static size_t digits(struct Parser<`r> @p) {
    size_t start = p->pos;
    while (p->pos < p->size && p->text[p->pos] >= '0' && p->text[p->pos] <= '9')
        p->pos++;
    return p->pos - start;
}

static struct Text<`r> parse_number(struct Parser<`r> @p) {
    size_t start = p->pos;
    if (peek(p) == '-')
        p->pos++;
    if (peek(p) == '0')
        p->pos++;
    else if (digits(p) == 0)
        throw new Bad_json((int)start, "expected a value");
    if (peek(p) == '.') {
        p->pos++;
        if (digits(p) == 0)
            throw new Bad_json((int)p->pos, "expected a digit after the decimal point");
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        p->pos++;
        if (peek(p) == '+' || peek(p) == '-')
            p->pos++;
        if (digits(p) == 0)
            throw new Bad_json((int)p->pos, "expected a digit in the exponent");
    }
    return Text(p->text + start, (int)(p->pos - start));
}

static int hex4(struct Parser<`r> @p) {
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
            throw new Bad_json((int)p->pos, "expected four hexadecimal digits after \\u");
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
static int parse_unicode(struct Parser<`r> @p) {
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
static struct Text<`r> decode_string(struct Parser<`r> @p, size_t start, size_t end) {
    char ?`r out = rmalloc(p->arena, (end - start) * sizeof(char));
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
                throw new Bad_json((int)p->pos - 2, "unknown escape in a string");
        }
        out[n++] = (char)c;
    }
    p->pos = end + 1;
    return Text(out, (int)n);
}

static struct Text<`r> parse_string(struct Parser<`r> @p) {
    size_t start = p->pos + 1;
    int escapes = 0;
    for (size_t i = start; i < p->size; i++) {
        unsigned char c = (unsigned char)p->text[i];
        if (c == '"') {
            if (escapes)
                return decode_string(p, start, i);
            p->pos = i + 1;
            return Text(p->text + start, (int)(i - start));
        }
        if (c < 0x20)
            throw new Bad_json((int)i, "control character in a string");
        if (c == '\\') {
            escapes = 1;
            i++;
        }
    }
    throw new Bad_json((int)start - 1, "string without an end");
}

static void parse_word(struct Parser<`r> @p, string_t word) {
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (p->pos + i >= p->size || p->text[p->pos + i] != word[i])
            throw new Bad_json((int)p->pos, "expected a value");
    p->pos += n;
}

static value_t<`r> parse_value(struct Parser<`r> @p, int depth);

static value_t<`r> parse_array(struct Parser<`r> @p, int depth) {
    List::list_t<value_t<`r>, `r> items = NULL;
    p->pos++;
    skip_space(p);
    if (peek(p) == ']') {
        p->pos++;
        return rnew(p->arena) JArray(NULL);
    }
    for (;;) {
        items = rnew(p->arena) List::List(parse_value(p, depth + 1), items);
        skip_space(p);
        int c = peek(p);
        if (c != ',' && c != ']')
            throw new Bad_json((int)p->pos, "expected ',' or ']' in an array");
        p->pos++;
        if (c == ']')
            break;
    }
    return rnew(p->arena) JArray(List::imp_rev(items));
}

static value_t<`r> parse_object(struct Parser<`r> @p, int depth) {
    List::list_t<member_t<`r>, `r> members = NULL;
    p->pos++;
    skip_space(p);
    if (peek(p) == '}') {
        p->pos++;
        return rnew(p->arena) JObject(NULL);
    }
    for (;;) {
        skip_space(p);
        if (peek(p) != '"')
            throw new Bad_json((int)p->pos, "expected a member's name in double quotes");
        let name = parse_string(p);
        skip_space(p);
        if (peek(p) != ':')
            throw new Bad_json((int)p->pos, "expected ':' after a member's name");
        p->pos++;
        member_t<`r> m = rnew(p->arena) Member(name, parse_value(p, depth + 1));
        members = rnew(p->arena) List::List(m, members);
        skip_space(p);
        int c = peek(p);
        if (c != ',' && c != '}')
            throw new Bad_json((int)p->pos, "expected ',' or '}' in an object");
        p->pos++;
        if (c == '}')
            break;
    }
    return rnew(p->arena) JObject(List::imp_rev(members));
}

static value_t<`r> parse_value(struct Parser<`r> @p, int depth) {
    skip_space(p);
    if (depth > DEPTH_LIMIT)
        throw new Bad_json((int)p->pos, "nested too deeply");
    switch (peek(p)) {
    case '{': return parse_object(p, depth);
    case '[': return parse_array(p, depth);
    case '"': return rnew(p->arena) JString(parse_string(p));
    case 't':
        parse_word(p, "true");
        return rnew(p->arena) JBool(true);
    case 'f':
        parse_word(p, "false");
        return rnew(p->arena) JBool(false);
    case 'n':
        parse_word(p, "null");
        return rnew(p->arena) JNull;
    default: return rnew(p->arena) JNumber(parse_number(p));
    }
}

static value_t<`r> parse_document(struct Parser<`r> @p) {
    let v = parse_value(p, 1);
    skip_space(p);
    if (p->pos < p->size)
        throw new Bad_json((int)p->pos, "more text after the value");
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

static void put_word(const char @s) {
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

static void put_break(bool pretty, int depth) {
    if (!pretty)
        return;
    put('\n');
    for (int i = 0; i < depth; i++)
        put_word("  ");
}

static void print_value(value_t v, bool pretty, int depth) {
    switch (v) {
    case &JNull: put_word("null"); break;
    case &JBool(truth): put_word(truth ? "true" : "false"); break;
    case &JNumber(text): put_text(text); break;
    case &JString(text): put_quoted(text); break;
    case &JArray(items):
        put('[');
        for (let i = items; i != NULL; i = i->tl) {
            put_break(pretty, depth + 1);
            print_value(i->hd, pretty, depth + 1);
            if (i->tl != NULL)
                put(',');
        }
        if (items != NULL)
            put_break(pretty, depth);
        put(']');
        break;
    case &JObject(members):
        put('{');
        for (let m = members; m != NULL; m = m->tl) {
            let &Member{name, value} = m->hd;
            put_break(pretty, depth + 1);
            put_quoted(name);
            put_word(pretty ? ": " : ":");
            print_value(value, pretty, depth + 1);
            if (m->tl != NULL)
                put(',');
        }
        if (members != NULL)
            put_break(pretty, depth);
        put('}');
        break;
    }
}

#endif
