/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Streams, for the parts of the shim that read from and write to them.
 */
#ifndef TN_SHIM_STDIO_H
#define TN_SHIM_STDIO_H

#include <stdio.h>

/* f if it is open, else NULL with errno set. */
FILE *tn_open_stream(FILE *f);
FILE *tnc_fopen(const char *path, const char *mode);
FILE *tnc_fdopen(int fd, const char *mode);
FILE *tnc_popen(const char *command, const char *mode);
FILE *tnc_freopen(const char *path, const char *mode, FILE *f);
FILE *tn_tmpfile(void);
int tn_fclose(FILE *f);
int tn_pclose(FILE *f);
int tn_fflush(FILE *f);
int tn_getc(FILE *f);
int tn_getchar(void);
int tn_putc(int c, FILE *f);
int tn_putchar(int c);
int tn_ungetc(int c, FILE *f);
int tn_feof(FILE *f);
int tn_ferror(FILE *f);
void tn_clearerr(FILE *f);
int tn_fileno(FILE *f);
void tn_rewind(FILE *f);
int tn_fseek(FILE *f, long offset, int whence);
long tn_ftell(FILE *f);
int tn_fgetpos(FILE *f, fpos_t *pos);
int tn_fsetpos(FILE *f, const fpos_t *pos);
void tn_setlinebuf(FILE *f);
int tnc_setvbuf(FILE *f, int mode, size_t size);
size_t tnc_fread(char *buffer, size_t bytes, FILE *f);
size_t tnc_fwrite(const char *buffer, size_t bytes, FILE *f);
int tnc_fgets(char *buffer, int n, FILE *f);
size_t tnc_read_until(char *buffer, size_t n, int delim, FILE *f, int *ended);
long tn_getline_z(char **line, size_t *size, FILE *f);
long tn_getdelim_z(char **line, size_t *size, int delim, FILE *f);
long tnc_write_fd(int fd, const char *buffer, size_t n);
int tn_printf_direct(const char *format, ...) __attribute__((format(printf, 1, 2)));
int tn_fprintf_direct(FILE *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
int tn_snprintf_direct(char *to, unsigned have, size_t n, const char *format, ...) __attribute__((format(printf, 4, 5)));
int tn_sprintf_direct(char *to, unsigned have, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
