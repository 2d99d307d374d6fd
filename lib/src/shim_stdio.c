/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * stdio on libc's own streams: a program's FILE * is C's, so that it crosses to C code and back as it is.
 *
 * Invariant: a FILE * that safe code holds is open, or it is in `closed`. A stream is put there before libc closes and
 * frees it, and looked up, never followed, by every function here; it fails with EBADF. libc may give the place of a
 * closed stream to a new one: opened here, the new one is taken out; opened by C code, it is found in libc's
 * list of open streams. Until then no other object at that place is taken for a stream. A stream that C code closes
 * is as gone for safe code as memory that C code frees.
 *
 * tn_ functions are called by programs as they stand, because no argument of theirs has a length; tnc_
 * functions are called by the wrappers in stdio.cyc, which have checked the lengths.
 */
#define _GNU_SOURCE
#include "shim_stdio.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- which streams are closed ------------------------------------------------------------------ */

/* A table of addresses, open addressing with linear probing, at most half full. A slot is NULL, a stream, or
 * REMOVED. */
#define REMOVED ((FILE *)1)

static struct {
    FILE **slots;
    size_t room, used; /* room is a power of two; used counts REMOVED too */
} closed;
static pthread_mutex_t closed_lock = PTHREAD_MUTEX_INITIALIZER;
/* How often the table changed: what was found open before may be closed now. 0: nothing was ever closed. */
static _Atomic unsigned long changes;

/* The slot of f, or NULL. The lock is held. */
static FILE **closed_slot(const FILE *f) {
    for (size_t i = (uintptr_t)f / 16 * 0x9e3779b97f4a7c15u; closed.room > 0; i++) {
        FILE **slot = &closed.slots[i & (closed.room - 1)];
        if (*slot == f) return slot;
        if (*slot == NULL) break;
    }
    return NULL;
}

/* Puts f into slots that have room for it. */
static void put(FILE **slots, size_t room, FILE *f) {
    size_t i = (uintptr_t)f / 16 * 0x9e3779b97f4a7c15u;
    while (slots[i & (room - 1)] != NULL) i++;
    slots[i & (room - 1)] = f;
}

/* Makes room for one more; 0 if there is no memory. */
static int make_room(void) {
    if (2 * (closed.used + 1) <= closed.room) return 1;
    size_t live = 1;
    for (size_t i = 0; i < closed.room; i++) live += closed.slots[i] > REMOVED;
    size_t room = 64;
    while (room < 4 * live) room *= 2;
    FILE **slots = calloc(room, sizeof *slots);
    if (slots == NULL) return 0;
    for (size_t i = 0; i < closed.room; i++)
        if (closed.slots[i] > REMOVED) put(slots, room, closed.slots[i]);
    free(closed.slots);
    closed.slots = slots;
    closed.room = room;
    closed.used = live - 1;
    return 1;
}

/* f is about to be closed. 0, with errno set, if that cannot be noted. */
static int note_closed(FILE *f) {
    pthread_mutex_lock(&closed_lock);
    int done = make_room();
    if (done) {
        put(closed.slots, closed.room, f);
        closed.used++;
        changes++;
    }
    pthread_mutex_unlock(&closed_lock);
    if (!done) errno = ENOMEM;
    return done;
}

/* f was opened, where another stream may have been before. */
static FILE *note_open(FILE *f) {
    if (f == NULL || changes == 0) return f;
    pthread_mutex_lock(&closed_lock);
    FILE **slot = closed_slot(f);
    if (slot != NULL) *slot = REMOVED;
    pthread_mutex_unlock(&closed_lock);
    return f;
}

/* glibc's list of open streams, which it exports; elsewhere they are missing. */
extern void *_IO_iter_begin(void) __attribute__((weak));
extern void *_IO_iter_end(void) __attribute__((weak));
extern void *_IO_iter_next(void *) __attribute__((weak));
extern FILE *_IO_iter_file(void *) __attribute__((weak));
extern void _IO_list_lock(void) __attribute__((weak));
extern void _IO_list_unlock(void) __attribute__((weak));

static int is_listed(const FILE *f) {
    if (_IO_iter_begin == NULL || _IO_iter_end == NULL || _IO_iter_next == NULL || _IO_iter_file == NULL) return 0;
    if (_IO_list_lock == NULL || _IO_list_unlock == NULL) return 0;
    int found = 0;
    _IO_list_lock();
    for (void *i = _IO_iter_begin(); i != _IO_iter_end() && !found; i = _IO_iter_next(i)) found = _IO_iter_file(i) == f;
    _IO_list_unlock();
    return found;
}

