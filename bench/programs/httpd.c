/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The C twin of examples/httpd: the same design, system calls and answers, which examples/httpd/drive.py holds for both. A
 * status that is not 0 takes the place of the exception. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_DESCRIPTORS 1024
#define BATCH 64
#define TICK 0u
#define BUFFER 4096
#define LEAST_ROOM 2048

/* Events. */

struct watch {
    bool (*ready)(void *env, unsigned events);
    void (*finish)(void *env);
    void *env;
};

static struct watch *watches[MAX_DESCRIPTORS];
static int epoll_fd = -1;

static void watch(int fd, unsigned events, bool (*ready)(void *, unsigned), void (*finish)(void *), void *env) {
    struct epoll_event event = {.events = events, .data = {.u64 = (uint64_t)fd}};
    if (epoll_fd < 0) epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    struct watch *w = malloc(sizeof *w);
    *w = (struct watch){ready, finish, env};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0) {
        watches[fd] = w;
    } else {
        finish(env);
        free(w);
    }
}

static void expect(int fd, unsigned events) {
    struct epoll_event event = {.events = events, .data = {.u64 = (uint64_t)fd}};
    (void)epoll_ctl(epoll_fd, EPOLL_CTL_MOD, fd, &event);
}

static void dispatch(int fd, unsigned events) {
    struct watch *w = watches[fd];
    if (w == NULL) return;
    watches[fd] = NULL;
    if (w->ready(w->env, events)) {
        watches[fd] = w;
        return;
    }
    w->finish(w->env);
    free(w);
}

/* Requests. */

struct part {
    unsigned at, n;
};

enum method { GET, HEAD, OTHER };

struct request {
    enum method method;
    struct part path;
    bool keep, has_host, has_body;
    struct part range, since, if_range;
};

static unsigned head_length(const char *b, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        if (b[i] != '\n') continue;
        if (i + 1 < n && b[i + 1] == '\n') return i + 2;
        if (i + 2 < n && b[i + 1] == '\r' && b[i + 2] == '\n') return i + 3;
    }
    return 0;
}

static bool same(const char *b, struct part part, const char *word) {
    if (part.n != strlen(word)) return false;
    for (unsigned i = 0; i < part.n; i++)
        if (tolower((unsigned char)b[part.at + i]) != tolower((unsigned char)word[i])) return false;
    return true;
}

static bool is_text(const char *b, struct part part, const char *text) {
    return part.n == strlen(text) && memcmp(b + part.at, text, part.n) == 0;
}

static bool lists(const char *b, struct part part, const char *word) {
    unsigned end = part.at + part.n;
    for (unsigned i = part.at; i < end; i++) {
        while (i < end && (b[i] == ' ' || b[i] == ',' || b[i] == '\t')) i++;
        unsigned start = i;
        while (i < end && b[i] != ',' && b[i] != ' ' && b[i] != '\t') i++;
        if (same(b, (struct part){start, i - start}, word)) return true;
    }
    return false;
}

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int decode(char *b, struct part *part) {
    unsigned to = part->at, end = part->at + part->n;
    for (unsigned from = part->at; from < end; from++) {
        char c = b[from];
        if (c == '?' || c == '#') break;
        if (c == '%') {
            if (from + 2 >= end || hex(b[from + 1]) < 0 || hex(b[from + 2]) < 0) return 400;
            c = (char)(hex(b[from + 1]) * 16 + hex(b[from + 2]));
            from += 2;
        }
        if (c == '\0') return 400;
        b[to++] = c;
    }
    part->n = to - part->at;
    return 0;
}

static struct part line(const char *b, unsigned *at, unsigned end) {
    unsigned start = *at, i = start;
    while (i < end && b[i] != '\n') i++;
    *at = i + 1;
    unsigned n = i - start;
    if (n > 0 && b[start + n - 1] == '\r') n--;
    return (struct part){start, n};
}

/* Where the path begins in a target that may have a scheme and a host before it. */
static unsigned path_start(const char *b, unsigned at, unsigned end) {
    if (end - at < 7 || !same(b, (struct part){at, 7}, "http://")) return at;
    for (unsigned i = at + 7; i < end; i++)
        if (b[i] == '/') return i;
    return at;
}

