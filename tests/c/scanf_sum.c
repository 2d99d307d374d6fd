/* Input: numbers of several types by scanf. */
#include <stdio.h>

int main(void) {
    int n = 0, count = 0;
    long long sum = 0;
    double product = 1, x = 0;
    if (scanf("%d", &n) != 1) {
        printf("no count\n");
        return 1;
    }
    for (int i = 0; i < n; i++) {
        int v = 0;
        if (scanf("%d", &v) != 1)
            break;
        sum += v;
        count++;
    }
    while (scanf("%lf", &x) == 1)
        product *= x;
    char word[10];
    unsigned hex = 0;
    if (scanf("%9s %x", word, &hex) == 2)
        printf("%s %u\n", word, hex);
    printf("%d %lld %.4f\n", count, sum, product);
    int a = 0, b = 0;
    int fields = sscanf("12:34", "%d:%d", &a, &b);
    printf("%d %d %d\n", fields, a, b);
    return 0;
}
