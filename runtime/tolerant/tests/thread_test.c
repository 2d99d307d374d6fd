/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Threads, forks, and ends of both.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "subject.h"

enum { THREADS = 4, SLOTS = 512, ROUNDS = 10000 };

/* Objects that any thread may take out, check, free and replace. */
static _Atomic(unsigned char *) shared[SLOTS];

static unsigned char *make(unsigned *state) {
    size_t size = 16 + next_random(state) % (next_random(state) % 64 == 0 ? 60000 : 400);
    unsigned char *object = malloc(size);
    unsigned char tag = (unsigned char)(uintptr_t)((uintptr_t)object >> 4);
    memcpy(object, &size, sizeof size);
    memset(object + sizeof size, tag, size - sizeof size);
    return object;
}

static void check_and_free(unsigned char *object) {
    if (object == NULL) return;
    size_t size;
    memcpy(&size, object, sizeof size);
    unsigned char tag = (unsigned char)(uintptr_t)((uintptr_t)object >> 4);
    size_t i = sizeof size;
    while (i < size && object[i] == tag) i++;
    CHECK(i >= size);
    free(object);
}

static void *exchange(void *seed) {
    unsigned state = (unsigned)(uintptr_t)seed;
    for (unsigned i = 0; i < ROUNDS; i++)
        check_and_free(atomic_exchange(&shared[next_random(&state) % SLOTS], make(&state)));
    return NULL;
}

static void drain(void) {
    for (unsigned i = 0; i < SLOTS; i++) check_and_free(atomic_exchange(&shared[i], NULL));
}

static void run_threads(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, body, (void *)(i + 1)) == 0);
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void objects_pass_between_threads_whole(void) {
    run_threads(exchange);
    drain();
}

static void *allocate_and_end(void *ignored) {
    (void)ignored;
    for (unsigned i = 0; i < 200; i++) atomic_store(&shared[i], memset(malloc(64), 1, 64));
    return NULL;
}

/* A sanitizer keeps memory of its own about all that is used, and about threads. */
#if defined(TT_PREFIXED)
enum { GROWTH_MOST = 64 * 1024, LEFT = 30000 };
#else
enum { GROWTH_MOST = 16 * 1024, LEFT = 300000 };
#endif

static void memory_of_ended_threads_is_used_again(void) {
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    for (unsigned i = 0; i < 1000; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, allocate_and_end, NULL) == 0);
        pthread_join(thread, NULL);
        for (unsigned k = 0; k < 200; k++) free(atomic_exchange(&shared[k], NULL));
    }
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < GROWTH_MOST);
}

enum { LEFT_BYTES = 100, OTHER_BYTES = 300 };
static void *left[LEFT];

static void *leave_objects(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < LEFT; i++) left[i] = memset(malloc(LEFT_BYTES), 1, LEFT_BYTES);
    return NULL;
}

/* What was freed of them is the process's again, though no thread follows. */
static void memory_that_ended_threads_left_serves_others(void) {
    struct rusage before, after;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, leave_objects, NULL) == 0);
    pthread_join(thread, NULL);
    getrusage(RUSAGE_SELF, &before);
    for (unsigned i = 0; i < LEFT; i++) free(left[i]);
    for (unsigned i = 0; i < LEFT / 3; i++) left[i] = memset(malloc(OTHER_BYTES), 1, OTHER_BYTES);
    getrusage(RUSAGE_SELF, &after);
    CHECK(after.ru_maxrss - before.ru_maxrss < GROWTH_MOST);
    for (unsigned i = 0; i < LEFT / 3; i++) free(left[i]);
}

enum { BATCH = 4096, BATCHES = 1000, WAITING_MOST = 4 };
struct batch {
    struct batch *next;
    uintptr_t *objects[BATCH];
};
static pthread_mutex_t waiting_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t waiting_changed = PTHREAD_COND_INITIALIZER;
static struct batch *waiting;
static unsigned waiting_count;

static void *allocate_batches(void *seed) {
    unsigned state = (unsigned)(uintptr_t)seed;
    for (unsigned i = 0; i < BATCHES; i++) {
        struct batch *batch = malloc(sizeof *batch);
        for (unsigned k = 0; k < BATCH; k++) {
            uintptr_t *object = malloc(16 + next_random(&state) % 200);
            *object = (uintptr_t)object;
            batch->objects[k] = object;
        }
        pthread_mutex_lock(&waiting_lock);
        while (waiting_count == WAITING_MOST) pthread_cond_wait(&waiting_changed, &waiting_lock);
        batch->next = waiting;
        waiting = batch;
        waiting_count++;
        pthread_cond_signal(&waiting_changed);
        pthread_mutex_unlock(&waiting_lock);
    }
    return NULL;
}

static void *free_batches(void *unused) {
    for (unsigned i = 0; i < BATCHES; i++) {
        pthread_mutex_lock(&waiting_lock);
        while (waiting_count == 0) pthread_cond_wait(&waiting_changed, &waiting_lock);
        struct batch *batch = waiting;
        waiting = batch->next;
        waiting_count--;
        pthread_cond_signal(&waiting_changed);
        pthread_mutex_unlock(&waiting_lock);
        for (unsigned k = 0; k < BATCH; k++) {
            CHECK(*batch->objects[k] == (uintptr_t)batch->objects[k]);
            free(batch->objects[k]);
        }
        free(batch);
    }
    return unused;
}

