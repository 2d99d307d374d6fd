/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The cell behind FILE, for the parts of the shim that read from and write to streams.
 */
#ifndef TN_SHIM_STDIO_H
#define TN_SHIM_STDIO_H

#include <stdio.h>

struct tn_file {
    FILE *stream; /* NULL once closed */
};

extern struct tn_file *tn_stdin, *tn_stdout, *tn_stderr;

struct tn_file *tnc_fopen(const char *path, const char *mode);
struct tn_file *tnc_fdopen(int fd, const char *mode);
struct tn_file *tnc_popen(const char *command, const char *mode);
struct tn_file *tnc_freopen(const char *path, const char *mode, struct tn_file *f);
struct tn_file *tn_tmpfile(void);
int tn_fclose(struct tn_file *f);
int tn_pclose(struct tn_file *f);
int tn_fflush(struct tn_file *f);
int tn_getc(struct tn_file *f);
int tn_getchar(void);
int tn_putc(int c, struct tn_file *f);
int tn_putchar(int c);
int tn_ungetc(int c, struct tn_file *f);
int tn_feof(struct tn_file *f);
int tn_ferror(struct tn_file *f);
void tn_clearerr(struct tn_file *f);
int tn_fileno(struct tn_file *f);
void tn_rewind(struct tn_file *f);
int tn_fseek(struct tn_file *f, long offset, int whence);
long tn_ftell(struct tn_file *f);
int tn_fgetpos(struct tn_file *f, long *pos);
int tn_fsetpos(struct tn_file *f, const long *pos);
void tn_setlinebuf(struct tn_file *f);
int tnc_setvbuf(struct tn_file *f, int mode, size_t size);
size_t tnc_fread(char *buffer, size_t bytes, struct tn_file *f);
size_t tnc_fwrite(const char *buffer, size_t bytes, struct tn_file *f);
int tnc_fgets(char *buffer, int n, struct tn_file *f);
size_t tnc_read_until(char *buffer, size_t n, int delim, struct tn_file *f, int *ended);
long tn_getline_z(char **line, size_t *size, struct tn_file *f);
long tn_getdelim_z(char **line, size_t *size, int delim, struct tn_file *f);
long tnc_write_fd(int fd, const char *buffer, size_t n);
int tn_printf_direct(const char *format, ...) __attribute__((format(printf, 1, 2)));
int tn_fprintf_direct(struct tn_file *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
int tn_snprintf_direct(char *to, unsigned have, size_t n, const char *format, ...) __attribute__((format(printf, 4, 5)));
int tn_sprintf_direct(char *to, unsigned have, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
