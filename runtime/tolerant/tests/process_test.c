/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a process may do that some allocators cannot bear: handlers and stacks of its own for faults, code that comes and
 * goes, allocation before main and after it. With PLUGIN this file is the code that comes and goes;
 * TENURE_TEST_PLUGIN is where it lies. To be run with TENURE_TOLERANT_COLD_SECONDS=0 and
 * TENURE_TOLERANT_REPORT_SIGNAL=10.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 80, KEPT = 4000 };

static int whole(const unsigned char *object, unsigned char byte) {
    for (unsigned i = 0; i < SIZE; i++)
        if (object[i] != byte) return 0;
    return 1;
}

#ifdef PLUGIN

static unsigned char *own[100];
void fill(unsigned char **objects, unsigned count);
void empty(unsigned char **objects, unsigned count);

__attribute__((constructor)) static void arrive(void) {
    for (unsigned i = 0; i < 100; i++) own[i] = memset(malloc(SIZE), 7, SIZE);
}

__attribute__((destructor)) static void leave(void) {
    for (unsigned i = 0; i < 100; i++) {
        if (!whole(own[i], 7)) abort();
        free(own[i]);
    }
}

void fill(unsigned char **objects, unsigned count) {
    for (unsigned i = 0; i < count; i++) objects[i] = memset(malloc(SIZE), (int)(i % 251), SIZE);
}

void empty(unsigned char **objects, unsigned count) {
    for (unsigned i = 0; i < count; i++) free(objects[i]);
}

#else

#include "preloaded.h"
#include "subject.h"

static void looks(void) {
    for (unsigned i = 0; i < 5; i++) look();
}

static unsigned char *early[KEPT];

/* Before main, and before this program's other constructors. */
__attribute__((constructor(101))) static void before_main(void) {
    for (unsigned i = 0; i < KEPT; i++) early[i] = memset(malloc(SIZE), (int)(i % 251), SIZE);
    for (unsigned i = 0; i < KEPT; i += 3) free(early[i]);
}

/* After main, when most of the C library's own ends have run. */
__attribute__((destructor(101))) static void after_main(void) {
    for (unsigned i = 0; i < KEPT; i++) {
        if (i % 3 != 0 && !whole(early[i], (unsigned char)(i % 251))) abort();
        if (i % 3 != 0) free(early[i]);
        early[i] = memset(malloc(SIZE), 1, SIZE);
    }
    for (unsigned i = 0; i < KEPT; i++) free(early[i]);
}

static void what_came_before_main_is_whole(void) {
    looks();
    for (unsigned i = 0; i < KEPT; i++) CHECK(i % 3 == 0 || whole(early[i], (unsigned char)(i % 251)));
}

static unsigned char *page, *other_stack;
static volatile sig_atomic_t faults, on_other_stack;

