/* An ordinary C program that leaks: a server of requests, each with a buffer that is freed and a name that sometimes is not.
 * Nothing here knows of Tenure; examples/demo runs it under the malloc that tolerates leaks, which says where the leak is.
 *
 * usage: leaky REQUESTS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct request {
    char *name;
    char *body;
};

static struct request pending[256];

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    if (made == NULL) exit(1);
    return strcpy(made, text);
}

/* Whoever asks for something that is not there is remembered, and forgotten without being freed. */
static int refuse(unsigned long number) {
    char text[128];
    snprintf(text, sizeof text, "client number %lu asked for a page that is not here, and for its picture", number);
    char *reason = copy(text);
    return reason[0] == 'c';
}

static void serve(unsigned long number) {
    struct request *request = &pending[number % 256];
    char text[512];
    free(request->name);
    free(request->body);
    snprintf(text, sizeof text, "request %lu", number);
    request->name = copy(text);
    memset(text, 'x', 400 + number % 100);
    text[400 + number % 100] = 0;
    request->body = copy(text);
    if (number % 8 == 0) refuse(number);
}

int main(int argc, char **argv) {
    unsigned long requests = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    struct timespec pause = {.tv_nsec = 1000000};
    for (unsigned long number = 0; number < requests; number++) {
        serve(number);
        if (number % 1000 == 0) nanosleep(&pause, NULL);
    }
    printf("%lu requests served\n", requests);
    return 0;
}
