/* The graph of operations that packets pass through. All of it lies in one region, so that a new configuration takes a new
 * region, and the old one goes as a whole. */
#ifndef PACKETS_GRAPH_H
#define PACKETS_GRAPH_H

#include "link.h"
#include "stream.h"

#include <core.h>
#include <ctype.h>
#include <list.h>
#include <stdlib.h>
#include <string.h>

datatype Action<`r::R> {
    Pass;
    Number(unsigned @`r);          /* puts a sequence number of four bytes before the packet */
    Strip(unsigned);               /* takes so many bytes off its front */
    Every(unsigned, unsigned @`r); /* lets one in so many through */
    Longest(unsigned);             /* drops what is longer */
    Upper;                         /* ASCII letters to upper case */
    Send(struct Link @`H);
};

struct Node<`r::R> {
    string_t<`r> name;
    datatype Action<`r> @`r action;
    List::list_t<struct Node<`r> @`r, `r> next;
    /* 0 not visited, 1 on the way, 2 known to lead to no cycle. */
    int state;
    unsigned long packets;
};
typedef struct Node<`r> @`r node_t<`r>;
typedef List::list_t<node_t<`r>, `r> nodes_t<`r>;

/* A line of a configuration cannot be understood: its number, and why. */
@extensible datatype exn {
    Bad_configuration(int, string_t);
};

struct Reader<`r::R,`t::R> {
    region_t<`r> arena;
    string_t<`t> text;
    int size;
    int pos;
    int line;
};

static void bad(struct Reader<`r,`t> @in, string_t<`H> why) {
    throw new Bad_configuration(in->line, why);
}

/* The next word of the line; NULL at its end. */
static string_t<`r> word(struct Reader<`r,`t> @in) {
    while (in->pos < in->size && in->text[in->pos] == ' ')
        in->pos++;
    int start = in->pos;
    while (in->pos < in->size && !isspace(in->text[in->pos]))
        in->pos++;
    return in->pos > start ? rsubstring(in->arena, in->text, start, in->pos - start) : NULL;
}

/* The name that a line defines. */
static string_t<`r> defined(struct Reader<`r,`t> @in) {
    let w = word(in);
    int n = (int)strlen(w);
    if (n < 2 || w[n - 1] != ':')
        bad(in, "a line starts with a name and a colon");
    return rsubstring(in->arena, w, 0, n - 1);
}

static unsigned number(struct Reader<`r,`t> @in) {
    let w = word(in);
    if (w == NULL || !isdigit(w[0]))
        bad(in, "a number is missing");
    return (unsigned)strtoul(w, NULL, 10);
}

