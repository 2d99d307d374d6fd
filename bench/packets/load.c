/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Sends frames through a forwarder on this machine and takes in what comes out.
 *
 *     load FORWARDER_PORT SINK_PORT COUNT SIZE
 *
 * Listens on SINK_PORT, sends COUNT frames of SIZE bytes to FORWARDER_PORT, waits until as many have come back, and prints the
 * seconds that this took. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH_BYTES ((size_t)65536)

static int count, size;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct sockaddr_in local(const char *port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof a);
    a.sin_family = AF_INET;
    a.sin_port = htons((uint16_t)atoi(port));
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

/* Counts the bytes of frames that come in, headers and the forwarder's sequence numbers included. */
static void *sink(void *listener) {
    int fd = accept(*(int *)listener, NULL, NULL);
    if (fd < 0) fail("accept");
    static char buffer[1 << 18];
    long long left = (long long)count * (size + 4 + 4);
    while (left > 0) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n <= 0) fail("read");
        left -= n;
    }
    return NULL;
}

static void send_all(int fd, const char *p, size_t n) {
    while (n > 0) {
        ssize_t sent = write(fd, p, n);
        if (sent < 0) fail("write");
        p += sent;
        n -= (size_t)sent;
    }
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    count = atoi(argv[3]);
    size = atoi(argv[4]);
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in in = local(argv[2]), out = local(argv[1]);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&in, sizeof in) != 0 || listen(listener, 1) != 0) fail("listen");
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    for (int tries = 0; connect(fd, (struct sockaddr *)&out, sizeof out) != 0; tries++) {
        if (tries == 500) fail("connect");
        usleep(10000);
        close(fd);
        fd = socket(AF_INET, SOCK_STREAM, 0);
    }
    /* Frames go out many at a time, so that the forwarder is what limits the rate. */
    size_t frame = (size_t)size + 4;
    int together = frame < BATCH_BYTES ? (int)(BATCH_BYTES / frame) : 1;
    char *frames = calloc((size_t)together, frame);
    if (frames == NULL) fail("calloc");
    uint32_t length = htonl((uint32_t)size);
    for (int i = 0; i < together; i++) memcpy(frames + (size_t)i * frame, &length, 4);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pthread_t reader;
    pthread_create(&reader, NULL, sink, &listener);
    for (int sent = 0, n; sent < count; sent += n) {
        n = count - sent < together ? count - sent : together;
        send_all(fd, frames, (size_t)n * frame);
    }
    pthread_join(reader, NULL);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.6f\n", (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
    return 0;
}
