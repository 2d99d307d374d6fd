/* What the files of the program share. Each file is C or Tenure: NAME_IS_C says so of the file NAME.c. */
#ifndef SHARED_H
#define SHARED_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#ifdef __TENURE__
#define ARRAY(T, n) T @{n}
#define COUNTED(T, n) T @{valueof(`n)}
#define COUNT(n) tag_t<`n>
#define ONE(T) T @
#define KEPT(T) T *`H
#define FROM_C extern "C"
#else
#define ARRAY(T, n) T *
#define COUNTED(T, n) T *
#define COUNT(n) int
#define ONE(T) T *
#define KEPT(T) T *
#define FROM_C extern
#endif

#ifdef STORE_IS_C
#define STORE FROM_C
#else
#define STORE extern
#endif
#ifdef REPORT_IS_C
#define REPORT FROM_C
#else
#define REPORT extern
#endif

enum level { QUIET = -1, NORMAL, LOUD = 70000 };

struct flags {
    unsigned open : 1;
    unsigned : 3;
    int shade : 5;
    unsigned short : 0;
    unsigned char kind : 4;
};

struct point {
    short x;
    double y;
};

/* Neighbours of the system's types: each is read by the other side. */
struct entry {
    char before;
    struct tm when;
    int after_tm;
    struct stat st;
    int after_stat;
    sigset_t mask;
    short after_mask;
    fpos_t place;
    char after_place;
    struct timespec at;
    enum level level;
    bool is_set;
    struct flags flags;
    struct point point;
    long double wide;
    char name[12];
    FILE *log;
};

STORE void store_fill(ONE(struct entry) e, KEPT(FILE) log);
STORE int store_sum(COUNT(n) count, COUNTED(const int, n) values);
STORE struct point store_move(struct point from, struct flags how);
STORE FILE *store_open(int fd);
STORE enum level store_next(enum level level);
STORE int store_apply(int (*f)(int), int x);
STORE bool store_is_odd(int x);
STORE signed char store_low(ARRAY(const signed char, 4) bytes);

REPORT int report_entry(ONE(struct entry) e, FILE *to);
REPORT int report_file(FILE *from, FILE *to);
REPORT int report_close(FILE *f);

#endif
