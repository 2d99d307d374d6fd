/* Records: an inventory sorted by several keys, with pointers to structs and string fields. */
#include <stdio.h>
#include <string.h>

struct Part {
    char name[16];
    int amount;
    double price;
};

static struct Part parts[] = {{"bolt", 100, 0.25}, {"nut", 250, 0.10}, {"gear", 12, 8.5}, {"axle", 4, 20.0}, {"cap", 12, 1.2}};
#define PARTS 5

static int compare(const struct Part *a, const struct Part *b, int key) {
    switch (key) {
    case 0: return strcmp(a->name, b->name);
    case 1: return a->amount - b->amount;
    default: return (a->price > b->price) - (a->price < b->price);
    }
}

static void sort(struct Part *order[PARTS], int key) {
    for (int i = 1; i < PARTS; i++) {
        struct Part *p = order[i];
        int j = i;
        for (; j > 0 && compare(order[j - 1], p, key) > 0; j--)
            order[j] = order[j - 1];
        order[j] = p;
    }
}

int main(void) {
    struct Part *order[PARTS];
    for (int i = 0; i < PARTS; i++)
        order[i] = &parts[i];
    for (int key = 0; key < 3; key++) {
        sort(order, key);
        for (int i = 0; i < PARTS; i++)
            printf("%s(%d, %.2f) ", order[i]->name, order[i]->amount, order[i]->price);
        printf("\n");
    }
    double total = 0;
    for (int i = 0; i < PARTS; i++)
        total += order[i]->amount * order[i]->price;
    order[0]->amount = 0;
    strcat(order[0]->name, "-sold");
    printf("%.2f, %s is sold\n", total, order[0]->name);
    return 0;
}
