/* Data structures: a queue in a ring buffer inside a struct. */
#include <stdbool.h>
#include <stdio.h>

#define CAPACITY 5

struct Queue {
    int items[CAPACITY];
    unsigned head, count;
};

static bool put(struct Queue *q, int x) {
    if (q->count == CAPACITY)
        return false;
    q->items[(q->head + q->count++) % CAPACITY] = x;
    return true;
}

static bool get(struct Queue *q, int *x) {
    if (q->count == 0)
        return false;
    *x = q->items[q->head];
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
    return true;
}

int main(void) {
    struct Queue q = {.head = 3};
    int x = 0, lost = 0, got = 0;
    for (int i = 1; i <= 20; i++) {
        if (!put(&q, i))
            lost++;
        if (i % 3 == 0) {
            while (get(&q, &x)) {
                got += x;
                if (x % 4 == 0)
                    break;
            }
            printf("after %d: last %d, sum %d, left %u\n", i, x, got, q.count);
        }
    }
    printf("lost %d\n", lost);
    return 0;
}
