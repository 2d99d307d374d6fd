/* Data structures: a doubly linked list whose links are indices, with a free list. */
#include <stdio.h>

#define MAX 16
#define NIL (-1)

struct Node {
    int value;
    int next, prev;
};

static struct Node nodes[MAX];
static int first = NIL, last = NIL, unused;

static void init(void) {
    for (int i = 0; i < MAX; i++)
        nodes[i].next = i + 1 < MAX ? i + 1 : NIL;
    unused = 0;
}

static int append(int value) {
    int n = unused;
    if (n == NIL)
        return NIL;
    unused = nodes[n].next;
    nodes[n] = (struct Node){value, NIL, last};
    if (last == NIL)
        first = n;
    else
        nodes[last].next = n;
    last = n;
    return n;
}

static void drop(int n) {
    if (nodes[n].prev == NIL)
        first = nodes[n].next;
    else
        nodes[nodes[n].prev].next = nodes[n].next;
    if (nodes[n].next == NIL)
        last = nodes[n].prev;
    else
        nodes[nodes[n].next].prev = nodes[n].prev;
    nodes[n].next = unused;
    unused = n;
}

static void print(void) {
    for (int n = first; n != NIL; n = nodes[n].next)
        printf("%d ", nodes[n].value);
    printf("| ");
    for (int n = last; n != NIL; n = nodes[n].prev)
        printf("%d ", nodes[n].value);
    printf("\n");
}

int main(void) {
    init();
    for (int i = 0; i < 20; i++)
        if (append(i * i) == NIL)
            printf("no room for %d\n", i * i);
    print();
    for (int n = first; n != NIL;) {
        int next = nodes[n].next;
        if (nodes[n].value % 2 == 0)
            drop(n);
        n = next;
    }
    print();
    append(1000);
    drop(first);
    print();
    return 0;
}