static datatype Action<`r> @`r read_action(struct Reader<`r,`t> @in) {
    let h = in->arena;
    let w = word(in);
    if (w == NULL)
        bad(in, "an operation is missing after the name");
    if (strcmp(w, "pass") == 0)
        return rnew(h) Pass;
    if (strcmp(w, "number") == 0)
        return rnew(h) Number(rnew(h) 0u);
    if (strcmp(w, "strip") == 0)
        return rnew(h) Strip(number(in));
    if (strcmp(w, "every") == 0) {
        unsigned n = number(in);
        if (n == 0)
            bad(in, "every 0 would let nothing through");
        return rnew(h) Every(n, rnew(h) 0u);
    }
    if (strcmp(w, "longest") == 0)
        return rnew(h) Longest(number(in));
    if (strcmp(w, "upper") == 0)
        return rnew(h) Upper;
    if (strcmp(w, "send") == 0) {
        unsigned port = number(in);
        if (port == 0 || port > 65535)
            bad(in, "there is no such port");
        let link = link_to(port);
        if (link == NULL)
            bad(in, "too many different ports");
        return rnew(h) Send((struct Link @`H)link);
    }
    bad(in, "there is no such operation");
    return rnew(h) Pass;
}

static node_t<`r> named(struct Reader<`r,`t> @in, nodes_t<`r> nodes, string_t name) {
    for (let n = nodes; n != NULL; n = n->tl)
        if (strcmp(n->hd->name, name) == 0)
            return n->hd;
    bad(in, "there is no node of that name");
    throw new Impossible("bad() comes back");
}

static bool at_line_end(struct Reader<`r,`t> @in) {
    while (in->pos < in->size && (in->text[in->pos] == ' ' || in->text[in->pos] == '\r'))
        in->pos++;
    return in->pos >= in->size || in->text[in->pos] == '\n' || in->text[in->pos] == '#';
}

static void skip_line(struct Reader<`r,`t> @in) {
    while (in->pos < in->size && in->text[in->pos] != '\n')
        in->pos++;
    in->pos++;
    in->line++;
}

static void rewind_reader(struct Reader<`r,`t> @in) {
    in->pos = 0;
    in->line = 1;
}

static nodes_t<`r> read_nodes(struct Reader<`r,`t> @in) {
    nodes_t<`r> nodes = NULL;
    for (rewind_reader(in); in->pos < in->size; skip_line(in)) {
        if (at_line_end(in))
            continue;
        let name = defined(in);
        for (let n = nodes; n != NULL; n = n->tl)
            if (strcmp(n->hd->name, name) == 0)
                bad(in, "a node of that name stands above");
        node_t<`r> node = rnew(in->arena) Node(name, read_action(in), NULL, 0, 0ul);
        nodes = rnew(in->arena) List::List(node, nodes);
    }
    return nodes;
}

/* The second time through the text: what stands after each arrow. */
static void read_edges(struct Reader<`r,`t> @in, nodes_t<`r> nodes) {
    for (rewind_reader(in); in->pos < in->size; skip_line(in)) {
        if (at_line_end(in))
            continue;
        node_t<`r> node = named(in, nodes, defined(in));
        while (!at_line_end(in) && strcmp(word(in), "->") != 0)
            ;
        nodes_t<`r> next = NULL;
        while (!at_line_end(in))
            next = rnew(in->arena) List::List(named(in, nodes, word(in)), next);
        node->next = List::imp_rev(next);
    }
}

/* Packets would go round for ever. */
static bool has_cycle(node_t node) {
    if (node->state != 0)
        return node->state == 1;
    node->state = 1;
    for (let n = node->next; n != NULL; n = n->tl)
        if (has_cycle(n->hd))
            return true;
    node->state = 2;
    return false;
}

/* The node named `in` of the graph that the text describes. Raises Bad_configuration. */
static node_t<`r> read_graph(region_t<`r> arena, string_t<`t> text) {
    struct Reader in = Reader(arena, text, (int)strlen(text), 0, 1);
    let nodes = read_nodes(&in);
    read_edges(&in, nodes);
    rewind_reader(&in);
    let entry = named(&in, nodes, "in");
    if (has_cycle(entry))
        bad(&in, "packets would go round for ever");
    return entry;
}

static void to_upper(struct Stream @s) {
    stream_unshare(s);
    for (unsigned i = 0; i < numelts(s->pieces); i++)
        for (unsigned k = s->pieces[i].start; k < s->pieces[i].end; k++) {
            char upper = (char)toupper((unsigned char)s->pieces[i].bytes[k]);
            s->pieces[i].bytes[k] = upper;
        }
}

static void put_number(struct Stream @s, unsigned n) {
    char ?SHARED header = new_shared(4);
    for (int i = 0; i < 4; i++)
        header[i] = (char)(n >> (24 - 8 * i));
    stream_prepend(s, header);
}

/* Takes the packet through a node and all that follow it; the last one to follow gets the packet itself, the others share it. */
static void forward(node_t<`r> node, stream_t packet) {
    bool goes_on = true;
    node->packets++;
    switch (node->action) {
    case &Pass: break;
    case &Number(next):
        put_number(packet, *next);
        ++*next;
        break;
    case &Strip(n): stream_strip(packet, n); break;
    case &Every(n, seen):
        goes_on = *seen == 0;
        *seen = (*seen + 1) % n;
        break;
    case &Longest(n): goes_on = stream_length(packet) <= n; break;
    case &Upper: to_upper(packet); break;
    case &Send(link): link_send(link, packet); break;
    }
    nodes_t<`r> next = node->next;
    if (!goes_on || next == NULL) {
        stream_free(packet);
        return;
    }
    for (; next->tl != NULL; next = next->tl)
        forward(next->hd, stream_share(packet));
    forward(next->hd, packet);
}

#endif
