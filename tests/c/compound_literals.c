/* Initialisers: designated, nested, ranges left zero, compound literals. */
#include <stdio.h>

struct Color {
    unsigned char r, g, b;
};

struct Style {
    const char *name;
    struct Color fore, back;
    int tabs[4];
};

static const struct Style styles[] = {
    [2] = {.name = "night", .fore = {255, 255, 255}, .tabs = {[1] = 4, 8}},
    [0] = {"day", {.b = 40}, {250, 250, 240}, {2, 4}},
    [1] = {.back = {.g = 128}, .name = "forest"},
};

static int brightness(struct Color c) {
    return (c.r * 3 + c.g * 6 + c.b) / 10;
}

static int sum(const int a[4]) {
    return a[0] + a[1] + a[2] + a[3];
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        const struct Style *s = &styles[i];
        printf("%-6s %3d on %3d, tabs %d\n", s->name, brightness(s->fore), brightness(s->back), sum(s->tabs));
    }
    printf("%d\n", brightness((struct Color){.g = 100, .r = 50}));
    struct Color c = (struct Color){1, 2, 3};
    c = (struct Color){.b = c.r};
    printf("%d %d %d\n", c.r, c.g, c.b);
    printf("%d\n", sum((int[4]){1, 2, 3}));
    int grid[3][3] = {[1] = {1, 2, 3}, [2][2] = 9};
    printf("%d %d %d\n", grid[0][1], grid[1][2], grid[2][2]);
    char letters[] = {'a', 'b', [4] = 'e'};
    printf("%d %d\n", (int)sizeof letters, letters[3]);
    return 0;
}
