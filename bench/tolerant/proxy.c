/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * usage: proxy churn|grow ENTRIES REQUESTS LEAK-PERCENT [reachable] [oracle]
 * A small caching HTTP proxy with a leak, after papers/004…, §6.2.1 (Squid), between a client and an origin that are
 * processes of their own:
 *
 *   - each request is looked up in the index of the cache; a miss is fetched from the origin and kept, with its headers
 *     and its body, in objects of many sizes. `churn` keeps ENTRIES and replaces the least recently used; `grow` starts
 *     at a tenth of them and adds the rest bit by bit;
 *   - a request with a cookie makes a session that nobody frees: in a list that is never walked again (reachable), or
 *     forgotten. LEAK-PERCENT of the requests have one;
 *   - `oracle` takes sessions from pages of their own: what a malloc could reach that knew which site leaks.
 *
 * The proxy joins the cgroup whose file is in PROXY_CGROUP, if that is set, and is the only one to have LD_PRELOAD from
 * PROXY_PRELOAD and to run under the command PROXY_UNDER. Prints requests a second, and the proxy's major faults and peak.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { SLOTS = 1 << 16, BATCH = 64, BUFFER = 1 << 16 };

struct header {
    struct header *next;
    char *value;
};
struct entry {
    struct entry *next;            /* in its slot */
    struct entry *younger, *older; /* by use */
    uint64_t hash;
    char *url, *body;
    size_t length;
    struct header *headers;
};
struct session {
    struct session *next;
    char *cookie, *client;
    unsigned char state[160];
};

/* What a descriptor gives, by lines and by lengths; what it is given, in pieces. */
struct stream {
    int file;
    size_t at, end;
    char bytes[BUFFER];
};

static struct {
    int growing, reachable, oracle;
    unsigned long entries, requests, percent;
} options;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void *checked(void *object) {
    if (object == NULL) fail("proxy: malloc");
    return object;
}
/* Wrappers, as most programs have them. */
static __attribute__((noinline)) void *xmalloc(size_t size) { return checked(malloc(size)); }
static __attribute__((noinline)) char *xstrdup(const char *text) {
    size_t length = strlen(text) + 1;
    return memcpy(xmalloc(length), text, length);
}

static void send_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = write(file, bytes, length);
        if (sent <= 0) fail("proxy: write");
        bytes += sent;
        length -= (size_t)sent;
    }
}

static int fill(struct stream *stream) {
    if (stream->at > 0) memmove(stream->bytes, stream->bytes + stream->at, stream->end - stream->at);
    stream->end -= stream->at;
    stream->at = 0;
    ssize_t got = read(stream->file, stream->bytes + stream->end, BUFFER - stream->end);
    if (got > 0) stream->end += (size_t)got;
    return got > 0;
}

/* The next line without its end; NULL when there is none. Valid until the next call. */
static char *line(struct stream *stream) {
    for (;;) {
        char *start = stream->bytes + stream->at;
        char *end = memchr(start, '\n', stream->end - stream->at);
        if (end != NULL) {
            *end = '\0';
            if (end > start && end[-1] == '\r') end[-1] = '\0';
            stream->at = (size_t)(end + 1 - stream->bytes);
            return start;
        }
        if (!fill(stream)) return NULL;
    }
}

