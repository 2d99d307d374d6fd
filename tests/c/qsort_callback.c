/* The library's qsort and bsearch with callbacks. */
#include "annot.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __TENURE__
#define KEY(T) const T *
#else
#define KEY(T) const void *
#endif

struct City {
    char name[12];
    int people;
};

static int by_name(KEY(struct City) a, KEY(struct City) b) {
    const struct City *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int by_people(KEY(struct City) a, KEY(struct City) b) {
    const struct City *x = a, *y = b;
    return (x->people < y->people) - (x->people > y->people);
}

static int ascending(KEY(int) a, KEY(int) b) {
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(void) {
    struct City cities[] = {{"Paris", 2100}, {"Berlin", 3700}, {"Oslo", 700}, {"Rome", 2800}, {"Bonn", 330}};
    int numbers[] = {9, -3, 5, 0, 12, 7, 5, -8};
    qsort(cities, 5, sizeof(struct City), by_name);
    for (int i = 0; i < 5; i++)
        printf("%s ", cities[i].name);
    printf("\n");
    qsort(cities, 5, sizeof(struct City), by_people);
    for (int i = 0; i < 5; i++)
        printf("%s %d, ", cities[i].name, cities[i].people);
    printf("\n");
    qsort(numbers, 8, sizeof(int), ascending);
    for (int i = 0; i < 8; i++)
        printf("%d ", numbers[i]);
    printf("\n");
    return 0;
}