static int read_request_line(char *b, struct part l, struct request *q) {
    unsigned end = l.at + l.n, i = l.at;
    while (i < end && b[i] != ' ') i++;
    struct part method = {l.at, i - l.at};
    unsigned path = ++i;
    while (i < end && b[i] != ' ') i++;
    if (i >= end || method.n == 0) return 400;
    struct part version = {i + 1, end - i - 1};
    bool is_newest = same(b, version, "HTTP/1.1");
    if (!is_newest && !same(b, version, "HTTP/1.0"))
        return version.n == 8 && same(b, (struct part){version.at, 5}, "HTTP/") ? 505 : 400;
    path = path_start(b, path, i);
    if (i == path || b[path] != '/') return 400;
    q->keep = is_newest;
    q->has_host = !is_newest;
    q->path = (struct part){path, i - path};
    q->method = same(b, method, "GET") ? GET : same(b, method, "HEAD") ? HEAD : OTHER;
    return decode(b, &q->path);
}

static int read_field(const char *b, struct part l, struct request *q) {
    unsigned end = l.at + l.n, i = l.at;
    while (i < end && b[i] != ':' && b[i] != ' ' && b[i] != '\t') i++;
    if (i == l.at || i >= end || b[i] != ':') return 400;
    struct part name = {l.at, i - l.at};
    i++;
    while (i < end && (b[i] == ' ' || b[i] == '\t')) i++;
    while (end > i && (b[end - 1] == ' ' || b[end - 1] == '\t')) end--;
    struct part value = {i, end - i};
    switch (name.n) {
    case 4:
        if (same(b, name, "host")) q->has_host = true;
        break;
    case 5:
        if (same(b, name, "range")) q->range = value;
        break;
    case 8:
        if (same(b, name, "if-range")) q->if_range = value;
        break;
    case 10:
        if (same(b, name, "connection")) q->keep = q->keep ? !lists(b, value, "close") : lists(b, value, "keep-alive");
        break;
    case 14:
        if (same(b, name, "content-length") && !same(b, value, "0")) q->has_body = true;
        break;
    case 17:
        if (same(b, name, "transfer-encoding")) q->has_body = true;
        if (same(b, name, "if-modified-since")) q->since = value;
        break;
    default: break;
    }
    return 0;
}

static int parse(char *b, unsigned n, struct request *q) {
    unsigned at = 0;
    struct part l = line(b, &at, n);
    if (l.n == 0) l = line(b, &at, n);
    int status = read_request_line(b, l, q);
    while (status == 0 && at < n) {
        l = line(b, &at, n);
        if (l.n == 0) break;
        status = read_field(b, l, q);
    }
    return status != 0 ? status : q->has_host ? 0 : 400;
}

static long number(const char *b, unsigned *at, unsigned end) {
    long n = -1;
    for (; *at < end && isdigit((unsigned char)b[*at]); (*at)++) {
        n = (n < 0 ? 0 : n) * 10 + (b[*at] - '0');
        if (n > 1l << 50) n = 1l << 50;
    }
    return n;
}

/* 1: one range; 0: none; 416. */
static int read_range(const char *b, struct part part, long size, long *from, long *to) {
    if (part.n < 6 || !same(b, (struct part){part.at, 6}, "bytes=")) return 0;
    unsigned at = part.at + 6, end = part.at + part.n;
    long start = number(b, &at, end);
    if (at >= end || b[at] != '-') return 0;
    at++;
    long last = number(b, &at, end);
    if (at != end || (start < 0 && last < 0) || (start >= 0 && last >= 0 && last < start)) return 0;
    if (start < 0) {
        start = last < size ? size - last : 0;
        last = size - 1;
    }
    if (start >= size) return 416;
    *from = start;
    *to = last < 0 || last >= size ? size : last + 1;
    return 1;
}

/* Files. */

static int root_fd = -1;

static int status_of_errno(int reason) {
    switch (reason) {
    case EACCES:
    case EPERM: return 403;
    case EMFILE:
    case ENFILE:
    case ENOMEM: return 503;
    default: return 404;
    }
}

