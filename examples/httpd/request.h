/* HTTP/1.1 requests (RFC 9110, RFC 9112), as far as a server of files needs them. All text stays in one buffer, and the
 * parts of a request are stretches of it. */
#ifndef REQUEST_H
#define REQUEST_H

#include <core.h>
#include <ctype.h>
#include <string.h>

#define BUFFER 4096

struct Part {
    unsigned at, n;
};

enum Method { GET, HEAD, OTHER };

struct Request {
    enum Method method;
    struct Part path; /* decoded, without the query; starts with a slash */
    bool keep;        /* the connection stays */
    bool has_host, has_body;
    struct Part range, since, if_range; /* of these fields; empty if they are not there */
};

/* A request is not answered as asked. The status of the answer stands beside the exception, and the exception is one for ever:
 * nothing that a client does takes memory that is not given back. */
@extensible datatype exn { Refused; };
static int refused_status;

static void refuse_with(int status) __attribute__((noreturn));
static void refuse_with(int status) {
    static datatype exn *refused = NULL;
    if (refused == NULL)
        refused = new Refused;
    refused_status = status;
    throw (datatype exn @)refused;
}

/* The length of the head of a request, with the empty line that ends it; 0 if that is not there yet. The first `from`
 * bytes are known not to have it. */
static unsigned head_length(const char @{BUFFER}`r b, unsigned from, unsigned n) {
    if (n > BUFFER)
        n = BUFFER;
    for (unsigned i = from < 3 ? 0 : from - 3; i < n; i++) {
        if (b[i] != '\n')
            continue;
        if (i + 1 < n && b[i + 1] == '\n')
            return i + 2;
        if (i + 2 < n && b[i + 1] == '\r' && b[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

static bool same(const char @{BUFFER}`r b, struct Part part, const char ?word) {
    if (part.n != numelts(word) - 1)
        return false;
    for (unsigned i = 0; i < part.n; i++)
        if (tolower(b[part.at + i]) != tolower(word[i]))
            return false;
    return true;
}

/* Whether the part is the text, to the letter. */
static bool is_text(const char @{BUFFER}`r b, struct Part part, const char ?text) {
    if (part.n != strlen(text))
        return false;
    for (unsigned i = 0; i < part.n; i++)
        if (b[part.at + i] != text[i])
            return false;
    return true;
}

/* Whether the words of a list that is separated by commas have the word. */
static bool lists(const char @{BUFFER}`r b, struct Part part, const char ?word) {
    unsigned end = part.at + part.n;
    for (unsigned i = part.at; i < end; i++) {
        while (i < end && (b[i] == ' ' || b[i] == ',' || b[i] == '\t'))
            i++;
        unsigned start = i;
        while (i < end && b[i] != ',' && b[i] != ' ' && b[i] != '\t')
            i++;
        if (same(b, (struct Part){start, i - start}, word))
            return true;
    }
    return false;
}

