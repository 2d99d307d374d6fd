/* Data structures: a least-recently-used cache over two arrays, with statistics in a global struct. */
#include <stdio.h>

#define SLOTS 4

static struct {
    int key, value;
    long used;
} slots[SLOTS];

static struct {
    int hits, misses, evictions;
} statistics;

static long now;

static int compute(int key) {
    return key * key + 1;
}

static int get(int key) {
    int oldest = 0;
    now++;
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].used > 0 && slots[i].key == key) {
            slots[i].used = now;
            statistics.hits++;
            return slots[i].value;
        }
        if (slots[i].used < slots[oldest].used)
            oldest = i;
    }
    statistics.misses++;
    if (slots[oldest].used > 0)
        statistics.evictions++;
    slots[oldest].key = key;
    slots[oldest].value = compute(key);
    slots[oldest].used = now;
    return slots[oldest].value;
}

int main(void) {
    long sum = 0;
    for (int i = 0; i < 100; i++)
        sum += get(i * i % 7 + (i % 10 == 0));
    printf("sum %ld, hits %d, misses %d, evictions %d\n", sum, statistics.hits, statistics.misses, statistics.evictions);
    for (int i = 0; i < SLOTS; i++)
        printf("%d -> %d at %ld\n", slots[i].key, slots[i].value, slots[i].used);
    return 0;
}
