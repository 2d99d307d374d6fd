/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * stdio's FILE behind a cell that is never freed. A program holds a `struct tn_file *`; closing clears the
 * cell, so that a stale handle finds no stream and fails with EBADF. Cells are not used again, hence
 * a stale handle never reaches another file either.
 *
 * tn_ functions are called by programs as they stand, because no argument of theirs has a length; tnc_
 * functions are called by the wrappers in stdio.cyc, which have checked the lengths.
 */
#define _GNU_SOURCE
#include "shim_stdio.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct tn_file in_cell, out_cell, err_cell;
struct tn_file *tn_stdin = &in_cell;
struct tn_file *tn_stdout = &out_cell;
struct tn_file *tn_stderr = &err_cell;

/* Before any other constructor, since those of a program may print. */
__attribute__((constructor(101))) static void open_standard_streams(void) {
    in_cell.stream = stdin;
    out_cell.stream = stdout;
    err_cell.stream = stderr;
}

/* The open stream of f, or NULL with errno set. */
static FILE *stream_of(const struct tn_file *f) {
    if (f->stream == NULL) errno = EBADF;
    return f->stream;
}

/* A cell without a stream; NULL with errno set if there is no memory. */
static struct tn_file *new_cell(void) { return calloc(1, sizeof(struct tn_file)); }

/* The cell, if its stream could be opened. */
static struct tn_file *opened(struct tn_file *f) {
    if (f->stream != NULL) return f;
    int error = errno;
    free(f);
    errno = error;
    return NULL;
}

struct tn_file *tnc_fopen(const char *path, const char *mode) {
    struct tn_file *f = new_cell();
    if (f == NULL) return NULL;
    f->stream = fopen(path, mode);
    return opened(f);
}

struct tn_file *tnc_fdopen(int fd, const char *mode) {
    struct tn_file *f = new_cell();
    if (f == NULL) return NULL;
    f->stream = fdopen(fd, mode);
    return opened(f);
}

struct tn_file *tnc_popen(const char *command, const char *mode) {
    struct tn_file *f = new_cell();
    if (f == NULL) return NULL;
    f->stream = popen(command, mode);
    return opened(f);
}

struct tn_file *tn_tmpfile(void) {
    struct tn_file *f = new_cell();
    if (f == NULL) return NULL;
    f->stream = tmpfile();
    return opened(f);
}

struct tn_file *tnc_freopen(const char *path, const char *mode, struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return NULL;
    /* freopen closes the old stream even when it fails. */
    f->stream = freopen(path, mode, stream);
    return f->stream == NULL ? NULL : f;
}

int tn_fclose(struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return EOF;
    f->stream = NULL;
    return fclose(stream);
}

int tn_pclose(struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return -1;
    f->stream = NULL;
    return pclose(stream);
}

int tn_fflush(struct tn_file *f) {
    if (f == NULL) return fflush(NULL);
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : fflush(stream);
}

int tn_getc(struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : getc_unlocked(stream);
}

int tn_getchar(void) { return tn_getc(tn_stdin); }

int tn_putc(int c, struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : putc_unlocked(c, stream);
}

int tn_putchar(int c) { return tn_putc(c, tn_stdout); }

int tn_ungetc(int c, struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : ungetc(c, stream);
}

int tn_feof(struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 1 : feof_unlocked(stream);
}

int tn_ferror(struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 1 : ferror_unlocked(stream);
}

void tn_clearerr(struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) clearerr(stream);
}

int tn_fileno(struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : fileno(stream);
}

void tn_rewind(struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) rewind(stream);
}

int tn_fseek(struct tn_file *f, long offset, int whence) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : fseek(stream, offset, whence);
}

long tn_ftell(struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : ftell(stream);
}

int tn_fgetpos(struct tn_file *f, long *pos) {
    long at = tn_ftell(f);
    if (at < 0) return -1;
    *pos = at;
    return 0;
}

