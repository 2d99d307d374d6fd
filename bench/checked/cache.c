/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A cache: keys with an exponential distribution, values of 16 bytes to 1 KiB, chained hashing, and entries that expire when they
 * have not been used for so many operations.
 *
 *     cache KEYS OPERATIONS EXPIRY
 */
#include "heap.h"

struct entry {
    ref chain, newer, older, value; /* in its bucket; in the order of use; its bytes */
    uint64_t key, used, size;
};

static const uint32_t offsets[] = {0, 8, 16, 24};
static const layout entry_layout = {sizeof(struct entry), 4, offsets};
static const layout word_layout = {8, 1, offsets};
static const layout text_layout = {8, 0, NULL};

static uint64_t buckets, sum;
static ref table, newest, oldest;

static struct entry *at(ref it) { return AT(struct entry, it); }
static uint64_t bucket_of(uint64_t key) { return key * UINT64_C(0x9E3779B97F4A7C15) % buckets; }

static void unlink_use(struct entry *entry) {
    if (entry->newer != NULL)
        at(entry->newer)->older = entry->older;
    else
        newest = entry->older;
    if (entry->older != NULL)
        at(entry->older)->newer = entry->newer;
    else
        oldest = entry->newer;
}

static void link_use(ref it, uint64_t now) {
    struct entry *entry = at(it);
    entry->used = now;
    entry->newer = NULL;
    entry->older = newest;
    if (newest != NULL)
        at(newest)->newer = it;
    else
        oldest = it;
    newest = it;
}

static void drop_oldest(void) {
    ref it = oldest;
    struct entry *entry = at(it);
    unlink_use(entry);
    ref *link = &AT(ref, table)[bucket_of(entry->key)];
    while (!SAME(*link, it)) link = &at(*link)->chain;
    *link = entry->chain;
    ref value = entry->value;
    DELETE(it);
    DELETE(value);
}

static void put(uint64_t key, uint64_t now) {
    uint64_t size = 16 + random_next() % 1009;
    ref it = NEW(sizeof(struct entry), &entry_layout), value = NEW(size, &text_layout);
    memset(AT(unsigned char, value), (int)key, size);
    struct entry *entry = at(it);
    ref *bucket = &AT(ref, table)[bucket_of(key)];
    *entry = (struct entry){*bucket, NULL, NULL, value, key, now, size};
    *bucket = it;
    link_use(it, now);
}

static void get(uint64_t key, uint64_t now) {
    for (ref it = AT(ref, table)[bucket_of(key)]; it != NULL;) {
        struct entry *entry = at(it);
        if (entry->key == key) {
            sum += AT(unsigned char, entry->value)[entry->size - 1];
            unlink_use(entry);
            link_use(it, now);
            return;
        }
        it = entry->chain;
    }
    put(key, now);
    sum++;
}

/* About exponential: the number of leading zeros of one word scales another. */
static uint64_t some_key(uint64_t keys) {
    unsigned zeros = (unsigned)__builtin_clzll(random_next() | 1);
    return (zeros * (keys / 12) + random_next() % (keys / 12)) % keys;
}

int main(int argc, char **argv) {
    begin();
    uint64_t keys = argument(argc, argv, 1, 200000), operations = argument(argc, argv, 2, 2000000);
    uint64_t expiry = argument(argc, argv, 3, 100000);
    buckets = keys | 1;
    table = NEW(buckets * sizeof(ref), &word_layout);
    memset(AT(ref, table), 0, buckets * sizeof(ref));
    for (uint64_t now = 1; now <= operations; now++) {
        get(some_key(keys), now);
        while (oldest != NULL && at(oldest)->used + expiry < now) drop_oldest();
    }
    finish(sum);
    return 0;
}
