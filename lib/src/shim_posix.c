/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Files, directories and processes: directories behind cells that are never freed, argument vectors for exec.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

struct tn_dir {
    DIR *stream; /* NULL once closed */
    struct dirent entry;
    struct tn_dir *next; /* closed cells */
};

int tnc_stat(const char *path, struct stat *out);
int tnc_fstatat(int dir, const char *path, struct stat *out, int flags);
int tnc_lstat(const char *path, struct stat *out);
int tn_fstat(int fd, struct stat *out);
struct tn_dir *tnc_opendir(const char *path);
struct tn_dir *tn_fdopendir(int fd);
struct dirent *tn_readdir(struct tn_dir *dir);
int tn_closedir(struct tn_dir *dir);
void tn_rewinddir(struct tn_dir *dir);
long tn_telldir(struct tn_dir *dir);
void tn_seekdir(struct tn_dir *dir, long at);
int tn_dirfd(struct tn_dir *dir);
int tnc_open(int dir, const char *path, int flags, int mode);
int tnc_fcntl(int fd, int command, int argument);
int tn_gettimeofday(struct timeval *out);
int tnc_utimes(const char *path, const struct timeval *times);
long tnc_read(int fd, char *buffer, size_t n);
long tnc_write(int fd, const char *buffer, size_t n);
long tnc_pread(int fd, char *buffer, size_t n, long at);
long tnc_pwrite(int fd, const char *buffer, size_t n, long at);
long tnc_readlink(const char *path, char *buffer, size_t n);
int tnc_gethostname(char *buffer, size_t n);
int tnc_getcwd(char *buffer, size_t n);
const char *tnc_ttyname(int fd);
int tnc_exec_begin(size_t n);
int tnc_exec_add(const char *argument);
int tnc_exec(const char *path, int search);
const char *tnc_setlocale(int category, const char *name);

int tnc_stat(const char *path, struct stat *out) { return stat(path, out); }
int tnc_fstatat(int dir, const char *path, struct stat *out, int flags) { return fstatat(dir, path, out, flags); }
int tnc_lstat(const char *path, struct stat *out) { return lstat(path, out); }
int tn_fstat(int fd, struct stat *out) { return fstat(fd, out); }

/* Cells of this thread that were closed; the next directory takes one, so that a program that lists directories for
 * ever does not grow. */
static _Thread_local struct tn_dir *closed_cells;

static struct tn_dir *cell_for(DIR *stream) {
    if (stream == NULL) return NULL;
    struct tn_dir *dir = closed_cells;
    if (dir != NULL) {
        closed_cells = dir->next;
    } else {
        dir = calloc(1, sizeof *dir);
    }
    if (dir == NULL) {
        closedir(stream);
        errno = ENOMEM;
        return NULL;
    }
    dir->stream = stream;
    return dir;
}

struct tn_dir *tnc_opendir(const char *path) { return cell_for(opendir(path)); }
struct tn_dir *tn_fdopendir(int fd) { return cell_for(fdopendir(fd)); }

static DIR *stream_of(const struct tn_dir *dir) {
    if (dir->stream == NULL) errno = EBADF;
    return dir->stream;
}

struct dirent *tn_readdir(struct tn_dir *dir) {
    DIR *stream = stream_of(dir);
    struct dirent *from = stream == NULL ? NULL : readdir(stream);
    if (from == NULL) return NULL;
    dir->entry.d_ino = from->d_ino;
    dir->entry.d_off = from->d_off;
    dir->entry.d_reclen = sizeof dir->entry;
    dir->entry.d_type = from->d_type;
    size_t n = strnlen(from->d_name, sizeof dir->entry.d_name - 1);
    memcpy(dir->entry.d_name, from->d_name, n);
    memset(dir->entry.d_name + n, 0, sizeof dir->entry.d_name - n);
    return &dir->entry;
}

int tn_closedir(struct tn_dir *dir) {
    DIR *stream = stream_of(dir);
    if (stream == NULL) return -1;
    dir->stream = NULL;
    dir->next = closed_cells;
    closed_cells = dir;
    return closedir(stream);
}

void tn_rewinddir(struct tn_dir *dir) {
    if (stream_of(dir) != NULL) rewinddir(dir->stream);
}

long tn_telldir(struct tn_dir *dir) { return stream_of(dir) == NULL ? -1 : telldir(dir->stream); }

/* Only a place that telldir gave is one that seekdir may be told; any other starts again. */
void tn_seekdir(struct tn_dir *dir, long at) {
    if (stream_of(dir) == NULL) return;
    rewinddir(dir->stream);
    while (telldir(dir->stream) != at)
        if (readdir(dir->stream) == NULL) break;
}

int tn_dirfd(struct tn_dir *dir) { return stream_of(dir) == NULL ? -1 : dirfd(dir->stream); }

int tnc_open(int dir, const char *path, int flags, int mode) { return openat(dir, path, flags, mode); }

/* The commands whose argument is an int; those that take a pointer are refused. */
int tnc_fcntl(int fd, int command, int argument) {
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
    case F_GETFD:
    case F_SETFD:
    case F_GETFL:
    case F_SETFL:
        return fcntl(fd, command, argument);
    default:
        errno = EINVAL;
        return -1;
    }
}

int tn_gettimeofday(struct timeval *out) { return gettimeofday(out, NULL); }
int tnc_utimes(const char *path, const struct timeval *times) { return utimes(path, times); }

long tnc_read(int fd, char *buffer, size_t n) { return read(fd, buffer, n); }
long tnc_write(int fd, const char *buffer, size_t n) { return write(fd, buffer, n); }
long tnc_pread(int fd, char *buffer, size_t n, long at) { return pread(fd, buffer, n, at); }
long tnc_pwrite(int fd, const char *buffer, size_t n, long at) { return pwrite(fd, buffer, n, at); }
long tnc_readlink(const char *path, char *buffer, size_t n) { return readlink(path, buffer, n); }
int tnc_gethostname(char *buffer, size_t n) { return gethostname(buffer, n); }
int tnc_getcwd(char *buffer, size_t n) { return getcwd(buffer, n) == NULL ? -1 : 0; }
const char *tnc_ttyname(int fd) { return ttyname(fd); }

/* --- exec: the vector is put together here, one argument a call ------------------------------- */

static _Thread_local struct {
    const char **argv;
    size_t used, room;
} vector;

/* Room for n arguments. Those of an earlier exec that failed are forgotten. */
int tnc_exec_begin(size_t n) {
    free(vector.argv);
    vector.used = 0;
    vector.room = n;
    vector.argv = calloc(n + 1, sizeof *vector.argv);
    return vector.argv == NULL ? -1 : 0;
}

/* The argument must stay until tnc_exec. */
int tnc_exec_add(const char *argument) {
    if (vector.argv == NULL || vector.used >= vector.room) return -1;
    vector.argv[vector.used++] = argument;
    return 0;
}

int tnc_exec(const char *path, int search) {
    if (vector.argv == NULL) return -1;
    char *const *argv = (char *const *)vector.argv;
    int result = search ? execvp(path, argv) : execv(path, argv);
    int error = errno;
    free(vector.argv);
    vector.argv = NULL;
    errno = error;
    return result;
}

const char *tnc_setlocale(int category, const char *name) { return setlocale(category, name); }
