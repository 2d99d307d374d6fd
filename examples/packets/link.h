/* Outgoing connections: one for each port, kept from configuration to configuration. */
#ifndef PACKETS_LINK_H
#define PACKETS_LINK_H

#include "stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_LINKS 64
/* A frame is its length in four bytes, most significant first, and so many bytes. */
#define FRAME_HEADER 4
#define LONGEST_FRAME 1048576

struct Link {
    unsigned port; /* on this machine; 0: not in use */
    int fd;        /* -1: not connected */
    unsigned long sent, lost;
};
static struct Link links[MAX_LINKS];

/* Frames wait here, all for one link, so that one call sends many. */
#define OUTGOING_BYTES (FRAME_HEADER + LONGEST_FRAME + 65536)
static char outgoing[OUTGOING_BYTES];
static unsigned outgoing_end, outgoing_frames;
static struct Link *`H outgoing_link = NULL;

static struct sockaddr_in local_address(unsigned port) {
    struct sockaddr_in a;
    memset(&a, 0, sizeof(a));
    a.sin_family = AF_INET;
    a.sin_port = htons((unsigned short)port);
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}

/* The link to a port; NULL if there are too many. */
static struct Link *`H link_to(unsigned port) {
    for (int i = 0; i < MAX_LINKS; i++) {
        if (links[i].port == 0) {
            links[i].port = port;
            links[i].fd = -1;
        }
        if (links[i].port == port)
            return &links[i];
    }
    return NULL;
}

static void link_connect(struct Link @link) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    struct sockaddr_in to = local_address(link->port);
    if (connect(fd, &to, sizeof(to)) != 0) {
        close(fd);
        return;
    }
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    link->fd = fd;
}

/* Sends the frames that wait; waits itself while the other end is slow. What cannot be sent is counted as lost. */
static void link_flush(void) {
    if (outgoing_link == NULL)
        return;
    let link = outgoing_link;
    unsigned end = outgoing_end, frames = outgoing_frames;
    outgoing_link = NULL;
    outgoing_end = outgoing_frames = 0;
    for (unsigned done = 0; done < end;) {
        ssize_t n = send(link->fd, outgoing + done, end - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(link->fd);
            link->fd = -1;
            link->lost += frames;
            return;
        }
        done += (unsigned)n;
    }
    link->sent += frames;
}

/* Puts a packet, as a frame, behind those that wait. One that cannot be sent is counted as lost. */
static void link_send(struct Link @`H link, struct Stream @packet) {
    unsigned length = stream_length(packet);
    if (outgoing_link != link || outgoing_end + FRAME_HEADER + length > OUTGOING_BYTES)
        link_flush();
    if (link->fd < 0)
        link_connect(link);
    if (link->fd < 0 || length > LONGEST_FRAME) {
        link->lost++;
        return;
    }
    unsigned at = outgoing_end;
    for (int i = 0; i < FRAME_HEADER; i++)
        outgoing[at + i] = (char)(length >> (24 - 8 * i));
    at += FRAME_HEADER;
    for (unsigned i = 0; i < numelts(packet->pieces); i++) {
        unsigned start = packet->pieces[i].start, n = packet->pieces[i].end - start;
        char ?SHARED bytes = one_more(packet->pieces[i].bytes);
        piece_copy(outgoing + at, bytes, start, n);
        one_less(bytes);
        at += n;
    }
    outgoing_link = link;
    outgoing_end = at;
    outgoing_frames++;
}

#endif
