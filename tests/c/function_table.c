/* Function pointers: a table of operations, a callback, a function that returns a function. */
#include <stdio.h>

typedef int (*Operation)(int, int);

static int add(int a, int b) {
    return a + b;
}

static int subtract(int a, int b) {
    return a - b;
}

static int multiply(int a, int b) {
    return a * b;
}

static int power(int a, int b) {
    int r = 1;
    while (b-- > 0)
        r *= a;
    return r;
}

static const struct {
    char symbol;
    Operation apply;
} operations[] = {{'+', add}, {'-', subtract}, {'*', multiply}, {'^', power}};

static Operation find(char symbol) {
    for (int i = 0; i < 4; i++)
        if (operations[i].symbol == symbol)
            return operations[i].apply;
    return NULL;
}

static int fold(Operation f, int start, int n) {
    for (int i = 1; i <= n; i++)
        start = f(start, i);
    return start;
}

static void each(void (*visit)(int), int n) {
    for (int i = 0; i < n; i++)
        visit(i);
}

static void print_square(int i) {
    printf("%d ", i * i);
}

int main(void) {
    static const char symbols[] = "+-*^/";
    for (int i = 0; symbols[i] != '\0'; i++) {
        Operation f = find(symbols[i]);
        if (f == NULL)
            printf("no %c\n", symbols[i]);
        else
            printf("7 %c 3 = %d\n", symbols[i], f(7, 3));
    }
    printf("%d %d %d\n", fold(add, 0, 10), fold(multiply, 1, 10), fold(&subtract, 0, 10));
    each(print_square, 8);
    printf("\n");
    return 0;
}
