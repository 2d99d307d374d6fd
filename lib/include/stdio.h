#ifndef _STDIO_H
#define _STDIO_H

#include <tn/features.h>
#include <tn/base.h>
#include <sys/types.h>

/* libc's own stream: a FILE * goes to C code and comes back. After fclose each function on it fails with EBADF, as on
   any bad descriptor, until libc opens another stream in its place. */
struct _IO_FILE;
typedef struct _IO_FILE FILE;

typedef struct _G_fpos_t {
  off_t __pos;
  struct {
    int __count;
    union { unsigned int __wch; char __wchb[4]; } __value;
  } __state;
} fpos_t;

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

/* The arguments of the printf family. The compiler wraps each argument in the constructor of its
   type; a format that is a constant is checked against them at compile time, any other
   when it is used: a mismatch raises Invalid_argument. */
datatype PrintArg<`r::R> {
  String_pa(const char ?`r);
  Int_pa(unsigned long);
  Double_pa(double);
  LongDouble_pa(long double);
  ShortPtr_pa(short @`r);
  IntPtr_pa(int @`r);
  LongPtr_pa(long @`r);
};
typedef datatype PrintArg<`r> @`r parg_t<`r::R>;

datatype ScanfArg<`r::R> {
  ShortPtr_sa(short @`r);
  UShortPtr_sa(unsigned short @`r);
  IntPtr_sa(int @`r);
  UIntPtr_sa(unsigned int @`r);
  LongPtr_sa(long @`r);
  ULongPtr_sa(unsigned long @`r);
  StringPtr_sa(char ?`r);
  DoublePtr_sa(double @`r);
  FloatPtr_sa(float @`r);
  LongDoublePtr_sa(long double @`r);
};
typedef datatype ScanfArg<`r> @`r sarg_t<`r::R>;

extern "C" {
  extern FILE @tn_stdin TN_LINK(stdin);
  extern FILE @tn_stdout TN_LINK(stdout);
  extern FILE @tn_stderr TN_LINK(stderr);

  int fclose(FILE @f) TN_LINK(tn_fclose);
  int fflush(FILE *f) TN_LINK(tn_fflush);
  int fgetc(FILE @f) TN_LINK(tn_getc);
  int getc(FILE @f) TN_LINK(tn_getc);
  int getchar(void) TN_LINK(tn_getchar);
  int fputc(int c, FILE @f) TN_LINK(tn_putc);
  int putc(int c, FILE @f) TN_LINK(tn_putc);
  int putchar(int c) TN_LINK(tn_putchar);
  int ungetc(int c, FILE @f) TN_LINK(tn_ungetc);
  int feof(FILE @f) TN_LINK(tn_feof);
  int ferror(FILE @f) TN_LINK(tn_ferror);
  void clearerr(FILE @f) TN_LINK(tn_clearerr);
  int fileno(FILE @f) TN_LINK(tn_fileno);
  void rewind(FILE @f) TN_LINK(tn_rewind);
  int fseek(FILE @f, long offset, int whence) TN_LINK(tn_fseek);
  long ftell(FILE @f) TN_LINK(tn_ftell);
  int fseeko(FILE @f, off_t offset, int whence) TN_LINK(tn_fseek);
  off_t ftello(FILE @f) TN_LINK(tn_ftell);
  int fgetpos(FILE @f, fpos_t @pos) TN_LINK(tn_fgetpos);
  int fsetpos(FILE @f, const fpos_t @pos) TN_LINK(tn_fsetpos);
  void setlinebuf(FILE @f) TN_LINK(tn_setlinebuf);
  int pclose(FILE @f) TN_LINK(tn_pclose);
  int getc_unlocked(FILE @f) TN_LINK(tn_getc);
  int getchar_unlocked(void) TN_LINK(tn_getchar);
  int fgetc_unlocked(FILE @f) TN_LINK(tn_getc);
  int putc_unlocked(int c, FILE @f) TN_LINK(tn_putc);
  int putchar_unlocked(int c) TN_LINK(tn_putchar);
  int fputc_unlocked(int c, FILE @f) TN_LINK(tn_putc);
  int feof_unlocked(FILE @f) TN_LINK(tn_feof);
  int ferror_unlocked(FILE @f) TN_LINK(tn_ferror);
  void clearerr_unlocked(FILE @f) TN_LINK(tn_clearerr);
  int fflush_unlocked(FILE *f) TN_LINK(tn_fflush);
  int fileno_unlocked(FILE @f) TN_LINK(tn_fileno);
  FILE *tmpfile(void) TN_LINK(tn_tmpfile);
}

#define stdin tn_stdin
#define stdout tn_stdout
#define stderr tn_stderr

FILE *fopen(const char ?path, const char ?mode) TN_LINK(tn_fopen);
FILE *fdopen(int fd, const char ?mode) TN_LINK(tn_fdopen);
FILE *freopen(const char ?path, const char ?mode, FILE @f) TN_LINK(tn_freopen);
FILE *popen(const char ?command, const char ?mode) TN_LINK(tn_popen);
/* The buffer given is not used: stdio keeps its own, which lives as long as the FILE does. */
int setvbuf(FILE @f, char ?buf, int mode, size_t size) TN_LINK(tn_setvbuf);
void setbuf(FILE @f, char ?buf) TN_LINK(tn_setbuf);
void setbuffer(FILE @f, char ?buf, size_t size) TN_LINK(tn_setbuffer);
void perror(const char ?message) TN_LINK(tn_perror);
int remove(const char ?path) TN_LINK(tn_remove);
int rename(const char ?from, const char ?to) TN_LINK(tn_rename);
int renameat(int from_dir, const char ?from, int to_dir, const char ?to) TN_LINK(tn_renameat);

/* At most n - 1 characters and a zero; raises Array_bounds where buf has less than n. */
char ?`r fgets(char ?`r buf, int n, FILE @f) TN_LINK(tn_fgets) TN_CALLER __attribute__((overload(fgets_z)));
char ?@zeroterm`r fgets_z(char ?@zeroterm`r buf, int n, FILE @f) TN_LINK(tn_fgets_z) TN_CALLER;
int fputs(const char ?s, FILE @f) TN_LINK(tn_fputs);
int puts(const char ?s) TN_LINK(tn_puts);
/* size * count bytes at most, no more than buf has; both return whole items. */
size_t fread(char ?buf, size_t size, size_t count, FILE @f) TN_LINK(tn_fread) __attribute__((bytes)) TN_CALLER;
size_t fwrite(const char ?buf, size_t size, size_t count, FILE @f) TN_LINK(tn_fwrite) __attribute__((bytes)) TN_CALLER;
/* *line is a heap buffer, replaced by a larger one when it is too small: a pointer with bounds (fgetline), or
   C's `char *`, whose buffer is only known to have room if it is the one that the call before gave. *size is only set. */
