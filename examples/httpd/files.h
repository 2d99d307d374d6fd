/* What is served: files and directories below a root, which no path leaves. */
#ifndef FILES_H
#define FILES_H

#include "request.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <list.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int root_fd = -1;

static void refuse_for_errno(void) {
    switch (errno) {
    case EACCES:
    case EPERM: refuse_with(403);
    case EMFILE:
    case ENFILE:
    case ENOMEM: refuse_with(503);
    default: refuse_with(404);
    }
}

/* Opens what a path names, one name after the other from the root down. No name is followed that is a symbolic link,
 * "..", or hidden, so that there is no way out. */
static int open_below(const char @{BUFFER}`r b, struct Part path) {
    char name[256];
    int dir = root_fd;
    unsigned at = path.at, end = path.at + path.n;
    while (at < end) {
        while (at < end && b[at] == '/')
            at++;
        unsigned n = 0;
        for (; at < end && b[at] != '/'; at++) {
            if (n >= 255)
                refuse_with(404);
            name[n++] = b[at];
        }
        if (n == 0)
            break;
        name[n] = '\0';
        int next = name[0] == '.' ? -1 : openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        int reason = name[0] == '.' ? ENOENT : errno;
        if (dir != root_fd)
            close(dir);
        if (next < 0) {
            errno = reason;
            refuse_for_errno();
        }
        dir = next;
    }
    if (dir == root_fd)
        dir = openat(root_fd, ".", O_RDONLY | O_CLOEXEC);
    if (dir < 0)
        refuse_for_errno();
    return dir;
}

static const char *type_of(const char @{BUFFER}`r b, struct Part path) {
    static const struct { const char ?suffix, *type; } types[] = {
        {"html", "text/html; charset=utf-8"}, {"htm", "text/html; charset=utf-8"},
        {"css", "text/css; charset=utf-8"}, {"js", "text/javascript; charset=utf-8"},
        {"json", "application/json"}, {"txt", "text/plain; charset=utf-8"}, {"md", "text/markdown; charset=utf-8"},
        {"c", "text/plain; charset=utf-8"}, {"h", "text/plain; charset=utf-8"}, {"cyc", "text/plain; charset=utf-8"},
        {"csv", "text/csv; charset=utf-8"}, {"svg", "image/svg+xml"}, {"png", "image/png"}, {"jpg", "image/jpeg"},
        {"jpeg", "image/jpeg"}, {"gif", "image/gif"}, {"ico", "image/x-icon"}, {"pdf", "application/pdf"},
        {"xml", "application/xml"}, {"wasm", "application/wasm"}};
    unsigned end = path.at + path.n, dot = end;
    while (dot > path.at && b[dot - 1] != '.' && b[dot - 1] != '/')
        dot--;
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
        if (same(b, (struct Part){dot, end - dot}, types[i].suffix))
            return types[i].type;
    return "application/octet-stream";
}

/* Text that grows. */
struct Text<`r::R> {
    region_t<`r> arena;
    char ?`r chars;
    unsigned n;
};

static void put(struct Text<`r> @t, char c) {
    if (t->n >= numelts(t->chars)) {
        char ?`r more = rcalloc(t->arena, t->n * 2 + 256, sizeof(char));
        for (unsigned i = 0; i < t->n; i++)
            more[i] = t->chars[i];
        t->chars = more;
    }
    t->chars[t->n++] = c;
}

static void put_all(struct Text<`r> @t, const char ?s) {
    for (unsigned i = 0; i < numelts(s) && s[i] != '\0'; i++)
        put(t, s[i]);
}

/* A name as text of HTML, or as a part of a URL. */
static void put_name(struct Text<`r> @t, const char ?s, bool is_url) {
    for (unsigned i = 0; i < numelts(s) && s[i] != '\0'; i++) {
        char c = s[i];
        if (is_url && !isalnum(c) && c != '.' && c != '-' && c != '_' && c != '~') {
            put(t, '%');
            put(t, "0123456789ABCDEF"[c >> 4 & 15]);
            put(t, "0123456789ABCDEF"[c & 15]);
        } else if (c == '&') {
            put_all(t, "&amp;");
        } else if (c == '<') {
            put_all(t, "&lt;");
        } else {
            put(t, c);
        }
    }
}

struct Name<`r::R> {
    char ?`r text;
};

static int by_text(struct Name<`r> @`r a, struct Name<`r> @`r b) {
    return strcmp(a->text, b->text);
}

/* A page with the names in a directory, which is closed. All that it takes to make is in an arena. */
static char ?OWNED listing(int dir_fd, const char @{BUFFER}`r b, struct Part path) {
    region h;
    List::list_t<struct Name<`h> @`h, `h> names = NULL;
    DIR *dir = fdopendir(dir_fd);
    if (dir == NULL) {
        close(dir_fd);
        refuse_with(503);
    }
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir))
        if (e->d_name[0] != '.') {
            const char *slash = e->d_type == DT_DIR ? "/" : "";
            names = rnew(h) List::List(rnew(h) Name(rprintf(h, "%s%s", e->d_name, slash)), names);
        }
    closedir(dir);
    names = List::rmerge_sort(h, by_text, names);
    struct Text<`h> t = {h, NULL, 0};
    put_all(&t, "<!DOCTYPE html>\n<title>");
    char ?`h title = rcalloc(h, path.n + 1, sizeof(char));
    for (unsigned i = 0; i < path.n; i++)
        title[i] = b[path.at + i];
    put_name(&t, title, false);
    put_all(&t, "</title>\n<ul>\n");
    for (; names != NULL; names = names->tl) {
        char ?`h name = names->hd->text;
        bool is_dir = name[strlen(name) - 1] == '/';
        put_all(&t, "<li><a href=\"");
        if (is_dir)
            name[strlen(name) - 1] = '\0';
        put_name(&t, name, true);
        put_all(&t, is_dir ? "/\">" : "\">");
        put_name(&t, name, false);
        put_all(&t, is_dir ? "/</a>\n" : "</a>\n");
    }
    put_all(&t, "</ul>\n");
    char ?OWNED page = calloc(t.n, sizeof(char));
    for (unsigned i = 0; i < t.n; i++)
        page[i] = t.chars[i];
    return page;
}

#endif
