/* Heads of answers. */
#ifndef ANSWER_H
#define ANSWER_H

#include "request.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

struct Head {
    unsigned n;
    bool keep; /* the connection stays */
    char text[1024];
};

static time_t now;
static char date[40];

static void format_date(char @{40}`r text, time_t t) {
    struct tm tm;
    (void)gmtime_r(&t, &tm);
    text[strftime(text, 39, "%a, %d %b %Y %H:%M:%S GMT", &tm)] = '\0';
}

static void update_clock(void) {
    time_t t = time(NULL);
    if (t == now)
        return;
    now = t;
    format_date(date, t);
}

static const char *reason(int status) {
    switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 416: return "Range Not Satisfiable";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Internal Server Error";
    }
}

#define ADD(h, ...) ((h)->n += (unsigned)snprintf((h)->text + (h)->n, sizeof (h)->text - (h)->n, __VA_ARGS__))

static void begin(struct Head @h, int status) {
    h->n = 0;
    ADD(h, "HTTP/1.1 %d %s\r\nServer: httpd\r\nDate: %s\r\n", status, reason(status), date);
    if (!h->keep)
        ADD(h, "Connection: close\r\n");
}

/* A short answer, whose text is its status. `size` is that of the file which has not the range. */
static void answer_status(struct Head @h, int status, bool with_body, long size) {
    begin(h, status);
    if (status == 405)
        ADD(h, "Allow: GET, HEAD\r\n");
    if (status == 416)
        ADD(h, "Content-Range: bytes */%ld\r\n", size);
    ADD(h, "Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n", (int)strlen(reason(status)) + 5);
    if (with_body)
        ADD(h, "%d %s\n", status, reason(status));
}

static void answer_whole(struct Head @h, const char *type, long size) {
    begin(h, 200);
    ADD(h, "Content-Type: %s\r\nContent-Length: %ld\r\n\r\n", type, size);
}

/* The directory's own name, with the slash that was missing. */
static void answer_moved(struct Head @h, const char @{BUFFER}`r b, struct Part path) {
    if (path.n > 200)
        refuse_with(404);
    begin(h, 301);
    ADD(h, "Location: ");
    for (unsigned i = 0; i < path.n; i++) {
        char c = b[path.at + i];
        if (isalnum(c) || c == '/' || c == '.' || c == '-' || c == '_' || c == '~')
            ADD(h, "%c", c);
        else
            ADD(h, "%%%02X", (unsigned char)c);
    }
    ADD(h, "/\r\nContent-Length: 0\r\n\r\n");
}

/* A file, or one range of it, or that it has not changed: [*from, *to) is what is to be sent. */
static void answer_file(struct Head @h, const char @{BUFFER}`r b, struct Request @q, struct stat @s, const char *type,
                        off_t @from, off_t @to) {
    /* The same file is often asked for again. */
    static char modified[40];
    static time_t modified_at = -1;
    if (modified_at != s->st_mtime)
        format_date(modified, s->st_mtime);
    modified_at = s->st_mtime;
    *from = *to = 0;
    if (is_text(b, q->since, modified)) {
        begin(h, 304);
        ADD(h, "Last-Modified: %s\r\n\r\n", modified);
        return;
    }
    *to = s->st_size;
    bool is_part = q->method == GET && (q->if_range.n == 0 || is_text(b, q->if_range, modified)) &&
                   read_range(b, q->range, s->st_size, from, to);
    begin(h, is_part ? 206 : 200);
    if (is_part)
        ADD(h, "Content-Range: bytes %ld-%ld/%ld\r\n", *from, *to - 1, s->st_size);
    ADD(h, "Accept-Ranges: bytes\r\nLast-Modified: %s\r\nContent-Type: %s\r\nContent-Length: %ld\r\n\r\n", modified, type,
        *to - *from);
}

#endif
