/* Structs: passed, returned, copied, nested and kept in arrays by value. */
#include <stdio.h>

struct Point {
    int x, y;
};

struct Rect {
    struct Point min, max;
    char name[8];
};

static struct Point point(int x, int y) {
    struct Point p = {x, y};
    return p;
}

static struct Rect join(struct Rect a, struct Rect b) {
    if (b.min.x < a.min.x)
        a.min.x = b.min.x;
    if (b.min.y < a.min.y)
        a.min.y = b.min.y;
    if (b.max.x > a.max.x)
        a.max.x = b.max.x;
    if (b.max.y > a.max.y)
        a.max.y = b.max.y;
    a.name[0] = '+';
    return a;
}

static int area(struct Rect r) {
    return (r.max.x - r.min.x) * (r.max.y - r.min.y);
}

static void move(struct Rect *r, struct Point by) {
    r->min = point(r->min.x + by.x, r->min.y + by.y);
    r->max.x += by.x;
    r->max.y += by.y;
}

int main(void) {
    struct Rect rects[3] = {
        {{0, 0}, {4, 3}, "first"},
        {.min = {-2, 1}, .max = {1, 9}, .name = "second"},
    };
    rects[2] = join(rects[0], rects[1]);
    move(&rects[0], point(10, -10));
    struct Rect copy = rects[0];
    copy.min.x = 0;
    for (int i = 0; i < 3; i++)
        printf("%s (%d,%d)-(%d,%d) %d\n", rects[i].name, rects[i].min.x, rects[i].min.y, rects[i].max.x, rects[i].max.y, area(rects[i]));
    printf("%s %d, size %d\n", copy.name, area(copy), (int)sizeof(struct Rect));
    return 0;
}
