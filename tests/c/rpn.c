/* A calculator in reverse Polish notation over lines of standard input. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 32

static double stack[MAX];
static int depth;
static const char *problem;

static void push(double x) {
    if (depth == MAX)
        problem = "stack overflow";
    else
        stack[depth++] = x;
}

static double pop(void) {
    if (depth == 0) {
        problem = "stack underflow";
        return 0;
    }
    return stack[--depth];
}

static void operate(char op) {
    double b = pop(), a = pop();
    switch (op) {
    case '+': push(a + b); break;
    case '-': push(a - b); break;
    case '*': push(a * b); break;
    case '/':
        if (b == 0)
            problem = "division by zero";
        else
            push(a / b);
        break;
    default: problem = "unknown operator";
    }
}

int main(void) {
    char line[100];
    while (fgets(line, sizeof line, stdin) != NULL) {
        depth = 0;
        problem = NULL;
        int i = 0;
        while (line[i] != '\0' && problem == NULL) {
            if (isspace((unsigned char)line[i])) {
                i++;
            } else if (isdigit((unsigned char)line[i]) || (line[i] == '-' && isdigit((unsigned char)line[i + 1]))) {
                int start = i++;
                while (isdigit((unsigned char)line[i]) || line[i] == '.')
                    i++;
                char number[32];
                int n = 0;
                for (int k = start; k < i && n < 31; k++)
                    number[n++] = line[k];
                number[n] = '\0';
                push(atof(number));
            } else {
                operate(line[i++]);
            }
        }
        if (problem != NULL)
            printf("error: %s\n", problem);
        else if (depth == 1)
            printf("%.4f\n", stack[0]);
        else
            printf("error: %d values left\n", depth);
    }
    return 0;
}
