/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * GC simulator (papers/002…, table 1 and §4): a binary tree of objects, passes over it, and an object that was visited often enough
 * is replaced: after 3 visits the short-lived, after 10 the others.
 *
 *     simulator PAYLOAD SHORT_PERCENT OBJECTS PASSES [EPHEMERAL]
 *
 * With EPHEMERAL 1 the short-lived objects are made and deleted at a visit instead, and are not in the tree.
 */
#include "heap.h"

struct node {
    ref left, right;
    uint32_t visits, most;
    unsigned char payload[];
};

static const uint32_t offsets[] = {0, 8};
static layout node_layout = {0, 2, offsets};
static uint64_t payload, short_percent, ephemeral, sum;

static ref make(ref left, ref right) {
    ref it = NEW(sizeof(struct node) + payload, &node_layout);
    struct node *node = AT(struct node, it);
    node->left = left;
    node->right = right;
    node->visits = 0;
    node->most = random_next() % 100 < (ephemeral ? 0 : short_percent) ? 3 : 10;
    memset(node->payload, (int)node->most, payload);
    return it;
}

static ref build(uint64_t count) {
    if (count == 0) return NULL;
    uint64_t left = (count - 1) / 2;
    ref l = build(left);
    return make(l, build(count - 1 - left));
}

/* Visits the tree at a place, and returns what is there afterwards. */
static ref visit(ref it) {
    struct node *node = AT(struct node, it);
    ref old_left = node->left, old_right = node->right;
    ref left = old_left != NULL ? visit(old_left) : NULL;
    ref right = old_right != NULL ? visit(old_right) : NULL;
    node = AT(struct node, it);
    if (left != old_left) node->left = left;
    if (right != old_right) node->right = right;
    sum += node->payload[payload / 2];
    if (ephemeral && random_next() % 100 < short_percent) {
        ref more = make(NULL, NULL);
        sum += AT(struct node, more)->payload[0];
        DELETE(more);
        node = AT(struct node, it);
    }
    if (++node->visits < node->most) return it;
    ref other = make(node->left, node->right);
    DELETE(it);
    return other;
}

int main(int argc, char **argv) {
    begin();
    payload = argument(argc, argv, 1, 64);
    short_percent = argument(argc, argv, 2, 50);
    uint64_t objects = argument(argc, argv, 3, 1 << 18), passes = argument(argc, argv, 4, 20);
    ephemeral = argument(argc, argv, 5, 0);
    node_layout.size = (uint32_t)((sizeof(struct node) + payload + 7) & ~UINT64_C(7));
    ref root = build(objects);
    for (uint64_t i = 0; i < passes; i++) root = visit(root);
    finish(sum + AT(struct node, root)->visits);
    return 0;
}