static void on_fault(int number, siginfo_t *info, void *context) {
    unsigned char here;
    (void)number, (void)context;
    if (info->si_addr != page) _exit(3);
    faults++;
    on_other_stack += &here >= other_stack && &here < other_stack + SIGSTKSZ * 4;
    mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void faults_are_the_programs_own(void) {
    struct sigaction before, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
    CHECK(sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL && before.sa_flags == 0);
    other_stack = malloc((size_t)SIGSTKSZ * 4);
    stack_t stack = {.ss_sp = other_stack, .ss_size = (size_t)SIGSTKSZ * 4}, old = {.ss_flags = -1};
    CHECK(sigaltstack(&stack, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0);
    sigemptyset(&ours.sa_mask);
    sigaddset(&ours.sa_mask, SIGUSR2);
    CHECK(sigaction(SIGSEGV, &ours, NULL) == 0);
    CHECK(sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_sigaction == on_fault);
    CHECK((now.sa_flags & (SA_SIGINFO | SA_ONSTACK)) == (SA_SIGINFO | SA_ONSTACK) && sigismember(&now.sa_mask, SIGUSR2));
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (unsigned round = 0; round < 20; round++) {
        static unsigned char *objects[KEPT];
        mprotect(page, 4096, PROT_NONE);
        *(volatile unsigned char *)page = 1;
        for (unsigned i = 0; i < KEPT; i++) objects[i] = memset(malloc(SIZE), (int)(i % 251), SIZE);
        for (unsigned i = 0; i < KEPT; i++)
            if (i % 20 != 0) free(objects[i]);
        looks();
        for (unsigned i = 0; i < KEPT; i += 20) {
            CHECK(whole(objects[i], (unsigned char)(i % 251)));
            objects[i][0] = 1;
            free(objects[i]);
        }
    }
    CHECK(faults == 20 && on_other_stack == 20);
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0 && sigaction(SIGSEGV, &before, NULL) == 0);
    free(other_stack);
    munmap(page, 4096);
}

static volatile sig_atomic_t signals;
static void on_signal(int number) {
    (void)number;
    signals++;
}

/* The handler that the program sets for the report's signal is the program's. */
static void handlers_are_what_the_program_sets(void) {
    for (int number = 1; number < 32; number++) {
        struct sigaction ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before, now;
        if (number == SIGKILL || number == SIGSTOP || sigaction(number, NULL, &before) != 0) continue;
        sigemptyset(&ours.sa_mask);
        CHECK(sigaction(number, &ours, NULL) == 0 && sigaction(number, &before, &now) == 0);
        CHECK(now.sa_handler == on_signal && (now.sa_flags & SA_RESTART) != 0);
        CHECK(sigaction(number, NULL, &now) == 0 && now.sa_handler == before.sa_handler);
    }
    signals = 0;
    void (*before)(int) = signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    looks();
    raise(SIGUSR1);
    CHECK(signals == 2);
    signal(SIGUSR1, before);
}

static void plugins_come_and_go(void) {
    const char *name = getenv("TENURE_TEST_PLUGIN");
    if (name == NULL) return;
    static unsigned char *objects[10][KEPT];
    for (unsigned round = 0; round < 10; round++) {
        void *plugin = dlopen(name, RTLD_NOW);
        CHECK(plugin != NULL);
        if (plugin == NULL) return;
        void (*fill)(unsigned char **, unsigned);
        *(void **)&fill = dlsym(plugin, "fill");
        fill(objects[round], KEPT);
        CHECK(dlclose(plugin) == 0);
        looks();
    }
    for (unsigned round = 0; round < 10; round++)
        for (unsigned i = 0; i < KEPT; i++) {
            CHECK(whole(objects[round][i], (unsigned char)(i % 251)));
            free(objects[round][i]);
        }
}

#if defined(RTLD_DEEPBIND)
/* One that looks for symbols among its own libraries first, the C library among them: what it allocates the program frees, and the
 * other way round. It is found where the program's RUNPATH says. */
static void plugins_may_be_bound_deeply(void) {
    static unsigned char *objects[KEPT];
    if (getenv("TENURE_TEST_PLUGIN") == NULL || getenv("LD_PRELOAD") == NULL) return;
    void *plugin = dlopen("plugin.so", RTLD_NOW | RTLD_DEEPBIND);
    CHECK(plugin != NULL);
    if (plugin == NULL) return;
    void (*fill)(unsigned char **, unsigned), (*empty)(unsigned char **, unsigned);
    *(void **)&fill = dlsym(plugin, "fill");
    *(void **)&empty = dlsym(plugin, "empty");
    fill(objects, KEPT);
    for (unsigned i = 0; i < KEPT; i++) {
        CHECK(whole(objects[i], (unsigned char)(i % 251)));
        free(objects[i]);
        objects[i] = malloc(SIZE);
    }
    empty(objects, KEPT);
    CHECK(dlclose(plugin) == 0 && dlopen("no-such-plugin.so", RTLD_NOW | RTLD_DEEPBIND) == NULL && dlerror() != NULL);
}
#else
static void plugins_may_be_bound_deeply(void) {}
#endif

#if defined(__GLIBC__)
/* What compilers make of a thread_local object with a destructor. */
extern int __cxa_thread_atexit_impl(void (*end)(void *), void *object, void *file);
extern void *__dso_handle;
static _Thread_local unsigned char *mine;
static void end_mine(void *object) {
    if (!whole(object, 9)) abort();
    free(object);
    free(memset(malloc(SIZE), 2, SIZE));
}
static void *use_thread_local(void *ignored) {
    mine = memset(malloc(SIZE), 9, SIZE);
    __cxa_thread_atexit_impl(end_mine, mine, &__dso_handle);
    return ignored;
}
static void thread_local_objects_end_with_their_threads(void) {
    for (unsigned i = 0; i < 100; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, use_thread_local, NULL) == 0);
        pthread_join(thread, NULL);
    }
    /* And the main thread's at its end. */
    (void)use_thread_local(NULL);
}
#else
static void thread_local_objects_end_with_their_threads(void) {}
#endif

static void vforked_children_may_allocate_until_they_exec(void) {
    for (unsigned i = 0; i < 50; i++) {
        unsigned char *volatile object = NULL;
        pid_t child = vfork();
        if (child == 0) {
            object = malloc(SIZE);
            object[0] = 5;
            _exit(0);
        }
        int status = 1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
        CHECK(object != NULL && object[0] == 5);
        free(object);
    }
}