static int open_below(const char *b, struct part path, int *out) {
    char name[256];
    int dir = root_fd;
    unsigned at = path.at, end = path.at + path.n;
    while (at < end) {
        while (at < end && b[at] == '/') at++;
        unsigned n = 0;
        for (; at < end && b[at] != '/'; at++) {
            if (n >= 255) return 404;
            name[n++] = b[at];
        }
        if (n == 0) break;
        name[n] = '\0';
        int next = name[0] == '.' ? -1 : openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        int reason = name[0] == '.' ? ENOENT : errno;
        if (dir != root_fd) close(dir);
        if (next < 0) return status_of_errno(reason);
        dir = next;
    }
    if (dir == root_fd) dir = openat(root_fd, ".", O_RDONLY | O_CLOEXEC);
    if (dir < 0) return status_of_errno(errno);
    *out = dir;
    return 0;
}

static const char *type_of(const char *b, struct part path) {
    static const struct {
        const char *suffix, *type;
    } types[] = {{"html", "text/html; charset=utf-8"}, {"htm", "text/html; charset=utf-8"},
                 {"css", "text/css; charset=utf-8"}, {"js", "text/javascript; charset=utf-8"},
                 {"json", "application/json"}, {"txt", "text/plain; charset=utf-8"}, {"md", "text/markdown; charset=utf-8"},
                 {"c", "text/plain; charset=utf-8"}, {"h", "text/plain; charset=utf-8"},
                 {"cyc", "text/plain; charset=utf-8"}, {"csv", "text/csv; charset=utf-8"}, {"svg", "image/svg+xml"},
                 {"png", "image/png"}, {"jpg", "image/jpeg"}, {"jpeg", "image/jpeg"}, {"gif", "image/gif"},
                 {"ico", "image/x-icon"}, {"pdf", "application/pdf"}, {"xml", "application/xml"},
                 {"wasm", "application/wasm"}};
    unsigned end = path.at + path.n, dot = end;
    while (dot > path.at && b[dot - 1] != '.' && b[dot - 1] != '/') dot--;
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (same(b, (struct part){dot, end - dot}, types[i].suffix)) return types[i].type;
    return "application/octet-stream";
}

/* Text that grows. A text that no memory was found for is not ok. */
struct text {
    char *chars;
    size_t n, room;
    bool ok;
};

static void put(struct text *t, char c) {
    if (t->n >= t->room) {
        size_t room = t->room * 2 + 256;
        char *more = realloc(t->chars, room);
        if (more == NULL) {
            t->ok = false;
            return;
        }
        t->chars = more;
        t->room = room;
    }
    t->chars[t->n++] = c;
}

static void put_all(struct text *t, const char *s) {
    while (*s != '\0') put(t, *s++);
}

static void put_name(struct text *t, const char *s, bool is_url) {
    for (; *s != '\0'; s++) {
        if (is_url && !isalnum((unsigned char)*s) && *s != '.' && *s != '-' && *s != '_' && *s != '~') {
            put(t, '%');
            put(t, "0123456789ABCDEF"[*s >> 4 & 15]);
            put(t, "0123456789ABCDEF"[*s & 15]);
        } else if (*s == '&') {
            put_all(t, "&amp;");
        } else if (*s == '<') {
            put_all(t, "&lt;");
        } else {
            put(t, *s);
        }
    }
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names in a directory, one with a slash is a directory itself. */
static char **names_in(DIR *dir, size_t *count) {
    char **names = NULL;
    size_t n = 0, room = 0;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (e->d_name[0] == '.') continue;
        if (n == room) {
            room = room * 2 + 16;
            char **more = realloc(names, room * sizeof *names);
            if (more == NULL) break;
            names = more;
        }
        if (asprintf(&names[n], "%s%s", e->d_name, e->d_type == DT_DIR ? "/" : "") < 0) break;
        n++;
    }
    if (n > 0) qsort(names, n, sizeof *names, by_text);
    *count = n;
    return names;
}