static FILE *open_stream(FILE *f) {
    static _Thread_local struct {
        FILE *stream;
        unsigned long changes;
    } last;
    unsigned long now = changes;
    if (f == last.stream && now == last.changes) return f;
    pthread_mutex_lock(&closed_lock);
    FILE **slot = closed_slot(f);
    if (slot != NULL && is_listed(f)) {
        *slot = REMOVED;
        slot = NULL;
    }
    pthread_mutex_unlock(&closed_lock);
    if (slot != NULL) {
        errno = EBADF;
        return NULL;
    }
    last.stream = f;
    last.changes = now;
    return f;
}

/* f if it is open, else NULL with errno set. */
static inline FILE *stream_of(FILE *f) { return __builtin_expect(changes == 0, 1) ? f : open_stream(f); }

FILE *tn_open_stream(FILE *f) { return stream_of(f); }

/* --- opening and closing ------------------------------------------------------------------------ */

FILE *tnc_fopen(const char *path, const char *mode) { return note_open(fopen(path, mode)); }
FILE *tnc_fdopen(int fd, const char *mode) { return note_open(fdopen(fd, mode)); }
FILE *tnc_popen(const char *command, const char *mode) { return note_open(popen(command, mode)); }
FILE *tn_tmpfile(void) { return note_open(tmpfile()); }

/* freopen closes the old stream even when it fails. */
FILE *tnc_freopen(const char *path, const char *mode, FILE *f) {
    if (stream_of(f) == NULL || !note_closed(f)) return NULL;
    return note_open(freopen(path, mode, f));
}

int tn_fclose(FILE *f) { return stream_of(f) == NULL || !note_closed(f) ? EOF : fclose(f); }
int tn_pclose(FILE *f) { return stream_of(f) == NULL || !note_closed(f) ? -1 : pclose(f); }

int tn_fflush(FILE *f) {
    if (f == NULL) return fflush(NULL);
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : fflush(stream);
}

int tn_getc(FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : getc_unlocked(stream);
}

int tn_getchar(void) { return tn_getc(stdin); }

int tn_putc(int c, FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : putc_unlocked(c, stream);
}

int tn_putchar(int c) { return tn_putc(c, stdout); }

int tn_ungetc(int c, FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? EOF : ungetc(c, stream);
}

int tn_feof(FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 1 : feof_unlocked(stream);
}

int tn_ferror(FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 1 : ferror_unlocked(stream);
}

void tn_clearerr(FILE *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) clearerr(stream);
}

int tn_fileno(FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : fileno(stream);
}

void tn_rewind(FILE *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) rewind(stream);
}

int tn_fseek(FILE *f, long offset, int whence) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : fseek(stream, offset, whence);
}

long tn_ftell(FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : ftell(stream);
}

int tn_fgetpos(FILE *f, fpos_t *pos) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : fgetpos(stream, pos);
}

/* The place alone: what else libc keeps in an fpos_t it would believe, and a program can write it. */
int tn_fsetpos(FILE *f, const fpos_t *pos) {
#ifdef __GLIBC__
    return tn_fseek(f, pos->__pos, SEEK_SET);
#else
    return stream_of(f) == NULL ? -1 : fsetpos(f, pos);
#endif
}

void tn_setlinebuf(FILE *f) {
    FILE *stream = stream_of(f);
    if (stream != NULL) setlinebuf(stream);
}

int tnc_setvbuf(FILE *f, int mode, size_t size) {
    FILE *stream = stream_of(f);
    return stream == NULL ? -1 : setvbuf(stream, NULL, mode, size);
}

/* --- buffers whose length the caller has checked ---------------------------------------------- */

size_t tnc_fread(char *buffer, size_t bytes, FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 0 : fread_unlocked(buffer, 1, bytes, stream);
}

size_t tnc_fwrite(const char *buffer, size_t bytes, FILE *f) {
    FILE *stream = stream_of(f);
    return stream == NULL ? 0 : fwrite_unlocked(buffer, 1, bytes, stream);
}

/* buffer has n >= 1 characters. 1 if a line or part of one was read. */
int tnc_fgets(char *buffer, int n, FILE *f) {
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
size_t tnc_read_until(char *buffer, size_t n, int delim, FILE *f, int *ended) {
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

long tn_getdelim_z(char **line, size_t *size, int delim, FILE *f) {
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

long tn_getline_z(char **line, size_t *size, FILE *f) { return tn_getdelim_z(line, size, '\n', f); }

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
    FILE *stream = stream_of(stdout);
    if (stream == NULL) return -1;
    va_list args;
    va_start(args, format);
    int n = vfprintf(stream, format, args);
    va_end(args);
    return n;
}

int tn_fprintf_direct(FILE *f, const char *format, ...) {
    FILE *stream = stream_of(f);
    if (stream == NULL) return -1;
    va_list args;
    va_start(args, format);
    int n = vfprintf(stream, format, args);
    va_end(args);
    return n;
}