extern "C" ssize_t getline(char *`H @line, size_t @size, FILE @f) TN_LINK(tn_getline_z) __attribute__((overload(fgetline)));
extern "C" ssize_t getdelim(char *`H @line, size_t @size, int delim, FILE @f) TN_LINK(tn_getdelim_z) __attribute__((overload(fgetdelim)));
ssize_t fgetline(char ?`H @line, size_t @size, FILE @f) TN_LINK(tn_getline);
ssize_t fgetdelim(char ?`H @line, size_t @size, int delim, FILE @f) TN_LINK(tn_getdelim);

int printf(const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_printf) __attribute__((format(printf, 1, 2)));
int fprintf(FILE @f, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_fprintf) __attribute__((format(printf, 2, 3)));
int dprintf(int fd, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_dprintf) __attribute__((format(printf, 2, 3)));
/* sprintf and snprintf never write past buf; sprintf raises Array_bounds where the text does not fit. */
int sprintf(char ?buf, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_sprintf) __attribute__((format(printf, 2, 3), overload(sprintf_z))) TN_CALLER;
int sprintf_z(char ?@zeroterm buf, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_sprintf_z) __attribute__((format(printf, 2, 3))) TN_CALLER;
int snprintf(char ?buf, size_t n, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_snprintf) __attribute__((format(printf, 3, 4), overload(snprintf_z))) TN_CALLER;
int snprintf_z(char ?@zeroterm buf, size_t n, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_snprintf_z) __attribute__((format(printf, 3, 4))) TN_CALLER;
int asprintf(char *`H @result, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_asprintf) __attribute__((format(printf, 2, 3), overload(fasprintf)));
int fasprintf(char ?`H @result, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_fasprintf) __attribute__((format(printf, 2, 3)));

/* The same with the arguments of the caller's own `... inject parg_t` parameter. */
int vprintf(const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vprintf);
int vfprintf(FILE @f, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vfprintf);
int vsprintf(char ?buf, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vsprintf) __attribute__((overload(vsprintf_z)));
int vsprintf_z(char ?@zeroterm buf, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vsprintf_z);
int vsnprintf(char ?buf, size_t n, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vsnprintf) __attribute__((overload(vsnprintf_z)));
int vsnprintf_z(char ?@zeroterm buf, size_t n, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vsnprintf_z);

/* %s and %[ need room for their width or, without one, for what is read: a text that does not
   fit raises Array_bounds. */
int scanf(const char ?fmt, ... inject sarg_t<`r>) TN_LINK(tn_scanf) __attribute__((format(scanf, 1, 2))) TN_CALLER;
int fscanf(FILE @f, const char ?fmt, ... inject sarg_t<`r>) TN_LINK(tn_fscanf) __attribute__((format(scanf, 2, 3)));
int sscanf(const char ?src, const char ?fmt, ... inject sarg_t<`r>) TN_LINK(tn_sscanf) __attribute__((format(scanf, 2, 3)));
int vscanf(const char ?fmt, sarg_t<`r> ?args) TN_LINK(tn_vscanf);
int vfscanf(FILE @f, const char ?fmt, sarg_t<`r> ?args) TN_LINK(tn_vfscanf);
int vsscanf(const char ?src, const char ?fmt, sarg_t<`r> ?args) TN_LINK(tn_vsscanf);

#ifndef __TENURE_C__
/* The text as a new string, on the heap or in a region. */
char ?`H aprintf(const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_aprintf) __attribute__((format(printf, 1, 2)));
char ?`s rprintf(region_t<`s>, const char ?fmt, ... inject parg_t<`r>) TN_LINK(tn_rprintf) __attribute__((format(printf, 2, 3)));
char ?`H vaprintf(const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vaprintf);
char ?`s vrprintf(region_t<`s>, const char ?fmt, parg_t<`r> ?args) TN_LINK(tn_vrprintf);

/* Like fopen, fclose, remove, but an error raises Core::Failure with the path and the reason. */
FILE @file_open(const char ?path, const char ?mode) TN_LINK(tn_file_open);
void file_close(FILE @f) TN_LINK(tn_file_close);
void file_delete(const char ?path) TN_LINK(tn_file_delete);
/* The file from its current place to its end, as one string with a zero after it. */
char ?`H file_contents(FILE @f) TN_LINK(tn_file_contents);
char ?`r rfile_contents(region_t<`r>, FILE @f) TN_LINK(tn_rfile_contents);
#endif

#endif