/* A page with the names in a directory, which is closed. */
static int listing(int dir_fd, const char *b, struct part path, struct text *page) {
    DIR *dir = fdopendir(dir_fd);
    if (dir == NULL) {
        close(dir_fd);
        return 503;
    }
    size_t count;
    char **names = names_in(dir, &count);
    closedir(dir);
    *page = (struct text){.ok = true};
    put_all(page, "<!DOCTYPE html>\n<title>");
    char title[BUFFER];
    memcpy(title, b + path.at, path.n);
    title[path.n] = '\0';
    put_name(page, title, false);
    put_all(page, "</title>\n<ul>\n");
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]);
        bool is_dir = names[i][n - 1] == '/';
        if (is_dir) names[i][n - 1] = '\0';
        put_all(page, "<li><a href=\"");
        put_name(page, names[i], true);
        put_all(page, is_dir ? "/\">" : "\">");
        put_name(page, names[i], false);
        put_all(page, is_dir ? "/</a>\n" : "</a>\n");
        free(names[i]);
    }
    free(names);
    put_all(page, "</ul>\n");
    if (page->ok) return 0;
    free(page->chars);
    return 503;
}

/* Answers. */

struct head {
    unsigned n;
    bool keep;
    char text[1024];
};

static time_t now;
static char date[40];

static void format_date(char text[40], time_t t) {
    struct tm tm;
    (void)gmtime_r(&t, &tm);
    text[strftime(text, 39, "%a, %d %b %Y %H:%M:%S GMT", &tm)] = '\0';
}

