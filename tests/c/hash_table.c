/* Data structures: a hash table of strings with open addressing, in static arrays. */
#include <stdio.h>
#include <string.h>

#define SLOTS 32

struct Entry {
    char key[12];
    int value;
    int used;
};

static struct Entry table[SLOTS];

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s != '\0') {
        h = h * 33 ^ (unsigned char)*s;
        s++;
    }
    return h;
}

static int slot_of(const char *key) {
    unsigned i = hash(key) % SLOTS;
    while (table[i].used && strcmp(table[i].key, key) != 0)
        i = (i + 1) % SLOTS;
    return (int)i;
}

static void add(const char *key, int value) {
    int i = slot_of(key);
    if (!table[i].used) {
        strcpy(table[i].key, key);
        table[i].used = 1;
    }
    table[i].value += value;
}

int main(void) {
    static const char *const words[] = {"one", "two", "three", "two", "three", "three", "four", "four", "four", "four", "five"};
    for (int i = 0; i < 11; i++)
        add(words[i], i);
    for (int i = 0; i < SLOTS; i++)
        if (table[i].used)
            printf("%2d %s %d\n", i, table[i].key, table[i].value);
    printf("six is %s\n", table[slot_of("six")].used ? "there" : "absent");
    return 0;
}
