/* What is served: files and directories below a root, which no path leaves. */
#ifndef FTPD_TREE_H
#define FTPD_TREE_H

#include <core.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A path from the root: names with a slash before each; empty for the root itself. */
#define PATH_SIZE 512

static int root_fd = -1;

/* Cuts the last name off. */
static void go_up(char @{PATH_SIZE}`r path) {
    unsigned n = strlen(path);
    while (n > 0 && path[--n] != '/')
        ;
    path[n] = '\0';
}

/* path becomes where `name` leads from `from`. False if it is too long or names what is hidden. */
static bool resolve(char @{PATH_SIZE}`r path, const char @{PATH_SIZE}`s from, const char ?name) {
    unsigned n = 0, end = strlen(name);
    if (end == 0 || name[0] != '/')
        for (; n < PATH_SIZE - 1 && from[n] != '\0'; n++)
            path[n] = from[n];
    path[n] = '\0';
    for (unsigned i = 0; i < end;) {
        while (i < end && name[i] == '/')
            i++;
        unsigned start = i;
        while (i < end && name[i] != '/')
            i++;
        if (i == start || (i == start + 1 && name[start] == '.'))
            continue;
        if (i == start + 2 && name[start] == '.' && name[start + 1] == '.') {
            go_up(path);
            continue;
        }
        n = strlen(path);
        if (name[start] == '.' || n + 1 + (i - start) >= PATH_SIZE)
            return false;
        path[n++] = '/';
        for (unsigned k = start; k < i; k++)
            path[n++] = name[k];
        path[n] = '\0';
    }
    return true;
}

/* Opens what a resolved path names, name by name, following no symbolic link; -1 if it is not there. */
static int open_below(const char @{PATH_SIZE}`r path) {
    int dir = openat(root_fd, ".", O_RDONLY | O_CLOEXEC);
    char name[256];
    for (unsigned i = 0; i < PATH_SIZE && path[i] == '/' && dir >= 0;) {
        unsigned n = 0;
        for (i++; i < PATH_SIZE && path[i] != '/' && path[i] != '\0'; i++)
            if (n < 255)
                name[n++] = path[i];
        name[n] = '\0';
        int next = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        close(dir);
        dir = next;
    }
    return dir;
}

/* The text of a listing of a directory, which is closed: names alone, or also what they are. NULL if there is no
 * memory for it. What it takes to make is in an arena. */
static char ?OWNED listing(int dir_fd, bool names_only) {
    region h;
    struct Line<`h> { char ?`h text; struct Line<`h> *`h next; };
    struct Line *`h lines = NULL;
    unsigned size = 0;
    DIR *dir = fdopendir(dir_fd);
    if (dir == NULL) {
        close(dir_fd);
        return NULL;
    }
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        if (e->d_name[0] == '.')
            continue;
        char ?`h text = rprintf(h, "%s\r\n", e->d_name);
        int fd = names_only ? -1 : openat(dirfd(dir), e->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat s;
        if (fd >= 0 && fstat(fd, &s) == 0) {
            char when[40];
            struct tm tm;
            time_t t = s.st_mtime;
            (void)gmtime_r(&t, &tm);
            when[strftime(when, 39, "%b %d %H:%M", &tm)] = '\0';
            text = rprintf(h, "%s 1 ftp ftp %ld %s %s\r\n", S_ISDIR(s.st_mode) ? "dr-xr-xr-x" : "-r--r--r--", s.st_size, when,
                           e->d_name);
        }
        if (fd >= 0)
            close(fd);
        lines = rnew(h) Line(text, lines);
        size += strlen(text);
    }
    closedir(dir);
    char ?OWNED page = calloc(size, sizeof(char));
    unsigned n = 0;
    for (; lines != NULL; lines = lines->next) {
        memcpy(page + n, lines->text, strlen(lines->text));
        n += strlen(lines->text);
    }
    return page;
}

#endif