/* The allocating thread's runs of pages are given back at any time, such as between the end of one and the next. */
static void threads_free_what_others_allocate(void) {
    pthread_t allocates, frees;
    CHECK(pthread_create(&allocates, NULL, allocate_batches, (void *)5) == 0);
    CHECK(pthread_create(&frees, NULL, free_batches, NULL) == 0);
    pthread_join(allocates, NULL);
    pthread_join(frees, NULL);
}

static pthread_key_t key;
static void late_destructor(void *object) {
    free(object);
    void *again = malloc(500);
    memset(again, 2, 500);
    if (pthread_getspecific(key) == NULL && again != NULL) {
        static _Thread_local int rounds;
        if (rounds++ < 3)
            pthread_setspecific(key, again);
        else
            free(again);
    }
}
static void *end_late(void *ignored) {
    (void)ignored;
    pthread_setspecific(key, malloc(10));
    return NULL;
}

static void destructors_allocate_after_the_heap_is_given_back(void) {
    CHECK(pthread_key_create(&key, late_destructor) == 0);
    for (unsigned i = 0; i < 20; i++) run_threads(end_late);
    pthread_key_delete(key);
}

static atomic_int stop;
static void *churn(void *seed) {
    unsigned state = (unsigned)(uintptr_t)seed;
    unsigned char *mine[64] = {NULL};
    while (!atomic_load(&stop)) {
        unsigned k = next_random(&state) % 64;
        check_and_free(mine[k]);
        mine[k] = make(&state);
    }
    for (unsigned k = 0; k < 64; k++) check_and_free(mine[k]);
    return NULL;
}

static int child_lives(void) {
    unsigned state = 99;
    for (unsigned i = 0; i < 2000; i++) check_and_free(make(&state));
    for (unsigned i = 0; i < SLOTS; i++) check_and_free(atomic_exchange(&shared[i], make(&state)));
    drain();
#if !defined(TT_PREFIXED) /* a sanitizer's own allocator may be locked in the child, and a new thread waits for it */
    pthread_t thread;
    if (pthread_create(&thread, NULL, exchange, (void *)1) != 0) return 2;
    pthread_join(thread, NULL);
#endif
    return 0;
}

static void children_of_a_threaded_program_allocate_and_free(void) {
    pthread_t threads[THREADS];
    unsigned state = 3;
    for (unsigned i = 0; i < SLOTS; i++) check_and_free(atomic_exchange(&shared[i], make(&state)));
    atomic_store(&stop, 0);
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
    for (unsigned i = 0; i < 12; i++) {
        pid_t child = fork();
        if (child == 0) _exit(child_lives());
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&stop, 1);
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    drain();
}

/* Children run this program again, without any test. */
extern char **environ;
static void spawned_and_vforked_children_run(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    CHECK(length > 0);
    path[length > 0 ? length : 0] = '\0';
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC), out = dup(STDOUT_FILENO);
    fflush(stdout);
    dup2(nowhere, STDOUT_FILENO);
    for (unsigned i = 0; i < 20; i++) {
        char *arguments[] = {path, (char *)"(none)", NULL};
        pid_t child;
        int status = 1;
        CHECK(posix_spawn(&child, path, NULL, NULL, arguments, environ) == 0);
        CHECK(waitpid(child, &status, 0) == child && status == 0);
        child = vfork();
        if (child == 0) {
            execv(path, arguments);
            _exit(1);
        }
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    dup2(out, STDOUT_FILENO);
    close(out);
    close(nowhere);
}

static void a_childs_writes_stay_in_the_child(void) {
    enum { COUNT = 20000 };
    static unsigned *objects[COUNT];
    for (unsigned i = 0; i < COUNT; i++) *(objects[i] = malloc(64)) = i;
    pid_t child = fork();
    if (child == 0) {
        for (unsigned i = 0; i < COUNT; i++) *objects[i] = 7;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    unsigned i = 0;
    while (i < COUNT && *objects[i] == i) i++;
    CHECK(i == COUNT);
    for (i = 0; i < COUNT; i++) free(objects[i]);
}

static void on_alarm(int number) {
    (void)number;
}

static void signals_in_the_middle_of_malloc_do_no_harm(void) {
    struct sigaction action = {.sa_handler = on_alarm}, before;
    sigaction(SIGALRM, &action, &before);
    ualarm(500, 200);
    unsigned state = 8;
    for (unsigned i = 0; i < 50000; i++) check_and_free(make(&state));
    ualarm(0, 0);
    sigaction(SIGALRM, &before, NULL);
}

const struct test tests[] = {
    {"threads free what others allocate", threads_free_what_others_allocate},
    {"objects pass between threads whole", objects_pass_between_threads_whole},
    {"memory that ended threads left serves others", memory_that_ended_threads_left_serves_others},
    {"memory of ended threads is used again", memory_of_ended_threads_is_used_again},
    {"destructors allocate after the heap is given back", destructors_allocate_after_the_heap_is_given_back},
    {"children of a threaded program allocate and free", children_of_a_threaded_program_allocate_and_free},
    {"spawned and vforked children run", spawned_and_vforked_children_run},
    {"a child's writes stay in the child", a_childs_writes_stay_in_the_child},
    {"signals in the middle of malloc do no harm", signals_in_the_middle_of_malloc_do_no_harm},
    {NULL, NULL},
};
