/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A left-leaning red-black tree (Sedgewick 2008) with a payload in each node.
 *
 *     tree PAYLOAD UPDATE_PERCENT NODES OPERATIONS
 *
 * An update deletes the least key from a random one on and inserts another, the rest are lookups.
 */
#include "heap.h"

#include <stdbool.h>

struct node {
    ref left, right;
    uint64_t key;
    uint32_t red;
    unsigned char payload[];
};

static const uint32_t offsets[] = {0, 8};
static layout node_layout = {0, 2, offsets};
static uint64_t payload, sum;

static struct node *at(ref it) { return AT(struct node, it); }
static bool is_red(ref it) { return it != NULL && at(it)->red; }

static ref make(uint64_t key) {
    ref it = NEW(sizeof(struct node) + payload, &node_layout);
    struct node *node = at(it);
    node->left = node->right = NULL;
    node->key = key;
    node->red = 1;
    memset(node->payload, (int)key, payload);
    return it;
}

static ref rotate_left(ref h) {
    struct node *node = at(h);
    ref x = node->right;
    struct node *other = at(x);
    node->right = other->left;
    other->left = h;
    other->red = node->red;
    node->red = 1;
    return x;
}

static ref rotate_right(ref h) {
    struct node *node = at(h);
    ref x = node->left;
    struct node *other = at(x);
    node->left = other->right;
    other->right = h;
    other->red = node->red;
    node->red = 1;
    return x;
}

static void flip(ref h) {
    struct node *node = at(h);
    node->red ^= 1;
    at(node->left)->red ^= 1;
    at(node->right)->red ^= 1;
}

static ref fix(ref h) {
    struct node *node = at(h);
    if (is_red(node->right) && !is_red(node->left)) {
        h = rotate_left(h);
        node = at(h);
    }
    if (is_red(node->left) && is_red(at(node->left)->left)) {
        h = rotate_right(h);
        node = at(h);
    }
    if (is_red(node->left) && is_red(node->right)) flip(h);
    return h;
}

static ref insert(ref h, uint64_t key) {
    if (h == NULL) return make(key);
    struct node *node = at(h);
    if (key == node->key) return h;
    ref *side = key < node->key ? &node->left : &node->right;
    ref below = insert(*side, key);
    node = at(h);
    *(key < node->key ? &node->left : &node->right) = below;
    return fix(h);
}

static ref move_red_left(ref h) {
    flip(h);
    struct node *node = at(h);
    if (is_red(at(node->right)->left)) {
        node->right = rotate_right(node->right);
        h = rotate_left(h);
        flip(h);
    }
    return h;
}

static ref move_red_right(ref h) {
    flip(h);
    if (is_red(at(at(h)->left)->left)) {
        h = rotate_right(h);
        flip(h);
    }
    return h;
}

/* Takes the least node out; it is *least then. */
static ref take_least(ref h, ref *least) {
    struct node *node = at(h);
    if (node->left == NULL) {
        *least = h;
        return NULL;
    }
    if (!is_red(node->left) && !is_red(at(node->left)->left)) h = move_red_left(h);
    node = at(h);
    node->left = take_least(node->left, least);
    return fix(h);
}

static ref delete(ref h, uint64_t key) {
    struct node *node = at(h);
    if (key < node->key) {
        if (!is_red(node->left) && !is_red(at(node->left)->left)) h = move_red_left(h);
        ref below = delete(at(h)->left, key);
        at(h)->left = below;
        return fix(h);
    }
    if (is_red(node->left)) h = rotate_right(h);
    node = at(h);
    if (key == node->key && node->right == NULL) {
        DELETE(h);
        return NULL;
    }
    if (!is_red(node->right) && !is_red(at(node->right)->left)) h = move_red_right(h);
    node = at(h);
    if (key == node->key) {
        ref least, right = take_least(node->right, &least);
        struct node *other = at(least);
        node = at(h);
        other->left = node->left;
        other->right = right;
        other->red = node->red;
        DELETE(h);
        return fix(least);
    }
    ref below = delete(node->right, key);
    at(h)->right = below;
    return fix(h);
}

/* The least key that is at least this one, or the greatest of all. */
static uint64_t lookup(ref h, uint64_t key) {
    uint64_t found = 0;
    bool any = false;
    while (h != NULL) {
        struct node *node = at(h);
        if (key <= node->key) {
            found = node->key;
            any = true;
            sum += node->payload[0];
            h = node->left;
        } else {
            if (!any) found = node->key;
            h = node->right;
        }
    }
    return found;
}

int main(int argc, char **argv) {
    begin();
    payload = argument(argc, argv, 1, 64);
    uint64_t updates = argument(argc, argv, 2, 50), nodes = argument(argc, argv, 3, 200000);
    uint64_t operations = argument(argc, argv, 4, 500000);
    node_layout.size = (uint32_t)((sizeof(struct node) + payload + 7) & ~UINT64_C(7));
    ref root = NULL;
    for (uint64_t i = 0; i < nodes; i++) {
        root = insert(root, random_next());
        at(root)->red = 0;
    }
    for (uint64_t i = 0; i < operations; i++) {
        uint64_t key = random_next(), found = lookup(root, key);
        sum += found;
        if (random_next() % 100 >= updates) continue;
        struct node *top = at(root);
        if (!is_red(top->left) && !is_red(top->right)) top->red = 1;
        root = delete(root, found);
        at(root)->red = 0;
        root = insert(root, random_next());
        at(root)->red = 0;
    }
    finish(sum);
    return 0;
}
