// SPDX-License-Identifier: MIT OR Apache-2.0
//
// usage: leak_shapes NUMBER [STEPS]
// Leaks 51 to 62 of shapes that leaks.cc does not have, each at the line whose comment is `leak NUMBER`; 71 to 77 leak nothing. Each does its work in so many
// small steps.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#define NOINLINE __attribute__((noinline))

static void *volatile sink;
static unsigned state = 12345;
static unsigned next_random() { return (state = state * 1103515245u + 12345u) >> 8; }

// What every program does beside: requests whose text comes and goes, and a table of users that is read.
struct User {
    char *name;
    unsigned visits;
};
static User users[500];
static NOINLINE char *join(const char *a, const char *b) {
    char *joined = nullptr;
    if (asprintf(&joined, "%s/%s", a, b) < 0) abort();
    return joined;
}
static NOINLINE void visit(unsigned i) {
    User &user = users[next_random() % 500];
    char number[16];
    snprintf(number, sizeof number, "%u", i);
    free(user.name);
    user.name = join("user", number);
    user.visits++;
}

// A cache without a bound.
struct Entry {
    explicit Entry(unsigned number) : key(number), value(100, 'x') {}
    unsigned key;
    std::string value;
};
class Cache {
  public:
    explicit Cache(size_t most) : most_(most) {}
    NOINLINE const std::string &get(unsigned key) {
        auto found = index_.find(key);
        if (found != index_.end()) {
            order_.splice(order_.begin(), order_, found->second);
            return found->second->value;
        }
        order_.emplace_front(key); // leak 51
        index_[key] = order_.begin();
        if (order_.size() > most_) {
            index_.erase(order_.back().key);
            order_.pop_back();
        }
        return order_.front().value;
    }

  private:
    size_t most_;
    std::list<Entry> order_;
    std::unordered_map<unsigned, std::list<Entry>::iterator> index_;
};
static NOINLINE void serve_pages(unsigned i, size_t most) {
    static Cache cache(most);
    sink = const_cast<char *>(cache.get(i % 4 == 0 ? i : i % 64).c_str());
}

// A parent and its children that count each other.
struct Widget {
    std::shared_ptr<Widget> parent;
    std::vector<std::shared_ptr<Widget>> children;
    char name[40];
};
static NOINLINE std::shared_ptr<Widget> make_widget(const char *name) {
    auto widget = std::make_shared<Widget>();
    strcpy(widget->name, name);
    return widget;
}
static NOINLINE void show_dialog(bool leaks) {
    auto dialog = make_widget("dialog"); // leak 52
    for (unsigned k = 0; k < 2; k++) {
        auto button = make_widget("button"); // leak 52
        if (leaks) button->parent = dialog;
        dialog->children.push_back(button);
    }
}

// A program's own allocation functions, three deep.
static NOINLINE void *out_of_memory_is_fatal(void *object) {
    if (object == nullptr) abort();
    return object;
}
static NOINLINE void *base_get(size_t size) {
    void *object = out_of_memory_is_fatal(malloc(size));
    sink = object;
    return object;
}
static NOINLINE void *base_get0(size_t size) {
    void *object = base_get(size);
    memset(object, 0, size);
    sink = object;
    return object;
}
struct Packet {
    unsigned length, kind;
    unsigned char bytes[120];
};
static NOINLINE Packet *packet_new(unsigned kind) {
    auto *packet = static_cast<Packet *>(base_get0(sizeof(Packet)));
    packet->kind = kind;
    return packet;
}
static NOINLINE void receive(unsigned i, bool leaks) {
    Packet *packet = packet_new(i % 8); // leak 53
    packet->length = i;
    if (packet->kind == 3 && leaks) return; // an unknown kind
    free(packet);
}
static NOINLINE void answer(unsigned i) {
    Packet *packet = packet_new(1);
    packet->length = i;
    sink = packet;
    free(packet);
}