static void update_clock(void) {
    time_t t = time(NULL);
    if (t == now) return;
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

#define ADD(h, ...) ((h)->n += (unsigned)snprintf((h)->text + (h)->n, sizeof(h)->text - (h)->n, __VA_ARGS__))

static void begin(struct head *h, int status) {
    h->n = 0;
    ADD(h, "HTTP/1.1 %d %s\r\nServer: httpd\r\nDate: %s\r\n", status, reason(status), date);
    if (!h->keep) ADD(h, "Connection: close\r\n");
}

static void answer_status(struct head *h, int status, bool with_body, long size) {
    begin(h, status);
    if (status == 405) ADD(h, "Allow: GET, HEAD\r\n");
    if (status == 416) ADD(h, "Content-Range: bytes */%ld\r\n", size);
    ADD(h, "Content-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n", (int)strlen(reason(status)) + 5);
    if (with_body) ADD(h, "%d %s\n", status, reason(status));
}

static void answer_whole(struct head *h, const char *type, long size) {
    begin(h, 200);
    ADD(h, "Content-Type: %s\r\nContent-Length: %ld\r\n\r\n", type, size);
}

/* The directory's own name, with the slash that was missing. */
static int answer_moved(struct head *h, const char *b, struct part path) {
    if (path.n > 200) return 404;
    begin(h, 301);
    ADD(h, "Location: ");
    for (unsigned i = 0; i < path.n; i++) {
        char c = b[path.at + i];
        if (isalnum((unsigned char)c) || c == '/' || c == '.' || c == '-' || c == '_' || c == '~')
            ADD(h, "%c", c);
        else
            ADD(h, "%%%02X", (unsigned char)c);
    }
    ADD(h, "/\r\nContent-Length: 0\r\n\r\n");
    return 0;
}

static int answer_file(struct head *h, const char *b, struct request *q, struct stat *s, const char *type, off_t *from,
                       off_t *to) {
    static char modified[40];
    static time_t modified_at = -1;
    if (modified_at != s->st_mtime) format_date(modified, s->st_mtime);
    modified_at = s->st_mtime;
    *from = *to = 0;
    if (is_text(b, q->since, modified)) {
        begin(h, 304);
        ADD(h, "Last-Modified: %s\r\n\r\n", modified);
        return 0;
    }
    *to = s->st_size;
    int is_part = q->method == GET && (q->if_range.n == 0 || is_text(b, q->if_range, modified))
                      ? read_range(b, q->range, s->st_size, from, to)
                      : 0;
    if (is_part == 416) return 416;
    begin(h, is_part ? 206 : 200);
    if (is_part) ADD(h, "Content-Range: bytes %ld-%ld/%ld\r\n", (long)*from, (long)*to - 1, (long)s->st_size);
    ADD(h, "Accept-Ranges: bytes\r\nLast-Modified: %s\r\nContent-Type: %s\r\nContent-Length: %ld\r\n\r\n", modified, type,
        (long)(*to - *from));
    return 0;
}

/* Connections. */

struct connection {
    int fd, file;
    char *page;
    off_t at, end;
    unsigned got, from, upto;
    bool answering, keep;
    unsigned waiting_for;
    time_t deadline;
    char b[BUFFER];
};

static int patience_seconds = 15;
static volatile sig_atomic_t stopping;
static unsigned long connections, requests, open_now, open_peak;

static void stop_sending(struct connection *c) {
    if (c->file >= 0) close(c->file);
    c->file = -1;
    free(c->page);
    c->page = NULL;
}

static void finish(void *env) {
    struct connection *c = env;
    stop_sending(c);
    close(c->fd);
    open_now--;
    free(c);
}

static void install(struct connection *c, unsigned request, struct head *h) {
    c->got -= request;
    if (c->got > BUFFER - LEAST_ROOM) c->got = 0;
    memmove(c->b, c->b + request, c->got);
    memcpy(c->b + c->got, h->text, h->n);
    c->from = c->got;
    c->upto = c->got + h->n;
    c->answering = true;
    c->deadline = now + patience_seconds;
    requests++;
}

static int serve(struct connection *c, struct request *q, struct head *h) {
    if (q->method == OTHER) return 405;
    int status = open_below(c->b, q->path, &c->file);
    if (status != 0) return status;
    struct stat s;
    if (fstat(c->file, &s) != 0) return 404;
    bool names_dir = c->b[q->path.at + q->path.n - 1] == '/';
    if (S_ISDIR(s.st_mode)) {
        if (!names_dir) {
            status = answer_moved(h, c->b, q->path);
            stop_sending(c);
            return status;
        }
        int index = openat(c->file, "index.html", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (index < 0) {
            int dir = c->file;
            c->file = -1;
            struct text page;
            status = listing(dir, c->b, q->path, &page);
            if (status != 0) return status;
            c->page = page.chars;
            c->end = (off_t)page.n;
            answer_whole(h, "text/html; charset=utf-8", (long)page.n);
            return 0;
        }
        close(c->file);
        c->file = index;
        if (fstat(c->file, &s) != 0) return 404;
    } else if (names_dir) {
        return 404;
    }
    if (!S_ISREG(s.st_mode)) return 403;
    return answer_file(h, c->b, q, &s, names_dir ? "text/html; charset=utf-8" : type_of(c->b, q->path), &c->at, &c->end);
}

static void answer(struct connection *c, unsigned n) {
    struct head h;
    struct request q = {.method = OTHER};
    h.n = 0;
    c->at = c->end = 0;
    int status = parse(c->b, n, &q);
    if (status == 0) {
        c->keep = q.keep && !q.has_body && c->got - n <= BUFFER - LEAST_ROOM;
        h.keep = c->keep;
        status = serve(c, &q, &h);
    }
    if (status != 0) {
        long size = status == 416 ? lseek(c->file, 0, SEEK_END) : 0;
        if (status == 400 || status == 505) c->keep = false;
        h.keep = c->keep;
        stop_sending(c);
        c->at = c->end = 0;
        answer_status(&h, status, q.method != HEAD, size);
    }
    if (q.method == HEAD || c->at >= c->end) {
        stop_sending(c);
        c->at = c->end;
    }
    install(c, n, &h);
}

static void refuse(struct connection *c, int status) {
    struct head h;
    h.n = 0;
    h.keep = c->keep = false;
    c->at = c->end = 0;
    answer_status(&h, status, true, 0);
    install(c, c->got, &h);
}

static bool fill(struct connection *c) {
    unsigned room = BUFFER - c->upto;
    if ((off_t)room > c->end - c->at) room = (unsigned)(c->end - c->at);
    if (c->file >= 0) {
        ssize_t n = pread(c->file, c->b + c->upto, room, c->at);
        if (n <= 0) return false;
        room = (unsigned)n;
    } else {
        memcpy(c->b + c->upto, c->page + c->at, room);
    }
    c->upto += room;
    c->at += room;
    return true;
}

enum progress { DONE, WAIT, BROKEN };

static enum progress send_answer(struct connection *c) {
    while (true) {
        if (c->at < c->end && c->upto < BUFFER && !fill(c)) return BROKEN;
        if (c->from == c->upto) break;
        ssize_t n = send(c->fd, c->b + c->from, c->upto - c->from, MSG_NOSIGNAL);
        if (n < 0) return errno == EAGAIN || errno == EINTR ? WAIT : BROKEN;
        c->from += (unsigned)n;
        c->deadline = now + patience_seconds;
        if (c->from == c->upto) c->from = c->upto = c->got;
    }
    stop_sending(c);
    c->answering = false;
    return c->keep ? DONE : BROKEN;
}

static bool receive(struct connection *c) {
    ssize_t n = recv(c->fd, c->b + c->got, BUFFER - c->got, 0);
    if (n <= 0) return n < 0 && (errno == EAGAIN || errno == EINTR);
    c->got += (unsigned)n;
    return true;
}

static void wait_for(struct connection *c, unsigned events) {
    if (c->waiting_for != events) expect(c->fd, events);
    c->waiting_for = events;
}

static bool proceed(void *env, unsigned events) {
    struct connection *c = env;
    if (events == TICK) {
        if (now < c->deadline) return true;
        if (c->answering || c->got == 0) return false;
        refuse(c, 408);
    } else if (!c->answering) {
        unsigned before = c->got;
        if (!receive(c)) return false;
        if (before == 0) c->deadline = now + patience_seconds;
    }
    while (true) {
        if (!c->answering) {
            unsigned n = head_length(c->b, c->got);
            if (n == 0 && c->got < BUFFER) {
                wait_for(c, EPOLLIN);
                return true;
            }
            if (n == 0)
                refuse(c, 431);
            else
                answer(c, n);
        }
        switch (send_answer(c)) {
        case WAIT: wait_for(c, EPOLLOUT); return true;
        case BROKEN: return false;
        case DONE: c->deadline = now + patience_seconds; break;
        }
    }
}

static void finish_listener(void *env) {
    close(*(int *)env);
    free(env);
}

static bool accept_some(void *env, unsigned events) {
    if (events == TICK) return true;
    for (int i = 0; i < BATCH; i++) {
        int fd = accept(*(int *)env, NULL, NULL);
        if (fd < 0) break;
        int one = 1;
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (fd >= MAX_DESCRIPTORS - 64 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
            close(fd);
            continue;
        }
        connections++;
        if (++open_now > open_peak) open_peak = open_now;
        struct connection *c = calloc(1, sizeof *c);
        c->fd = fd;
        c->file = -1;
        c->keep = true;
        c->waiting_for = EPOLLIN;
        c->deadline = now + patience_seconds;
        watch(fd, EPOLLIN, proceed, finish, c);
    }
    return true;
}

static void on_stop(int signal) {
    (void)signal;
    stopping = 1;
}

int main(int argc, char **argv) {
    int port = 8080, option;
    bool everywhere = false;
    while ((option = getopt(argc, argv, "p:t:a")) != -1) {
        if (option == 'p') port = atoi(optarg);
        if (option == 't') patience_seconds = atoi(optarg);
        if (option == 'a') everywhere = true;
        if (option == '?') return 2;
    }
    if (optind != argc - 1 || patience_seconds <= 0) return 2;
    root_fd = open(argv[optind], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int *fd = malloc(sizeof *fd), one = 1;
    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(everywhere ? 0 : 0x7f000001)}};
    (void)setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (root_fd < 0 || *fd < 0 || bind(*fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(*fd, SOMAXCONN) != 0) {
        perror("httpd");
        return 1;
    }
    socklen_t n = sizeof address;
    (void)getsockname(*fd, (struct sockaddr *)&address, &n);
    printf("listening on port %d\n", ntohs(address.sin_port));
    fflush(stdout);
    signal(SIGTERM, on_stop);
    signal(SIGINT, on_stop);
    update_clock();
    watch(*fd, EPOLLIN, accept_some, finish_listener, fd);
    for (time_t ticked = now; !stopping;) {
        struct epoll_event events[BATCH];
        int count = epoll_wait(epoll_fd, events, BATCH, 1000);
        for (int i = 0; i < count; i++) dispatch((int)events[i].data.u64, events[i].events);
        update_clock();
        if (now != ticked)
            for (int i = 0; i < MAX_DESCRIPTORS; i++) dispatch(i, TICK);
        ticked = now;
    }
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%lu connections, at most %lu at once, %lu requests; %lu bytes a connection, %ld KiB in all\n", connections,
           open_peak, requests, sizeof(struct connection), usage.ru_maxrss);
    return 0;
}
