/* Dynamic programming: the knapsack, coin change, longest increasing subsequence. */
#include <stdio.h>

#define ITEMS 6
#define ROOM 50

struct Item {
    const char *name;
    int weight, value;
};

static const struct Item items[ITEMS] = {{"map", 9, 150}, {"water", 23, 200}, {"tent", 30, 160}, {"camera", 12, 70}, {"socks", 4, 50}, {"book", 5, 65}};

static int best[ITEMS + 1][ROOM + 1];

static int max(int a, int b) {
    return a > b ? a : b;
}

int main(void) {
    for (int i = 1; i <= ITEMS; i++) {
        for (int w = 0; w <= ROOM; w++) {
            best[i][w] = best[i - 1][w];
            if (items[i - 1].weight <= w)
                best[i][w] = max(best[i][w], best[i - 1][w - items[i - 1].weight] + items[i - 1].value);
        }
    }
    printf("value %d:", best[ITEMS][ROOM]);
    for (int i = ITEMS, w = ROOM; i > 0; i--) {
        if (best[i][w] != best[i - 1][w]) {
            printf(" %s", items[i - 1].name);
            w -= items[i - 1].weight;
        }
    }
    printf("\n");

    static const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
    static long ways[201] = {1};
    for (int c = 0; c < 8; c++)
        for (int i = coins[c]; i <= 200; i++)
            ways[i] += ways[i - coins[c]];
    printf("%ld ways\n", ways[200]);

    static const int seq[] = {10, 9, 2, 5, 3, 7, 101, 18, 20, 4, 21};
    int length[11], longest = 0;
    for (int i = 0; i < 11; i++) {
        length[i] = 1;
        for (int j = 0; j < i; j++)
            if (seq[j] < seq[i])
                length[i] = max(length[i], length[j] + 1);
        longest = max(longest, length[i]);
    }
    printf("longest %d\n", longest);
    return 0;
}