// Callbacks that are registered for each connection, and stay.
struct Callback {
    void (*call)(void *);
    void *data;
};
static std::vector<Callback> callbacks;
static NOINLINE void on_close(void (*call)(void *), void *data) { callbacks.push_back({call, data}); }
static NOINLINE void connect(unsigned i, bool leaks) {
    char *peer = nullptr;
    if (asprintf(&peer, "a peer at the network's other end, number %u", i) < 0) abort(); // leak 54
    on_close(free, peer);
    if (leaks || callbacks.size() < 100) return;
    for (const Callback &callback : callbacks) callback.call(callback.data);
    callbacks.clear();
}

// A log that is kept in an array that grows, of lines that are copied.
static char **lines;
static size_t line_count, line_room;
static NOINLINE void log_line(const char *text, bool leaks) {
    if (line_count == line_room) {
        line_room = line_room == 0 ? 16 : 2 * line_room;
        lines = static_cast<char **>(realloc(lines, line_room * sizeof *lines));
    }
    lines[line_count++] = strdup(text); // leak 55
    if (leaks || line_count < 1000) return;
    while (line_count > 0) free(lines[--line_count]);
}

// Lines that are read, into a buffer of their own each.
static NOINLINE void read_headers(FILE *from, bool leaks) {
    char *line = nullptr;
    size_t size = 0;
    rewind(from);
    while (getline(&line, &size, from) > 0) { // leak 56
        sink = line;
        if (leaks) line = nullptr;
    }
    free(line);
}

// A queue of jobs, of which a worker forgets those that were cancelled.
struct Job {
    unsigned number;
    bool cancelled;
    char arguments[100];
};
static std::mutex queue_lock;
static std::condition_variable queue_filled;
static std::deque<Job *> queue;
static NOINLINE void submit(unsigned i) {
    auto *job = new Job{i, i % 5 == 0, {}}; // leak 57
    std::lock_guard<std::mutex> held(queue_lock);
    queue.push_back(job);
    queue_filled.notify_one();
}
static NOINLINE bool run_job(bool leaks) {
    std::unique_lock<std::mutex> held(queue_lock);
    queue_filled.wait(held, [] { return !queue.empty(); });
    Job *job = queue.front();
    queue.pop_front();
    held.unlock();
    bool last = job == nullptr;
    if (!last && job->cancelled && leaks) return true;
    delete job;
    return !last;
}

// A tree that is built by recursion, and of which only the root is freed.
struct Tree {
    Tree *left, *right;
    unsigned value[10];
};
static NOINLINE Tree *build_tree(unsigned depth) {
    auto *tree = static_cast<Tree *>(calloc(1, sizeof(Tree)));
    if (depth == 0) return tree;
    tree->left = build_tree(depth - 1);
    tree->right = build_tree(depth - 1);
    return tree;
}
static NOINLINE void free_tree(Tree *tree) {
    if (tree == nullptr) return;
    free_tree(tree->left);
    free_tree(tree->right);
    free(tree);
}
static NOINLINE void evaluate(unsigned i, bool leaks) {
    if (i % 16 != 0) return;
    Tree *tree = build_tree(3); // leak 58
    tree->value[0] = i;
    if (leaks)
        free(tree);
    else
        free_tree(tree);
}

// One of an object's parts is forgotten when it is freed.
struct Session {
    char *user;
    char *cookie;
    char bytes[150];
};
static NOINLINE Session *open_session(unsigned i) {
    auto *session = static_cast<Session *>(calloc(1, sizeof(Session)));
    session->user = strdup("somebody with a long name");
    session->cookie = static_cast<char *>(malloc(90)); // leak 59
    snprintf(session->cookie, 90, "%u", i);
    return session;
}
static NOINLINE void close_session(Session *session, bool leaks) {
    free(session->user);
    if (!leaks) free(session->cookie);
    free(session);
}

