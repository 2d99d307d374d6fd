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
    int size;
    int pos;
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

static int digits(struct Parser<`r> @p) {
    int start = p->pos;
    while (p->pos < p->size && p->text[p->pos] >= '0' && p->text[p->pos] <= '9')
        p->pos++;
    return p->pos - start;
}

static struct Text<`r> parse_number(struct Parser<`r> @p) {
    int start = p->pos;
    if (peek(p) == '-')
        p->pos++;
    if (peek(p) == '0')
        p->pos++;
    else if (digits(p) == 0)
        throw new Bad_json(start, "expected a value");
    if (peek(p) == '.') {
        p->pos++;
        if (digits(p) == 0)
            throw new Bad_json(p->pos, "expected a digit after the decimal point");
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        p->pos++;
        if (peek(p) == '+' || peek(p) == '-')
            p->pos++;
        if (digits(p) == 0)
            throw new Bad_json(p->pos, "expected a digit in the exponent");
    }
    return Text(p->text + start, p->pos - start);
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
            throw new Bad_json(p->pos, "expected four hexadecimal digits after \\u");
        p->pos++;
    }
    return v;
}

/* Appends a code point in UTF-8 at out[n]; returns the new length. */
static int put_utf8(char ?out, int n, int code) {
    if (code < 0x80) {
        out[n++] = (char)code;
    } else if (code < 0x800) {
        out[n++] = (char)(0xc0 | code >> 6);
        out[n++] = (char)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        out[n++] = (char)(0xe0 | code >> 12);
        out[n++] = (char)(0x80 | (code >> 6 & 63));
        out[n++] = (char)(0x80 | (code & 63));
    } else {
        out[n++] = (char)(0xf0 | code >> 18);
        out[n++] = (char)(0x80 | (code >> 12 & 63));
        out[n++] = (char)(0x80 | (code >> 6 & 63));
        out[n++] = (char)(0x80 | (code & 63));
    }
    return n;
}

/* The code point of \uXXXX, with the second half of a surrogate pair; half a pair is U+FFFD. */
static int parse_unicode(struct Parser<`r> @p) {
    int code = hex4(p);
    if (code >= 0xd800 && code < 0xdc00 && p->pos + 1 < p->size && p->text[p->pos] == '\\' &&
        p->text[p->pos + 1] == 'u') {
        int before = p->pos;
        p->pos += 2;
        int low = hex4(p);
        if (low >= 0xdc00 && low < 0xe000)
            return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        p->pos = before;
    }
    return code >= 0xd800 && code < 0xe000 ? 0xfffd : code;
}

/* Decodes the string that starts after the quote at start - 1 and has escapes. */
static struct Text<`r> decode_string(struct Parser<`r> @p, int start, int end) {
    char ?`r out = rmalloc(p->arena, (end - start) * sizeof(char));
    int n = 0;
    p->pos = start;
    while (p->pos < end) {
        char c = p->text[p->pos++];
        if (c != '\\') {
            out[n++] = c;
            continue;
        }
        switch (p->text[p->pos++]) {
        case '"': out[n++] = '"'; break;
        case '\\': out[n++] = '\\'; break;
        case '/': out[n++] = '/'; break;
        case 'b': out[n++] = '\b'; break;
        case 'f': out[n++] = '\f'; break;
        case 'n': out[n++] = '\n'; break;
        case 'r': out[n++] = '\r'; break;
        case 't': out[n++] = '\t'; break;
        case 'u': n = put_utf8(out, n, parse_unicode(p)); break;
        default: throw new Bad_json(p->pos - 2, "unknown escape in a string");
        }
    }
    p->pos = end + 1;
    return Text(out, n);
}

static struct Text<`r> parse_string(struct Parser<`r> @p) {
    int start = p->pos + 1;
    int escapes = 0;
    for (int i = start; i < p->size; i++) {
        unsigned char c = (unsigned char)p->text[i];
        if (c == '"') {
            if (escapes)
                return decode_string(p, start, i);
            p->pos = i + 1;
            return Text(p->text + start, i - start);
        }
        if (c < 0x20)
            throw new Bad_json(i, "control character in a string");
        if (c == '\\') {
            escapes = 1;
            i++;
        }
    }
    throw new Bad_json(start - 1, "string without an end");
}

static void parse_word(struct Parser<`r> @p, string_t word) {
    int n = (int)strlen(word);
    for (int i = 0; i < n; i++)
        if (p->pos + i >= p->size || p->text[p->pos + i] != word[i])
            throw new Bad_json(p->pos, "expected a value");
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
            throw new Bad_json(p->pos, "expected ',' or ']' in an array");
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
            throw new Bad_json(p->pos, "expected a member's name in double quotes");
        let name = parse_string(p);
        skip_space(p);
        if (peek(p) != ':')
            throw new Bad_json(p->pos, "expected ':' after a member's name");
        p->pos++;
        member_t<`r> m = rnew(p->arena) Member(name, parse_value(p, depth + 1));
        members = rnew(p->arena) List::List(m, members);
        skip_space(p);
        int c = peek(p);
        if (c != ',' && c != '}')
            throw new Bad_json(p->pos, "expected ',' or '}' in an object");
        p->pos++;
        if (c == '}')
            break;
    }
    return rnew(p->arena) JObject(List::imp_rev(members));
}

static value_t<`r> parse_value(struct Parser<`r> @p, int depth) {
    skip_space(p);
    if (depth > DEPTH_LIMIT)
        throw new Bad_json(p->pos, "nested too deeply");
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
        throw new Bad_json(p->pos, "more text after the value");
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

static void put_word(string_t s) {
    for (int i = 0; s[i] != '\0'; i++)
        put(s[i]);
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
