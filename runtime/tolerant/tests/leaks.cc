// SPDX-License-Identifier: MIT OR Apache-2.0
//
// usage: leaks NUMBER [STEPS]
// Programs 1 to 20 leak in a function leak_here, at the line whose comment is `leak NUMBER`; programs 21 to 40 are their
// clean neighbours. 41 leaks buffers of 48 KiB, 42 does not. Each does its work in so many small steps.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool leaking;
static void *volatile sink;

struct Node {
    Node *next;
    char data[56];
};

static NOINLINE void *xmalloc(size_t size) {
    void *object = malloc(size);
    if (object == nullptr) abort();
    memset(object, 1, size);
    return object;
}
static NOINLINE char *copy_of(const char *text) {
    char *copy = static_cast<char *>(xmalloc(strlen(text) + 40));
    strcpy(copy, text);
    return copy;
}

// What a clean program keeps for a while and gives back.
static void give_back_later(void *object) {
    static void *kept[8];
    static unsigned at;
    sink = object;
    if (leaking) return;
    free(kept[at % COUNT(kept)]);
    kept[at++ % COUNT(kept)] = object;
}

// A table that is written to and read all the time; its objects come and go through the same wrapper.
static Node *table[2000];
static NOINLINE Node *make_entry() { return static_cast<Node *>(xmalloc(sizeof(Node))); }
static void churn(unsigned count) {
    static unsigned at;
    for (unsigned i = 0; i < count; i++) {
        at = at * 1103515245u + 12345u;
        Node *&slot = table[(at >> 8) % COUNT(table)];
        free(slot);
        slot = make_entry();
    }
    for (Node *node : table)
        if (node != nullptr) node->data[0]++;
}

template <int number> static void leak_here(unsigned i);

// Unreachable.
template <> NOINLINE void leak_here<1>(unsigned) {
    give_back_later(malloc(100)); // leak 1
}

// A list that only grows: reachable.
static Node *chain;
template <> NOINLINE void leak_here<2>(unsigned i) {
    if (!leaking && i >= 500) return;
    Node *node = static_cast<Node *>(malloc(sizeof *node)); // leak 2
    node->next = chain;
    chain = node;
}

// Through a wrapper, and through two.
template <> NOINLINE void leak_here<3>(unsigned) {
    give_back_later(xmalloc(64)); // leak 3
}
template <> NOINLINE void leak_here<4>(unsigned) {
    give_back_later(copy_of("session")); // leak 4
}

// Containers.
static std::vector<std::string> strings;
template <> NOINLINE void leak_here<5>(unsigned i) {
    strings.push_back("a string that is too long to be held inside " + std::to_string(i)); // leak 5
    if (!leaking && strings.size() > 500) strings.erase(strings.begin());
}
static std::map<int, std::string> dictionary;
template <> NOINLINE void leak_here<6>(unsigned i) {
    dictionary[static_cast<int>(i)] = "a value"; // leak 6
    if (!leaking && dictionary.size() > 500) dictionary.erase(dictionary.begin());
}

// new without delete, of one object and of an array.
struct Shape {
    virtual ~Shape() = default;
    char bytes[72];
};
template <> NOINLINE void leak_here<7>(unsigned) {
    auto *shape = new Shape; // leak 7
    sink = shape;
    if (!leaking) delete shape;
}
template <> NOINLINE void leak_here<8>(unsigned i) {
    auto *array = new char[200 + i % 100]; // leak 8
    sink = array;
    if (!leaking) delete[] array;
}

// A cycle of counted pointers.
struct Owner {
    std::shared_ptr<Owner> other;
    char bytes[60];
};
template <> NOINLINE void leak_here<9>(unsigned) {
    auto a = std::make_shared<Owner>(); // leak 9
    auto b = std::make_shared<Owner>(); // leak 9
    a->other = b;
    if (leaking) b->other = a;
}

// The C library's other functions.
template <> NOINLINE void leak_here<10>(unsigned) {
    give_back_later(calloc(3, 30)); // leak 10
}
template <> NOINLINE void leak_here<11>(unsigned) {
    void *small = malloc(20);
    give_back_later(realloc(small, 150)); // leak 11
}
template <> NOINLINE void leak_here<12>(unsigned) {
    give_back_later(strdup("a string of the C library's own making")); // leak 12
}
template <> NOINLINE void leak_here<13>(unsigned) {
    void *object = nullptr;
    if (posix_memalign(&object, 64, 128) != 0) abort(); // leak 13
    sink = object;
    if (!leaking) free(object);
}