static volatile sig_atomic_t forks;
static void fork_on_alarm(int number) {
    (void)number;
    pid_t child = fork();
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, 0);
    forks++;
}

/* In the middle of whatever the malloc is at. */
static void handlers_may_fork(void) {
    struct sigaction action = {.sa_handler = fork_on_alarm, .sa_flags = SA_RESTART}, before;
    static unsigned char *objects[KEPT];
    sigaction(SIGALRM, &action, &before);
    ualarm(1000, 3000);
    for (unsigned round = 0; round < 20 || (forks < 30 && round < 2000); round++) {
        for (unsigned i = 0; i < KEPT; i++) {
            free(objects[i]);
            objects[i] = malloc(100 + i % 300);
        }
        looks();
    }
    ualarm(0, 0);
    sigaction(SIGALRM, &before, NULL);
    for (unsigned i = 0; i < KEPT; i++) free(objects[i]);
    CHECK(forks > 0);
}

/* Each object is its writer's, who finds what it wrote before. */
static atomic_int stop;
static atomic_long lost;
static unsigned long *_Atomic counted[KEPT];
static void *count_up(void *ignored) {
    for (unsigned long now = 1; !atomic_load(&stop); now++)
        for (unsigned i = 0; i < KEPT; i++) {
            unsigned long volatile *number = counted[i];
            if (*number != now - 1) atomic_fetch_add(&lost, 1);
            *number = now;
        }
    return ignored;
}

static __attribute__((noinline)) void *make_sparse(void) { return calloc(1, 1024); }

/* The child shares the memory with the parent's threads, and knows nothing of them. */
static void vforked_children_of_threads_look_at_nothing(void) {
    static void *others[3 * KEPT];
    for (unsigned i = 0; i < 4 * KEPT; i++) {
        void *object = make_sparse();
        if (i % 4 == 1)
            counted[i / 4] = object;
        else
            others[i / 4 * 3 + (i % 4 == 0 ? 0 : i % 4 - 1)] = object;
    }
    for (unsigned i = 0; i < 3 * KEPT; i++) free(others[i]);
    looks();
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, count_up, NULL) == 0);
    for (unsigned i = 0; i < 20; i++) {
        pid_t child = vfork();
        if (child == 0) {
            looks();
            _exit(0);
        }
        int status = 1;
        CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
    CHECK(atomic_load(&lost) == 0);
    for (unsigned i = 0; i < KEPT; i++) free(counted[i]);
}

/* The kernel's interface to filters, whose header not every C library comes with. */
struct instruction {
    unsigned short code;
    unsigned char if_true, if_false;
    unsigned value;
};
struct filter {
    unsigned short length;
    const struct instruction *instructions;
};
enum { LOAD_NUMBER = 0x20, IF_EQUAL = 0x15, RETURN = 0x06, ALLOWED = 0x7fff0000 };
#define ENDS_THE_PROCESS 0x80000000u

/* Lets these calls through, and no other. False if there can be no filters here. */
static int filter_calls(const int *allowed, unsigned count, unsigned otherwise) {
    static struct instruction all[100];
    unsigned n = 0;
    all[n++] = (struct instruction){LOAD_NUMBER, 0, 0, 0};
    for (unsigned i = 0; i < count; i++) {
        all[n++] = (struct instruction){IF_EQUAL, 0, 1, (unsigned)allowed[i]};
        all[n++] = (struct instruction){RETURN, 0, 0, ALLOWED};
    }
    all[n++] = (struct instruction){RETURN, 0, 0, otherwise};
    struct filter filter = {(unsigned short)n, all};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, 2, &filter) == 0;
}

