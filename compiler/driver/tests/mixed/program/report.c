#include "shared.h"

int report_entry(ONE(struct entry) e, FILE *to)
{
    if (to == NULL)
        return -1;
    fprintf(to, "%c %d %d %d\n", e->before, e->when.tm_year, e->when.tm_mday, e->after_tm);
    fprintf(to, "%d %d\n", S_ISDIR(e->st.st_mode) ? 1 : 0, e->after_stat);
    fprintf(to, "%d %d %d %d\n", sigismember(&e->mask, SIGUSR1), sigismember(&e->mask, SIGTERM),
            sigismember(&e->mask, SIGINT), e->after_mask);
    fprintf(to, "%c %ld %ld %d %d\n", e->after_place, (long)e->at.tv_sec, (long)e->at.tv_nsec, (int)e->level, e->is_set);
    fprintf(to, "%d %d %d %d %.1f %.2Lf %c\n", e->flags.open, e->flags.shade, e->flags.kind, e->point.x, e->point.y,
            e->wide, e->name[0]);
    return e->log == to;
}

int report_file(FILE *from, FILE *to)
{
    if (from == NULL || to == NULL)
        return -1;
    rewind(from);
    int lines = 0;
    for (int c = getc(from); c != EOF; c = getc(from)) {
        if (c == '\n')
            lines++;
        putc(c, to);
    }
    return lines;
}

int report_close(FILE *f)
{
    return f == NULL ? -1 : fclose(f);
}
