/* goto: errors leave through one exit that undoes what was done; leaving nested loops. */
#include <stdio.h>

static int opened, closed;

static int process(int fail_at) {
    int result = -1;
    int stage = 0;

    opened++;
    stage = 1;
    if (fail_at == 1)
        goto close_first;
    opened++;
    stage = 2;
    if (fail_at == 2)
        goto close_second;
    opened++;
    stage = 3;
    if (fail_at == 3)
        goto close_third;
    result = 100;

close_third:
    closed++;
close_second:
    closed++;
close_first:
    closed++;
    printf("fail at %d: result %d after stage %d\n", fail_at, result, stage);
    return result;
}

static void find_product(int product) {
    int a, b;
    for (a = 2; a < 50; a++)
        for (b = a; b < 50; b++)
            if (a * b == product)
                goto found;
    printf("%d: none\n", product);
    return;
found:
    printf("%d = %d * %d\n", product, a, b);
}

int main(void) {
    for (int i = 0; i <= 3; i++)
        process(i);
    printf("opened %d, closed %d\n", opened, closed);
    find_product(323);
    find_product(1009);
    int n = 3;
again:
    printf("%d ", n);
    if (n-- > 0)
        goto again;
    printf("\n");
    return 0;
}
