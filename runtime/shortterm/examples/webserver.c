/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A web server with a thread for each connection (papers/003…, §2.2). What a request needs, its lines, its fields and its answer, is
 * short-term and expires at the end of the request, which is a tick of the thread. `plain` is the same server with malloc and free.
 *
 * It serves GET /echo/TEXT and GET /count/N on the loopback interface, and ends after as many connections as it is told.
 *
 * usage: webserver short|plain CONNECTIONS          prints its port on the first line
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <tenure/shortterm.h>
#include <unistd.h>

enum { LINE_MOST = 8192, COUNT_MOST = 10000 };

static int plain;

/* Memory of the request that is being served. */
static char *take(size_t size) {
    char *memory = plain ? malloc(size) : stm_malloc_refreshed(size, 0);
    if (memory == NULL) exit(1);
    return memory;
}

static void done(void *memory) {
    if (plain) free(memory);
}

struct field {
    struct field *next;
    char *text;
};

/* The next line without its end; NULL at the end of the connection. */
static char *read_line(FILE *in) {
    static _Thread_local char line[LINE_MOST];
    if (fgets(line, sizeof line, in) == NULL) return NULL;
    line[strcspn(line, "\r\n")] = '\0';
    char *copy = take(strlen(line) + 1);
    return strcpy(copy, line);
}

static struct field *read_fields(FILE *in) {
    struct field *fields = NULL;
    for (char *line; (line = read_line(in)) != NULL;) {
        if (line[0] == '\0') {
            done(line);
            break;
        }
        struct field *field = (struct field *)(void *)take(sizeof *field);
        *field = (struct field){.next = fields, .text = line};
        fields = field;
    }
    return fields;
}

static char *answer_to(const char *path, int *status) {
    *status = 200;
    if (strncmp(path, "/echo/", 6) == 0) return strcpy(take(strlen(path) + 1), path + 6);
    if (strncmp(path, "/count/", 7) == 0) {
        int most = atoi(path + 7);
        if (most < 0 || most > COUNT_MOST) most = COUNT_MOST;
        char *text = take((size_t)most * 8 + 16), *end = text;
        *end = '\0';
        for (int i = 1; i <= most; i++) end += sprintf(end, "%d\n", i);
        return text;
    }
    *status = 404;
    return strcpy(take(16), "not found\n");
}

/* False after the last request of a connection. */
static int serve_request(FILE *in, FILE *out) {
    char *line = read_line(in);
    if (line == NULL) return 0;
    struct field *fields = read_fields(in);
    char *path = take(strlen(line) + 1);
    int status = 400, more = sscanf(line, "GET %s HTTP/1.1", path) == 1;
    char *body = more ? answer_to(path, &status) : strcpy(take(16), "bad request\n");
    int count = 0;
    for (struct field *field = fields; field != NULL; field = field->next) {
        count++;
        if (strcmp(field->text, "Connection: close") == 0) more = 0;
    }
    fprintf(out, "HTTP/1.1 %d %s\r\nContent-Length: %zu\r\nX-Fields: %d\r\n\r\n%s", status,
            status == 200 ? "OK" : "Error", strlen(body), count, body);
    fflush(out);
    done(body);
    done(path);
    done(line);
    for (struct field *next; fields != NULL; fields = next) {
        next = fields->next;
        done(fields->text);
        done(fields);
    }
    return more;
}

static void *serve(void *argument) {
    int connection = (int)(intptr_t)argument;
    FILE *in = fdopen(connection, "rb"), *out = fdopen(dup(connection), "wb");
    if (in != NULL && out != NULL)
        while (serve_request(in, out))
            if (!plain) stm_tick();
    if (!plain) stm_tick();
    if (in != NULL) fclose(in);
    if (out != NULL) fclose(out);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: webserver short|plain CONNECTIONS\n");
        return 2;
    }
    plain = strcmp(argv[1], "plain") == 0;
    int connections = atoi(argv[2]), listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        perror("webserver");
        return 1;
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t *threads = calloc((size_t)connections, sizeof *threads);
    for (int i = 0; i < connections; i++) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0 || pthread_create(&threads[i], NULL, serve, (void *)(intptr_t)connection) != 0) return 1;
    }
    for (int i = 0; i < connections; i++) pthread_join(threads[i], NULL);
    free(threads);
    return 0;
}