static std::list<std::vector<char>> lists;
template <> NOINLINE void leak_here<14>(unsigned) {
    lists.emplace_back(300, 'x'); // leak 14
    if (!leaking && lists.size() > 300) lists.pop_front();
}

// One in ten.
template <> NOINLINE void leak_here<15>(unsigned i) {
    void *object = xmalloc(90); // leak 15
    if (!leaking || i % 10 != 0) free(object);
}

// A base that is used, growing slowly.
static Node *ring[4000];
template <> NOINLINE void leak_here<16>(unsigned i) {
    Node *&slot = ring[i % COUNT(ring)];
    if (!leaking || i % 4 != 0) free(slot);
    slot = static_cast<Node *>(xmalloc(sizeof(Node))); // leak 16
}

// An error path.
template <> NOINLINE void leak_here<17>(unsigned i) {
    char *request = copy_of("GET /"); // leak 17
    if (i % 3 == 0 && leaking) return;
    free(request);
}

// Replaced without a free.
template <> NOINLINE void leak_here<18>(unsigned) {
    if (!leaking) free(chain);
    chain = static_cast<Node *>(xmalloc(sizeof *chain)); // leak 18
}

// In a thread.
template <> NOINLINE void leak_here<19>(unsigned) {
    void *object = memset(malloc(120), 1, 120); // leak 19
    sink = object;
    if (!leaking) free(object);
}

// Large buffers, of which some are in use all the time.
static char *buffers[100];
template <> NOINLINE void leak_here<41>(unsigned i) {
    for (char *buffer : buffers)
        if (buffer != nullptr) buffer[i % 4096]++;
    if (i % 40 != 0) return;
    char *buffer = static_cast<char *>(calloc(1, 49152)); // leak 41
    buffer[0] = 1;
    sink = buffer;
    if (leaking && i % 80 == 0) return;
    char *&slot = buffers[i / 40 % COUNT(buffers)];
    free(slot);
    slot = buffer;
}

using Leak = void(unsigned);
static Leak *plugin_leak() {
    void *plugin = dlopen(PLUGIN, RTLD_NOW);
    auto *leak = plugin == nullptr ? nullptr : reinterpret_cast<Leak *>(dlsym(plugin, leaking ? "leak_here" : "clean_here"));
    if (leak == nullptr) abort();
    return leak;
}

static unsigned steps = 1200;
static void *work(void *leak) {
    unsigned i = 0;
    for (unsigned step = 0; step < steps; step++) {
        for (unsigned k = 0; k < 60; k++) reinterpret_cast<Leak *>(leak)(i++);
        churn(100);
    }
    return nullptr;
}

int main(int count, char **arguments) {
    static Leak *const leaks[] = {
        nullptr,       leak_here<1>,  leak_here<2>,  leak_here<3>,  leak_here<4>,  leak_here<5>,  leak_here<6>,
        leak_here<7>,  leak_here<8>,  leak_here<9>,  leak_here<10>, leak_here<11>, leak_here<12>, leak_here<13>,
        leak_here<14>, leak_here<15>, leak_here<16>, leak_here<17>, leak_here<18>, leak_here<19>,
    };
    unsigned number = count > 1 ? static_cast<unsigned>(atoi(arguments[1])) : 1;
    if (count > 2) steps = static_cast<unsigned>(atoi(arguments[2]));
    leaking = number <= 20 || number == 41;
    if (!leaking) number = number == 42 ? 41 : number - 20;
    Leak *other = number == 41 ? leak_here<41> : number == 20 ? plugin_leak() : nullptr;
    auto *leak = reinterpret_cast<void *>(number < COUNT(leaks) ? leaks[number] : other);
    if (number == 19) {
        pthread_t thread;
        pthread_create(&thread, nullptr, work, leak);
        pthread_join(thread, nullptr);
    } else {
        work(leak);
    }
    return 0;
}
