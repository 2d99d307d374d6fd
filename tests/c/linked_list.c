/* Data structures: a singly linked list of heap nodes: insert in order, reverse, remove. */
#include "annot.h"
#include <stdio.h>
#include <stdlib.h>

struct Node {
    int value;
    struct Node *next;
};

static struct Node *insert(struct Node *HEAP list, int value) {
    if (list == NULL || list->value >= value) {
        struct Node *n = malloc(sizeof(struct Node));
        if (n == NULL)
            exit(1);
        n->value = value;
        n->next = list;
        return n;
    }
    list->next = insert(list->next, value);
    return list;
}

static struct Node *reverse(struct Node *HEAP list) {
    struct Node *done = NULL;
    while (list != NULL) {
        struct Node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static struct Node *without(struct Node *HEAP list, int value) {
    if (list == NULL)
        return NULL;
    struct Node *rest = without(list->next, value);
    if (list->value == value)
        return rest;
    list->next = rest;
    return list;
}

static void print(const struct Node *list) {
    for (; list != NULL; list = list->next)
        printf("%d%s", list->value, list->next != NULL ? " -> " : "");
    printf("\n");
}

int main(void) {
    struct Node *list = NULL;
    int values[] = {5, 2, 8, 2, 9, 1, 7};
    for (int i = 0; i < 7; i++)
        list = insert(list, values[i]);
    print(list);
    list = reverse(list);
    print(list);
    list = without(list, 2);
    print(list);
    list = without(list, 100);
    print(without(reverse(list), 1));
    return 0;
}