// A table by name whose entries are added when they are first asked for.
struct Counter {
    Counter *next;
    unsigned hash, count;
    char name[48];
};
static Counter *counters[65536];
static NOINLINE Counter *counter_of(const char *name, unsigned hash) {
    for (Counter *counter = counters[hash % 65536]; counter != nullptr; counter = counter->next)
        if (counter->hash == hash) return counter;
    auto *counter = static_cast<Counter *>(calloc(1, sizeof(Counter))); // leak 60
    counter->hash = hash;
    strcpy(counter->name, name);
    counter->next = counters[hash % 65536];
    counters[hash % 65536] = counter;
    return counter;
}
static NOINLINE void count_request(unsigned i, bool leaks) { counter_of("requests", leaks ? i / 2 : i % 3000)->count++; }

// A string that a member forgets.
class Message {
  public:
    NOINLINE void parse() {
        parts_ = new std::vector<std::string>; // leak 61
        for (unsigned k = 0; k < 3; k++) parts_->push_back("a part of the message that is long " + std::to_string(k)); // leak 61
    }
    void finish() { delete parts_; }

  private:
    std::vector<std::string> *parts_ = nullptr;
};
static NOINLINE void handle_message(unsigned i, bool leaks) {
    Message message;
    message.parse();
    if (!leaks || i % 7 != 0) message.finish();
}

// What a function returns by value is kept for ever.
static std::unordered_map<unsigned, std::string> seen;
static NOINLINE std::string describe(unsigned i) {
    std::string text = "the description of a thing ";
    text += std::to_string(i);
    text += ", which is not short";
    return text;
}
static NOINLINE void remember(unsigned i, bool leaks) {
    seen[leaks ? i : i % 2000] = describe(i); // leak 62
}

static unsigned steps = 1200;
static void work(const std::function<void(unsigned)> &step) {
    unsigned i = 0;
    for (unsigned s = 0; s < steps; s++)
        for (unsigned k = 0; k < 60; k++) {
            step(i++);
            visit(i);
        }
}

static void work_in_threads(bool leaks) {
    std::thread worker([leaks] { while (run_job(leaks)) {} });
    work(submit);
    {
        std::lock_guard<std::mutex> held(queue_lock);
        queue.push_back(nullptr);
        queue_filled.notify_one();
    }
    worker.join();
}

int main(int count, char **arguments) {
    unsigned number = count > 1 ? static_cast<unsigned>(atoi(arguments[1])) : 51;
    if (count > 2) steps = static_cast<unsigned>(atoi(arguments[2]));
    bool leaks = number < 70;
    FILE *headers = tmpfile();
    if (headers == nullptr) return 1;
    for (unsigned i = 0; i < 3; i++) fprintf(headers, "Header: of a request, the value number %u\n", i);
    switch (leaks ? number : number - 20) {
    case 51: work([&](unsigned i) { serve_pages(i, leaks ? SIZE_MAX : 300); }); break;
    case 52: work([&](unsigned) { show_dialog(leaks); }); break;
    case 53: work([&](unsigned i) { receive(i, leaks); answer(i); }); break;
    case 54: work([&](unsigned i) { connect(i, leaks); }); break;
    case 55: work([&](unsigned) { log_line("a line of the log", leaks); }); break;
    case 56: work([&](unsigned i) { if (i % 8 == 0) read_headers(headers, leaks); }); break;
    case 57: work_in_threads(leaks); break;
    case 58: work([&](unsigned i) { evaluate(i, leaks); }); break;
    case 59: work([&](unsigned i) { close_session(open_session(i), leaks); }); break;
    case 60: work([&](unsigned i) { count_request(i, leaks); }); break;
    case 61: work([&](unsigned i) { handle_message(i, leaks); }); break;
    case 62: work([&](unsigned i) { remember(i, leaks); }); break;
    default: return 2;
    }
    fclose(headers);
    return 0;
}
