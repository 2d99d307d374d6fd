#include "shared.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int twice(int x)
{
    return 2 * x;
}

static void numbers(void)
{
    int values[5] = {1, 2, 3, 4, 5};
    signed char bytes[4] = {3, -128, 127, 0};
    struct point p = {.x = 10, .y = 1.5};
    struct flags f = {.open = 1, .shade = -2, .kind = 4};
    p = store_move(p, f);
    printf("%d %d %.1f\n", store_sum(5, values), p.x, p.y);
    printf("%d %d %d\n", (int)store_next(QUIET), (int)store_next(NORMAL), (int)store_next(LOUD));
    printf("%d %d %d %d\n", store_apply(twice, 3), store_is_odd(7), store_is_odd(-4), store_low(bytes));
}

/* Streams are opened, written, read and closed by turns on each side; closed ones are replaced. */
static int streams(int round)
{
    static struct entry e;
    int fd = open("mixed.log", O_RDWR | O_CREAT | O_TRUNC, 0600);
    FILE *log = round % 2 == 0 ? store_open(fd) : fdopen(fd, "w+");
    if (log == NULL)
        return 1;
    store_fill(&e, log);
    int same = report_entry(&e, log);
    fprintf(log, "round %d\n", round);
    int lines = report_file(log, stdout);
    printf("%d %d %d\n", same, lines, (int)sizeof e);
    return round % 3 == 0 ? fclose(log) : report_close(log);
}

int main(void)
{
    numbers();
    for (int round = 0; round < 6; round++)
        if (streams(round) != 0)
            return 1;
    unlink("mixed.log");
    return 0;
}