static void take(struct stream *stream, char *to, size_t length) {
    while (length > 0) {
        size_t there = stream->end - stream->at;
        if (there == 0 && !fill(stream)) fail("proxy: read");
        size_t part = stream->end - stream->at < length ? stream->end - stream->at : length;
        if (to != NULL) {
            memcpy(to, stream->bytes + stream->at, part);
            to += part;
        }
        stream->at += part;
        length -= part;
    }
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = UINT64_C(1469598103934665603);
    for (; *text != '\0'; text++) hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

/* The origin: a page's length and contents follow from its name. */
static void serve_origin(int file) {
    static struct stream in;
    in.file = file;
    char answer[2048], url[256];
    for (char *request; (request = line(&in)) != NULL;) {
        if (sscanf(request, "GET %255s", url) != 1) continue;
        uint64_t hash = hash_of(url);
        size_t length = 60 + hash % 300;
        int used = snprintf(answer, sizeof answer, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"%016llx\"\r\n%sContent-Length: %zu\r\n\r\n",
                            (unsigned long long)hash, hash % 3 == 0 ? "Cache-Control: max-age=3600\r\n" : "", length);
        memset(answer + used, 'a' + (int)(hash % 26), length);
        send_all(file, answer, (size_t)used + length);
    }
}

static struct entry *slots[SLOTS];
static struct entry ends = {.younger = &ends, .older = &ends};
static unsigned long present;
static struct session *sessions;
static void *volatile forgotten;

static void unlink_use(struct entry *entry) {
    entry->younger->older = entry->older;
    entry->older->younger = entry->younger;
}
static void link_use(struct entry *entry) {
    entry->older = ends.older;
    entry->younger = &ends;
    ends.older->younger = entry;
    ends.older = entry;
}

static void drop_oldest(void) {
    struct entry *entry = ends.younger;
    struct entry **link = &slots[entry->hash % SLOTS];
    while (*link != entry) link = &(*link)->next;
    *link = entry->next;
    unlink_use(entry);
    while (entry->headers != NULL) {
        struct header *header = entry->headers;
        entry->headers = header->next;
        free(header->value);
        free(header);
    }
    free(entry->url);
    free(entry->body);
    free(entry);
    present--;
}

static struct entry *fetch(struct stream *origin, const char *url, uint64_t hash) {
    char request[400];
    send_all(origin->file, request, (size_t)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\n\r\n", url));
    struct entry *entry = xmalloc(sizeof *entry);
    *entry = (struct entry){.hash = hash, .url = xstrdup(url)};
    for (char *text; (text = line(origin)) != NULL && *text != '\0';) {
        if (sscanf(text, "Content-Length: %zu", &entry->length) == 1 || strncmp(text, "HTTP/", 5) == 0) continue;
        struct header *header = xmalloc(sizeof *header);
        *header = (struct header){entry->headers, xstrdup(text)};
        entry->headers = header;
    }
    entry->body = xmalloc(entry->length);
    take(origin, entry->body, entry->length);
    entry->next = slots[hash % SLOTS];
    slots[hash % SLOTS] = entry;
    link_use(entry);
    present++;
    return entry;
}

static struct entry *look_up(struct stream *origin, const char *url) {
    uint64_t hash = hash_of(url);
    for (struct entry *entry = slots[hash % SLOTS]; entry != NULL; entry = entry->next)
        if (entry->hash == hash && strcmp(entry->url, url) == 0) {
            unlink_use(entry);
            link_use(entry);
            return entry;
        }
    if (present >= options.entries) drop_oldest();
    return fetch(origin, url, hash);
}

static void *session_memory(size_t size) { return options.oracle ? checked(leaking_sites_malloc(size)) : xmalloc(size); }

/* The leak: nothing ever ends a session. */
static __attribute__((noinline)) void start_session(const char *cookie) {
    struct session *session = session_memory(sizeof *session);
    memset(session->state, 1, sizeof session->state);
    session->cookie = strcpy(session_memory(strlen(cookie) + 1), cookie);
    session->client = strcpy(session_memory(40), "127.0.0.1 a client of some kind");
    session->next = NULL;
    if (options.reachable) {
        session->next = sessions;
        sessions = session;
    }
    forgotten = session;
}

static void serve_proxy(int client, int origin_file) {
    static struct stream in, origin;
    in.file = client;
    origin.file = origin_file;
    static char out[BUFFER];
    size_t used = 0;
    char url[256];
    for (char *text; (text = line(&in)) != NULL;) {
        if (sscanf(text, "GET %255s", url) != 1) continue;
        note_step();
        while ((text = line(&in)) != NULL && *text != '\0')
            if (strncmp(text, "Cookie: ", 8) == 0) start_session(text + 8);
        struct entry *entry = look_up(&origin, url);
        if (used + entry->length + 256 > sizeof out) {
            send_all(client, out, used);
            used = 0;
        }
        used += (size_t)snprintf(out + used, 256, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", entry->length);
        memcpy(out + used, entry->body, entry->length);
        used += entry->length;
        /* All requests that came together are answered together. */
        if (in.at == in.end) {
            send_all(client, out, used);
            used = 0;
        }
    }
}

static uint64_t state = 88172645463325252u;
static unsigned long next_random(unsigned long below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned long)(state >> 11) % below;
}

/* Some pages are asked for more often: the smallest of two; one request in twenty is for any page of twice as many. */
static unsigned long next_page(unsigned long done) {
    unsigned long pages = options.entries;
    if (options.growing) {
        pages = pages / 10 + (unsigned long)((double)pages * 0.9 * (double)done / (double)options.requests);
    } else if (next_random(20) == 0) {
        return next_random(2 * pages);
    }
    unsigned long a = next_random(pages), b = next_random(pages);
    return a < b ? a : b;
}

/* Sends all requests, BATCH at a time, and reads their answers; seconds. Every page is asked for once before. */
static double be_client(int file, pid_t proxy) {
    static struct stream in;
    in.file = file;
    static char out[BATCH * 256];
    double start = 0;
    unsigned long before = options.growing ? options.entries / 10 : options.entries;
    before -= before % BATCH;
    for (unsigned long done = 0; done < before + options.requests; done += BATCH) {
        if (done == before) start = time_without_waiting(proxy);
        size_t used = 0;
        for (unsigned k = 0; k < BATCH; k++) {
            unsigned long page = done < before ? done + k : next_page(done - before);
            int leaks = done >= before && next_random(100) < options.percent;
            used += (size_t)snprintf(out + used, 256, "GET /pages/%lu/index.html HTTP/1.1\r\nHost: example\r\n", page);
            if (leaks) used += (size_t)snprintf(out + used, 100, "Cookie: session=%lx%016lx\r\n", done, page * 977);
            used += (size_t)snprintf(out + used, 8, "\r\n");
        }
        send_all(file, out, used);
        for (unsigned k = 0; k < BATCH; k++) {
            size_t length = 0;
            for (char *text; (text = line(&in)) != NULL && *text != '\0';) (void)sscanf(text, "Content-Length: %zu", &length);
            if (length == 0) fail("proxy: no answer");
            take(&in, NULL, length);
        }
    }
    return time_without_waiting(proxy) - start;
}

/* The proxy is this program anew, so that it has another malloc. */
static void become_proxy(int client, int origin, char **arguments) {
    const char *group = getenv("PROXY_CGROUP"), *preload = getenv("PROXY_PRELOAD");
    int file = group == NULL ? -1 : open(group, O_WRONLY);
    if (group != NULL && (file < 0 || write(file, "0", 1) != 1)) fail(group);
    if (file >= 0) close(file);
    if (preload != NULL && *preload != '\0') setenv("LD_PRELOAD", preload, 1);
    char ends_text[40];
    snprintf(ends_text, sizeof ends_text, "%d %d", client, origin);
    setenv("PROXY_ENDS", ends_text, 1);
    const char *under = getenv("PROXY_UNDER");
    if (under != NULL) execv("/bin/sh", (char *[]){"sh", "-c", "exec $PROXY_UNDER \"$0\" \"$@\"", arguments[0], arguments[1],
                                                   arguments[2], arguments[3], arguments[4], arguments[5],
                                                   arguments[5] == NULL ? NULL : arguments[6], NULL});
    execv("/proc/self/exe", arguments);
    fail("proxy: exec");
}

static pid_t start_child(int mine, int others, void (*run)(int file)) {
    pid_t child = fork();
    if (child < 0) fail("proxy: fork");
    if (child > 0) return child;
    close(others);
    run(mine);
    _exit(0);
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    options.growing = strcmp(arguments[1], "grow") == 0;
    options.entries = strtoul(arguments[2], NULL, 10);
    options.requests = strtoul(arguments[3], NULL, 10) / BATCH * BATCH;
    options.percent = strtoul(arguments[4], NULL, 10);
    for (int i = 5; i < count; i++) {
        options.reachable |= strcmp(arguments[i], "reachable") == 0;
        options.oracle |= strcmp(arguments[i], "oracle") == 0;
    }
    int client, origin;
    const char *given = getenv("PROXY_ENDS");
    if (given != NULL && sscanf(given, "%d %d", &client, &origin) == 2) {
        serve_proxy(client, origin);
        return 0;
    }
    int fronts[2], backs[2];
    /* The three never work at the same time. Between processors, what it takes to wake one up would be most of the time. */
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) fail("proxy: sched_setaffinity");
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, backs) != 0) fail("proxy: socketpair");
    pid_t origin_child = start_child(backs[0], backs[1], serve_origin);
    close(backs[0]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fronts) != 0) fail("proxy: socketpair");
    pid_t proxy = fork();
    if (proxy == 0) {
        close(fronts[1]);
        become_proxy(fronts[0], backs[1], arguments);
    }
    close(fronts[0]);
    close(backs[1]);
    double seconds = be_client(fronts[1], proxy);
    close(fronts[1]);
    struct rusage usage;
    int status;
    wait4(proxy, &status, 0, &usage);
    waitpid(origin_child, NULL, 0);
    printf("%.0f requests/s, %ld major faults, peak %ld KiB\n", (double)options.requests / seconds, usage.ru_majflt,
           usage.ru_maxrss);
    return status == 0 ? 0 : 1;
}
