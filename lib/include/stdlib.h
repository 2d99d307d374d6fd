#ifndef _STDLIB_H
#define _STDLIB_H

#include <tn/features.h>
#include <tn/base.h>
#include <tn/generic.h>

/* malloc and calloc are words of the language, free and realloc are known to the compiler. */

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX 4

typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;

extern "C" {
  void exit(int status) __attribute__((noreturn));
  void _Exit(int status) __attribute__((noreturn));
  void abort(void) __attribute__((noreturn));
  int atexit(void (@f)(void)) TN_LINK(tn_atexit);
  int rand(void);
  void srand(unsigned int seed);
  long random(void);
  void srandom(unsigned int seed);
  double drand48(void);
  long lrand48(void);
  long mrand48(void);
  void srand48(long seed);
  double erand48(unsigned short @{3} state);
  long nrand48(unsigned short @{3} state);
  long jrand48(unsigned short @{3} state);
  int rand_r(unsigned int @seed);
  int getloadavg(double @{3} loads, int n) TN_LINK(tn_getloadavg);
}

static inline int abs(int x) { return x < 0 ? -x : x; }
static inline long labs(long x) { return x < 0 ? -x : x; }
static inline long long llabs(long long x) { return x < 0 ? -x : x; }

div_t div(int num, int den) TN_LINK(tn_div);
ldiv_t ldiv(long num, long den) TN_LINK(tn_ldiv);
lldiv_t lldiv(long long num, long long den) TN_LINK(tn_lldiv);

int atoi(const char ?s) TN_LINK(tn_atoi);
long atol(const char ?s) TN_LINK(tn_atol);
long long atoll(const char ?s) TN_LINK(tn_atoll);
double atof(const char ?s) TN_LINK(tn_atof);

/* *end is set to the first character that was not used. A string stops at its bound even where
   no zero stands. The compiler takes the form that fits `end`: _m for `char ?end`, _z for C's
   `char *end`, which needs a zero-terminated `s`, _cz for `const char *end`. */
long strtol(const char ?`r s, const char ?`r *end, int base) TN_LINK(tn_strtol) __attribute__((overload(strtol_m, strtol_z, strtol_cz)));
long strtol_m(char ?`r s, char ?`r *end, int base) TN_LINK(tn_strtol_m);
long strtol_z(char *`r s, char *`r *end, int base) TN_LINK(tn_strtol_z);
long strtol_cz(const char *`r s, const char *`r *end, int base) TN_LINK(tn_strtol_cz);
unsigned long strtoul(const char ?`r s, const char ?`r *end, int base) TN_LINK(tn_strtoul) __attribute__((overload(strtoul_m, strtoul_z, strtoul_cz)));
unsigned long strtoul_m(char ?`r s, char ?`r *end, int base) TN_LINK(tn_strtoul_m);
unsigned long strtoul_z(char *`r s, char *`r *end, int base) TN_LINK(tn_strtoul_z);
unsigned long strtoul_cz(const char *`r s, const char *`r *end, int base) TN_LINK(tn_strtoul_cz);
long long strtoll(const char ?`r s, const char ?`r *end, int base) TN_LINK(tn_strtoll) __attribute__((overload(strtoll_m, strtoll_z, strtoll_cz)));
long long strtoll_m(char ?`r s, char ?`r *end, int base) TN_LINK(tn_strtoll_m);
long long strtoll_z(char *`r s, char *`r *end, int base) TN_LINK(tn_strtoll_z);
long long strtoll_cz(const char *`r s, const char *`r *end, int base) TN_LINK(tn_strtoll_cz);
unsigned long long strtoull(const char ?`r s, const char ?`r *end, int base) TN_LINK(tn_strtoull) __attribute__((overload(strtoull_m, strtoull_z, strtoull_cz)));
unsigned long long strtoull_m(char ?`r s, char ?`r *end, int base) TN_LINK(tn_strtoull_m);
unsigned long long strtoull_z(char *`r s, char *`r *end, int base) TN_LINK(tn_strtoull_z);
unsigned long long strtoull_cz(const char *`r s, const char *`r *end, int base) TN_LINK(tn_strtoull_cz);
double strtod(const char ?`r s, const char ?`r *end) TN_LINK(tn_strtod) __attribute__((overload(strtod_m, strtod_z, strtod_cz)));
double strtod_m(char ?`r s, char ?`r *end) TN_LINK(tn_strtod_m);
double strtod_z(char *`r s, char *`r *end) TN_LINK(tn_strtod_z);
double strtod_cz(const char *`r s, const char *`r *end) TN_LINK(tn_strtod_cz);
float strtof(const char ?`r s, const char ?`r *end) TN_LINK(tn_strtof) __attribute__((overload(strtof_m, strtof_z, strtof_cz)));
float strtof_m(char ?`r s, char ?`r *end) TN_LINK(tn_strtof_m);
float strtof_z(char *`r s, char *`r *end) TN_LINK(tn_strtof_z);
float strtof_cz(const char *`r s, const char *`r *end) TN_LINK(tn_strtof_cz);
long double strtold(const char ?`r s, const char ?`r *end) TN_LINK(tn_strtold) __attribute__((overload(strtold_m, strtold_z, strtold_cz)));
long double strtold_m(char ?`r s, char ?`r *end) TN_LINK(tn_strtold_m);
long double strtold_z(char *`r s, char *`r *end) TN_LINK(tn_strtold_z);
long double strtold_cz(const char *`r s, const char *`r *end) TN_LINK(tn_strtold_cz);

/* The value's own copy, on the heap. */
char *getenv(const char ?name) TN_LINK(tn_getenv);
int setenv(const char ?name, const char ?value, int overwrite) TN_LINK(tn_setenv);
int unsetenv(const char ?name) TN_LINK(tn_unsetenv);
int system(const char ?command) TN_LINK(tn_system);
char *realpath(const char ?path) TN_LINK(tn_realpath);
/* The six X at the end of the template are replaced in place. */
int mkstemp(char ?path_template) TN_LINK(tn_mkstemp);
char ?`r mkdtemp(char ?`r path_template) TN_LINK(tn_mkdtemp);

#endif