static int hex(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Resolves %XX in place, and cuts the query off. */
static struct Part decoded(char @{BUFFER}`r b, struct Part part) {
    unsigned to = part.at, end = part.at + part.n;
    for (unsigned from = part.at; from < end; from++) {
        char c = b[from];
        if (c == '?' || c == '#')
            break;
        if (c == '%') {
            if (from + 2 >= end || hex(b[from + 1]) < 0 || hex(b[from + 2]) < 0)
                refuse_with(400);
            c = (char)(hex(b[from + 1]) * 16 + hex(b[from + 2]));
            from += 2;
        }
        if (c == '\0')
            refuse_with(400);
        b[to++] = c;
    }
    return (struct Part){part.at, to - part.at};
}

/* The line that starts at `at`, without its end; *at becomes the start of the next. */
static struct Part line(const char @{BUFFER}`r b, unsigned @at, unsigned end) {
    unsigned start = *at, i = start;
    while (i < end && b[i] != '\n')
        i++;
    *at = i + 1;
    unsigned n = i - start;
    if (n > 0 && b[start + n - 1] == '\r')
        n--;
    return (struct Part){start, n};
}

/* Where the path begins in a target that may have a scheme and a host before it (RFC 9112, section 3.2.2). */
static unsigned path_start(const char @{BUFFER}`r b, unsigned at, unsigned end) {
    if (end - at < 7 || !same(b, (struct Part){at, 7}, "http://"))
        return at;
    for (unsigned i = at + 7; i < end; i++)
        if (b[i] == '/')
            return i;
    return at;
}

static void read_request_line(char @{BUFFER}`r b, struct Part l, struct Request @q) {
    unsigned end = l.at + l.n, i = l.at;
    while (i < end && b[i] != ' ')
        i++;
    struct Part method = {l.at, i - l.at};
    unsigned path = ++i;
    while (i < end && b[i] != ' ')
        i++;
    if (i >= end || method.n == 0)
        refuse_with(400);
    struct Part version = {i + 1, end - i - 1};
    bool is_newest = same(b, version, "HTTP/1.1");
    if (!is_newest && !same(b, version, "HTTP/1.0"))
        refuse_with(version.n == 8 && same(b, (struct Part){version.at, 5}, "HTTP/") ? 505 : 400);
    path = path_start(b, path, i);
    if (i == path || b[path] != '/')
        refuse_with(400);
    q->keep = is_newest;
    q->has_host = !is_newest; /* needed from 1.1 on */
    q->path = decoded(b, (struct Part){path, i - path});
    q->method = same(b, method, "GET") ? GET : same(b, method, "HEAD") ? HEAD : OTHER;
}

static void read_field(const char @{BUFFER}`r b, struct Part l, struct Request @q) {
    unsigned end = l.at + l.n, i = l.at;
    while (i < end && b[i] != ':' && b[i] != ' ' && b[i] != '\t')
        i++;
    if (i == l.at || i >= end || b[i] != ':')
        refuse_with(400);
    struct Part name = {l.at, i - l.at};
    i++;
    while (i < end && (b[i] == ' ' || b[i] == '\t'))
        i++;
    while (end > i && (b[end - 1] == ' ' || b[end - 1] == '\t'))
        end--;
    struct Part value = {i, end - i};
    switch (name.n) {
    case 4:
        if (same(b, name, "host"))
            q->has_host = true;
        break;
    case 5:
        if (same(b, name, "range"))
            q->range = value;
        break;
    case 8:
        if (same(b, name, "if-range"))
            q->if_range = value;
        break;
    case 10:
        if (same(b, name, "connection"))
            q->keep = q->keep ? !lists(b, value, "close") : lists(b, value, "keep-alive");
        break;
    case 14:
        if (same(b, name, "content-length") && !same(b, value, "0"))
            q->has_body = true;
        break;
    case 17:
        if (same(b, name, "transfer-encoding"))
            q->has_body = true;
        if (same(b, name, "if-modified-since"))
            q->since = value;
        break;
    default: break;
    }
}

/* The request whose head is b[0..n). Throws Refused. */
static struct Request parse(char @{BUFFER}`r b, unsigned n) {
    struct Request q = {.method = OTHER};
    unsigned at = 0;
    /* RFC 9112, section 2.2: an empty line before a request is skipped. */
    struct Part l = line(b, &at, n);
    if (l.n == 0)
        l = line(b, &at, n);
    read_request_line(b, l, &q);
    while (at < n) {
        l = line(b, &at, n);
        if (l.n == 0)
            break;
        read_field(b, l, &q);
    }
    if (!q.has_host)
        refuse_with(400);
    return q;
}

/* A number at *at, or -1. */
static long number(const char @{BUFFER}`r b, unsigned @at, unsigned end) {
    long n = -1;
    for (; *at < end && isdigit(b[*at]); (*at)++) {
        n = (n < 0 ? 0 : n) * 10 + (b[*at] - '0');
        if (n > 1l << 50)
            n = 1l << 50;
    }
    return n;
}

/* One range of bytes of `size` (RFC 9110, section 14): true if [*from, *to) is to be sent alone. What is no such range
 * is as if it were not there; one beyond the end is refused. */
static bool read_range(const char @{BUFFER}`r b, struct Part part, long size, long @from, long @to) {
    if (part.n < 6 || !same(b, (struct Part){part.at, 6}, "bytes="))
        return false;
    unsigned at = part.at + 6, end = part.at + part.n;
    long start = number(b, &at, end);
    if (at >= end || b[at] != '-')
        return false;
    at++;
    long last = number(b, &at, end);
    if (at != end || (start < 0 && last < 0) || (start >= 0 && last >= 0 && last < start))
        return false;
    if (start < 0) {
        start = last < size ? size - last : 0;
        last = size - 1;
    }
    if (start >= size)
        refuse_with(416);
    *from = start;
    *to = last < 0 || last >= size ? size : last + 1;
    return true;
}

#endif
