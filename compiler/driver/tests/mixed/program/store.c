#include "shared.h"
#include <string.h>

void store_fill(ONE(struct entry) e, KEPT(FILE) log)
{
    e->before = 'b';
    e->when.tm_year = 100;
    e->when.tm_mon = 1;
    e->when.tm_mday = 29;
    e->when.tm_isdst = 0;
    e->when.tm_gmtoff = 0;
    e->after_tm = 11;
    stat(".", &e->st);
    e->after_stat = 22;
    sigemptyset(&e->mask);
    sigaddset(&e->mask, SIGUSR1);
    sigaddset(&e->mask, SIGTERM);
    e->after_mask = 33;
    if (log != NULL) {
        fprintf(log, "filled %d\n", e->after_mask);
        fgetpos(log, &e->place);
    }
    e->after_place = 'p';
    e->at.tv_sec = 5;
    e->at.tv_nsec = 6;
    e->level = LOUD;
    e->is_set = true;
    e->flags.open = 1;
    e->flags.shade = -3;
    e->flags.kind = 9;
    e->point.x = -7;
    e->point.y = 2.5;
    e->wide = 1.25L;
    e->name[0] = 'n';
    e->name[1] = 0;
    e->log = log;
}

int store_sum(COUNT(n) count, COUNTED(const int, n) values)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

struct point store_move(struct point from, struct flags how)
{
    from.x += how.shade;
    from.y *= how.kind;
    return from;
}

FILE *store_open(int fd)
{
    return fdopen(fd, "w+");
}

enum level store_next(enum level level)
{
    return level == QUIET ? NORMAL : level == NORMAL ? LOUD : QUIET;
}

int store_apply(int (*f)(int), int x)
{
    return f == NULL ? -1 : f(x) + f(x + 1);
}

bool store_is_odd(int x)
{
    return x & 1;
}

signed char store_low(ARRAY(const signed char, 4) bytes)
{
    signed char low = bytes[0];
    for (int i = 1; i < 4; i++)
        if (bytes[i] < low)
            low = bytes[i];
    return low;
}