/* The filter has what malloc calls anywhere. */
static void nothing_else_is_called_under_a_filter(void) {
    static const int allowed[] = {SYS_brk,   SYS_mmap,       SYS_munmap, SYS_mremap, SYS_madvise,      SYS_mprotect,
                                  SYS_write, SYS_exit_group, SYS_futex,  SYS_read,   SYS_clock_gettime};
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static unsigned char *objects[KEPT];
        looks();
        if (!filter_calls(allowed, sizeof allowed / sizeof allowed[0], ENDS_THE_PROCESS)) _exit(0);
        for (unsigned i = 0; i < 400 * KEPT; i++) {
            free(objects[i % KEPT]);
            objects[i % KEPT] = malloc(100 + i % 300 * (i % 500 == 0 ? 1000 : 1));
        }
        _exit(0);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* As a container's, which came before the program. */
static void a_filter_from_before_is_no_obstacle(void) {
    if (getenv("TENURE_TEST_FILTERED") != NULL) {
        struct tn_tolerant_statistics before = statistics();
        for (unsigned i = 0; i < 20 * KEPT; i++) free(memset(malloc(SIZE), 1, SIZE));
        looks();
        CHECK(statistics().looks > before.looks && statistics().mappings > 0);
        return;
    }
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("TENURE_TEST_FILTERED", "1", 1);
        if (!filter_calls(NULL, 0, ALLOWED)) _exit(0);
        execl("/proc/self/exe", "process", "a filter from before", (char *)NULL);
        _exit(3);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Servers give root's rights up without another exec: the kernel then refuses them files of their own in /proc. */
static void pages_become_cold_after_rights_were_given_up(void) {
    if (getuid() != 0) return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        static void *kept[8 * KEPT];
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(0);
        for (unsigned i = 0; i < 8 * KEPT; i++) kept[i] = memset(malloc(SIZE), 1, SIZE);
        for (unsigned i = 0; i < 100 && statistics().cold_bytes == 0; i++) {
            looks();
            usleep(20000);
        }
        _exit(kept[0] != NULL && statistics().cold_bytes != 0 ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static long resident_kilobytes(void) {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    if (file != NULL) fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

enum { HANDED = 200 * KEPT };
static void *handed[HANDED];
static atomic_int handed_over, goes_on;

static void fill_and_hand_over(unsigned char byte) {
    for (unsigned i = 0; i < HANDED; i++) handed[i] = memset(malloc(SIZE), byte, SIZE);
    atomic_fetch_add(&handed_over, 1);
}

/* Allocates, waits for long, and allocates again. */
static void *hand_over(void *unused) {
    fill_and_hand_over(3);
    while (!atomic_load(&goes_on)) usleep(1000);
    fill_and_hand_over(4);
    return unused;
}

static int free_of_a_waiting_thread(void) {
    pthread_t thread;
    memset(handed, 0, sizeof handed);
    if (pthread_create(&thread, NULL, hand_over, NULL) != 0) return 1;
    while (atomic_load(&handed_over) == 0) usleep(1000);
    for (unsigned i = 0; i < HANDED; i++) free(handed[i]);
    for (unsigned i = 0; i < 2 * KEPT; i++) free(memset(malloc(SIZE), 1, SIZE)); /* the last batch goes */
    long before = resident_kilobytes();
    looks();
    long given = before - resident_kilobytes();
    atomic_store(&goes_on, 1);
    pthread_join(thread, NULL);
    unsigned broken = 0;
    for (unsigned i = 0; i < HANDED; i++) broken += !whole(handed[i], 4);
    for (unsigned i = 0; i < HANDED; i++) free(handed[i]);
    printf("%ld KiB given back\n", given);
    /* Where the system's pages are larger than the malloc's, they stay. */
    bool may_stay = getenv("TENURE_TEST_PAGE") != NULL || sysconf(_SC_PAGESIZE) > 4096;
    return broken != 0 || (!may_stay && given < HANDED * (SIZE / 2) / 1024);
}

/* The rights by which writers are kept waiting are not needed for that. */
static void what_others_free_of_a_waiting_threads_heap_goes_back(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(0);
        int status = free_of_a_waiting_thread();
        fflush(stdout);
        _exit(status);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

const struct test tests[] = {
    {"what came before main is whole", what_came_before_main_is_whole},
    {"faults are the program's own", faults_are_the_programs_own},
    {"handlers are what the program sets", handlers_are_what_the_program_sets},
    {"plugins come and go", plugins_come_and_go},
    {"plugins may be bound deeply", plugins_may_be_bound_deeply},
    {"thread-local objects end with their threads", thread_local_objects_end_with_their_threads},
    {"vforked children may allocate until they exec", vforked_children_may_allocate_until_they_exec},
    {"handlers may fork", handlers_may_fork},
    {"vforked children of threads look at nothing", vforked_children_of_threads_look_at_nothing},
    {"nothing else is called under a filter", nothing_else_is_called_under_a_filter},
    {"a filter from before is no obstacle", a_filter_from_before_is_no_obstacle},
    {"pages become cold after rights were given up", pages_become_cold_after_rights_were_given_up},
    {"what others free of a waiting thread's heap goes back", what_others_free_of_a_waiting_threads_heap_goes_back},
    {NULL, NULL},
};

#endif