int tn_fsetpos(struct tn_file *f, const long *pos) { return tn_fseek(f, *pos, SEEK_SET); }

void tn_setlinebuf(struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) setlinebuf(stream);
}

int tnc_setvbuf(struct tn_file *f, int mode, size_t size) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : setvbuf(stream, NULL, mode, size);
}

/* --- buffers whose length the caller has checked ---------------------------------------------- */

size_t tnc_fread(char *buffer, size_t bytes, struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 0 : fread_unlocked(buffer, 1, bytes, stream);
}

size_t tnc_fwrite(const char *buffer, size_t bytes, struct tn_file *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 0 : fwrite_unlocked(buffer, 1, bytes, stream);
}

/* buffer has n >= 1 characters. 1 if a line or part of one was read. */
int tnc_fgets(char *buffer, int n, struct tn_file *f) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return 0;
    if (n == 1) {
        buffer[0] = 0;
        return !feof_unlocked(stream);
    }
    return fgets_unlocked(buffer, n, stream) != NULL;
}

/* Reads up to and with delim, at most n characters; how many were read. *ended: nothing follows in
 * this record, because delim or the end of the file was met. */
size_t tnc_read_until(char *buffer, size_t n, int delim, struct tn_file *f, int *ended) {
    FILE *stream = stream_of(f);
    *ended = 1;
    if (stream == NULL) return 0;
    size_t count = 0;
    while (count < n) {
        int c = getc_unlocked(stream);
        if (c == EOF) return count;
        buffer[count++] = (char)c;
        if (c == delim) return count;
    }
    *ended = 0;
    return count;
}

/* The buffer that getline gave last and its room. A `char *` does not say how much room it has: one that is not this
 * buffer gets a new one. Old buffers stay, since the program may still look at them; their last byte is always
 * zero, so that they remain strings whatever is written. */
static _Thread_local struct {
    char *buffer;
    size_t room;
} last_line;

static int grow_line(size_t used) {
    size_t room = last_line.room < 60 ? 120 : 2 * last_line.room;
    char *buffer = calloc(room, 1);
    if (buffer == NULL) return -1;
    if (used > 0) memcpy(buffer, last_line.buffer, used);
    last_line.buffer = buffer;
    last_line.room = room;
    return 0;
}

long tn_getdelim_z(char **line, size_t *size, int delim, struct tn_file *f) {
    if (stream_of(f) == NULL) return -1;
    if (*line == NULL || *line != last_line.buffer) last_line.room = 0;
    size_t used = 0;
    int ended = 0;
    while (!ended) {
        if (used + 2 > last_line.room && grow_line(used) != 0) return -1;
        used += tnc_read_until(last_line.buffer + used, last_line.room - used - 1, delim, f, &ended);
    }
    last_line.buffer[used] = 0;
    *line = last_line.buffer;
    *size = last_line.room;
    return used == 0 ? -1 : (long)used;
}

long tn_getline_z(char **line, size_t *size, struct tn_file *f) { return tn_getdelim_z(line, size, '\n', f); }

long tnc_write_fd(int fd, const char *buffer, size_t n) {
    size_t done = 0;
    while (done < n) {
        ssize_t k = write(fd, buffer + done, n - done);
        if (k < 0 && errno != EINTR) return -1;
        if (k > 0) done += (size_t)k;
    }
    return (long)done;
}

/* --- what constant formats are lowered to ------------------------------------------------------
 *
 * The compiler has checked the arguments; a string with bounds comes as the size and the pointer of `%.*s`. */

int tn_printf_direct(const char *format, ...) {
    FILE *stream = stream_of(tn_stdout);
    if (stream == NULL) return -1;
    va_list args;
    va_start(args, format);
    int n = vfprintf(stream, format, args);
    va_end(args);
    return n;
}

int tn_fprintf_direct(struct tn_file *f, const char *format, ...) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return -1;
    va_list args;
    va_start(args, format);
    int n = vfprintf(stream, format, args);
    va_end(args);
    return n;
}
