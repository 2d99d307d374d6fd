// SPDX-License-Identifier: MIT OR Apache-2.0
//
// usage: leaks NUMBER MILLISECONDS
// Programs 1 to 20 leak in a function that is called leak_here, or in a wrapper that it calls; programs 21 to 40 are
// their clean neighbours. Each does its work in small steps for so many milliseconds.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

static int number;
static bool leaking;
static unsigned step;
static void *volatile sink;

struct Node {
    Node *next;
    char data[56];
};

static void *xmalloc(size_t size) NOINLINE;
static void *xmalloc(size_t size) {
    void *object = malloc(size);
    if (object == nullptr) abort();
    memset(object, 1, size);
    return object;
}
static char *copy_of(const char *text) NOINLINE;
static char *copy_of(const char *text) {
    char *copy = static_cast<char *>(xmalloc(strlen(text) + 40));
    strcpy(copy, text);
    return copy;
}

// A table that is written to and read all the time; its objects come and go through the same wrapper.
static Node *table[2000];
static NOINLINE Node *make_entry() { return static_cast<Node *>(xmalloc(sizeof(Node))); }
static void churn(unsigned count) {
    static unsigned at;
    for (unsigned i = 0; i < count; i++) {
        at = at * 1103515245u + 12345u;
        Node *&slot = table[(at >> 8) % 2000];
        free(slot);
        slot = make_entry();
    }
    for (Node *node : table)
        if (node != nullptr) node->data[0]++;
}

static Node *chain;
static std::vector<std::string> strings;
static std::map<int, std::string> dictionary;
static std::list<std::vector<char>> lists;
static Node *ring[4000];

template <typename F> static void keep_or_free(F make) {
    static Node *previous[8];
    Node *made = static_cast<Node *>(make());
    if (leaking) return;
    free(previous[step % 8]);
    previous[step % 8] = made;
}

struct Shape {
    virtual ~Shape() = default;
    char bytes[72];
};
struct Owner {
    std::shared_ptr<Owner> other;
    char bytes[60];
};

static NOINLINE void leak_here(unsigned i) {
    switch (number) {
    case 1: keep_or_free([] { return sink = malloc(100); }); break;                        // unreachable
    case 2:                                                                                // reachable list
        if (leaking || i < 500) {
            Node *node = static_cast<Node *>(malloc(sizeof *node));
            node->next = chain;
            chain = node;
        }
        break;
    case 3: keep_or_free([] { return xmalloc(64); }); break;                               // through a wrapper
    case 4: keep_or_free([] { return static_cast<void *>(copy_of("session")); }); break;   // through two
    case 5:                                                                                // a container of strings
        strings.push_back("a string that is too long to be held inside " + std::to_string(i));
        if (!leaking && strings.size() > 500) strings.erase(strings.begin());
        break;
    case 6:                                                                                // a map
        dictionary[static_cast<int>(i)] = "a value";
        if (!leaking && dictionary.size() > 500) dictionary.erase(dictionary.begin());
        break;
    case 7: {                                                                              // new without delete
        auto *object = new Shape;
        sink = object;
        if (!leaking) delete object;
        break;
    }
    case 8: {                                                                              // an array
        auto *array = new char[200 + i % 100];
        sink = array;
        if (!leaking) delete[] array;
        break;
    }
    case 9: {                                                                              // a cycle of counted pointers
        auto a = std::make_shared<Owner>();
        auto b = std::make_shared<Owner>();
        a->other = b;
        if (leaking) b->other = a;
        break;
    }
    case 10: keep_or_free([] { return sink = calloc(3, 30); }); break;
    case 11: keep_or_free([] { return realloc(malloc(20), 150); }); break;
    case 12: keep_or_free([] { return sink = strdup("a string of the C library's own making"); }); break;
    case 13: {
        void *object = nullptr;
        if (posix_memalign(&object, 64, 128) != 0) abort();
        sink = object;
        if (!leaking) free(object);
        break;
    }
    case 14:                                                                               // list of vectors
        lists.emplace_back(300, 'x');
        if (!leaking && lists.size() > 300) lists.pop_front();
        break;
    case 15: {                                                                             // one in ten
        void *object = xmalloc(90);
        if (!leaking || i % 10 != 0) free(object);
        break;
    }
    case 16: {                                                                             // a base that is used, growing slowly
        Node *&slot = ring[i % 4000];
        if (!leaking || i % 4 != 0) free(slot);
        slot = static_cast<Node *>(xmalloc(sizeof(Node)));
        break;
    }
    case 17: {                                                                             // an error path
        char *request = copy_of("GET /");
        if (i % 3 == 0 && leaking) break;
        free(request);
        break;
    }
    case 18:
        if (!leaking && chain != nullptr) {                                                // replaced without a free
            Node *old = chain;
            chain = nullptr;
            free(old);
        }
        chain = static_cast<Node *>(xmalloc(sizeof *chain));
        break;
    default: {                                                                             // 19: in a thread
        void *object = malloc(120);
        memset(object, 1, 120);
        sink = object;
        if (!leaking) free(object);
    }
    }
}

static bool time_is_up(int milliseconds) {
    static const auto start = std::chrono::steady_clock::now();
    return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(milliseconds);
}

static void *work(void *milliseconds) {
    using Leak = void(unsigned);
    Leak *leak = leak_here;
    if (number == 20) {
        void *plugin = dlopen(PLUGIN, RTLD_NOW);
        leak = plugin == nullptr ? nullptr : reinterpret_cast<Leak *>(dlsym(plugin, leaking ? "leak_here" : "clean_here"));
        if (leak == nullptr) abort();
    }
    for (unsigned i = 0; !time_is_up(*static_cast<int *>(milliseconds)); i++) {
        for (unsigned k = 0; k < 60; k++, step++) leak(step);
        churn(100);
        usleep(3000);
    }
    return nullptr;
}

int main(int count, char **arguments) {
    number = count > 1 ? atoi(arguments[1]) : 1;
    int milliseconds = count > 2 ? atoi(arguments[2]) : 3000;
    leaking = number <= 20;
    if (!leaking) number -= 20;
    if (number == 19) {
        pthread_t thread;
        pthread_create(&thread, nullptr, work, &milliseconds);
        pthread_join(thread, nullptr);
    } else {
        work(&milliseconds);
    }
    return 0;
}
