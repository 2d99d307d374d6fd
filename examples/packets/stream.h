/* A packet: a unique array of pieces, each a stretch of a counted buffer (papers/000, section 4.2.2 and figure 2).
 *
 * Packets share buffers: a copy of a packet costs an array and one more reference to each buffer, a header is put before
 * it without moving what is there, and only who changes bytes that somebody else sees copies them.
 *
 * With -DCOLLECTED everything is in `H and a collector finds what is garbage; that build exists for comparison. */
#ifndef PACKETS_STREAM_H
#define PACKETS_STREAM_H

#include <core.h>
#include <string.h>

#ifdef COLLECTED
#define OWNED `H
#define SHARED `H
#define new_shared(n) calloc(n, sizeof(char))
#define one_more(p) (p)
#define one_less(p) ((void)(p))
#define others_see(p) true
#else
#define OWNED `U
#define SHARED `RC
#define new_shared(n) rccalloc(n, sizeof(char))
#define one_more(p) alias_refptr(p)
#define one_less(p) drop_refptr(p)
#define others_see(p) (refptr_count(p) > 1)
#endif

struct Piece {
    char ?SHARED bytes;
    unsigned start, end;
};

struct Stream {
    struct Piece ?OWNED pieces;
};
typedef struct Stream @OWNED stream_t;

/* to[0..n) becomes from[start..start + n). */
static void piece_copy(char ?to, char ?from, unsigned start, unsigned n) {
    memcpy(to, from + start, n);
}

/* to[start..start + n) becomes from[0..n). */
static void piece_copy_to(char ?to, unsigned start, char ?from, unsigned n) {
    memcpy(to + start, from, n);
}

/* The packet that consists of bytes[start..end). */
static stream_t stream_of(char ?SHARED bytes, unsigned start, unsigned end) {
    struct Piece ?OWNED pieces = calloc(1, sizeof(struct Piece));
    bytes :=: pieces[0].bytes;
    pieces[0].start = start;
    pieces[0].end = end;
    one_less(bytes);
    stream_t s = new Stream(pieces);
    return s;
}

static unsigned stream_length(struct Stream @s) {
    unsigned n = 0;
    for (unsigned i = 0; i < numelts(s->pieces); i++)
        n += s->pieces[i].end - s->pieces[i].start;
    return n;
}

/* Puts a piece before the others. */
static void stream_prepend(struct Stream @s, char ?SHARED bytes) {
    unsigned count = numelts(s->pieces);
    struct Piece ?OWNED pieces = calloc(count + 1, sizeof(struct Piece));
    pieces[0].end = numelts(bytes);
    bytes :=: pieces[0].bytes;
    one_less(bytes);
    for (unsigned i = 0; i < count; i++)
        pieces[i + 1] :=: s->pieces[i];
    pieces :=: s->pieces;
    free(pieces);
}

/* A packet with the same contents, made of the same buffers. */
static stream_t stream_share(struct Stream @s) {
    unsigned count = numelts(s->pieces);
    struct Piece ?OWNED pieces = calloc(count, sizeof(struct Piece));
    for (unsigned i = 0; i < count; i++) {
        char ?SHARED bytes = one_more(s->pieces[i].bytes);
        bytes :=: pieces[i].bytes;
        one_less(bytes);
        pieces[i].start = s->pieces[i].start;
        pieces[i].end = s->pieces[i].end;
    }
    stream_t shared = new Stream(pieces);
    return shared;
}

/* Takes up to n bytes off the front. */
static void stream_strip(struct Stream @s, unsigned n) {
    for (unsigned i = 0; i < numelts(s->pieces) && n > 0; i++) {
        unsigned length = s->pieces[i].end - s->pieces[i].start;
        unsigned gone = n < length ? n : length;
        s->pieces[i].start += gone;
        n -= gone;
    }
}

/* Makes each buffer this packet's own, so that its bytes may be changed. */
static void stream_unshare(struct Stream @s) {
    for (unsigned i = 0; i < numelts(s->pieces); i++) {
        if (!others_see(s->pieces[i].bytes))
            continue;
        unsigned start = s->pieces[i].start, length = s->pieces[i].end - start;
        char ?SHARED own = new_shared(length);
        for (unsigned k = 0; k < length; k++)
            own[k] = s->pieces[i].bytes[start + k];
        own :=: s->pieces[i].bytes;
        one_less(own);
        s->pieces[i].start = 0;
        s->pieces[i].end = length;
    }
}

static void stream_free(stream_t s) {
    struct Piece ?OWNED pieces = s->pieces;
    free(s);
    for (unsigned i = 0; i < numelts(pieces); i++) {
        char ?SHARED bytes = NULL;
        bytes :=: pieces[i].bytes;
        one_less(bytes);
    }
    free(pieces);
}

#endif
