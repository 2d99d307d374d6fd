/* Strings: appending to a buffer that the caller owns, joining, repeating. */
#include "annot.h"
#include <stdio.h>
#include <string.h>

struct Text {
    FAT(char) at;
    int used, room;
};

static void put(NN(struct Text) t, char c) {
    if (t->used + 1 < t->room) {
        t->at[t->used++] = c;
        t->at[t->used] = '\0';
    }
}

static void append(NN(struct Text) t, const char *s) {
    for (; *s != '\0'; s++)
        put(t, *s);
}

static void append_int(NN(struct Text) t, int n) {
    if (n < 0) {
        put(t, '-');
        n = -n;
    }
    if (n >= 10)
        append_int(t, n / 10);
    put(t, (char)('0' + n % 10));
}

int main(void) {
    static char room[40];
    struct Text t = {room, 0, (int)sizeof room};
    static const char *const names[] = {"alpha", "beta", "gamma"};
    for (int i = 0; i < 3; i++) {
        if (i > 0)
            append(&t, ", ");
        append(&t, names[i]);
        put(&t, '=');
        append_int(&t, i * 1000 - 7);
    }
    printf("%s (%d)\n", room, (int)strlen(room));
    for (int i = 0; i < 50; i++)
        put(&t, '.');
    printf("%s (%d)\n", room, (int)strlen(room));
    return 0;
}
