/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Programs that are made from a seed: phases in which threads grow, shrink, fragment, hand objects over, free what
 * another makes, fork, end and are followed by others, at sites and sizes few enough that bins come to have many pages.
 * Each runs in a process of its own with options that follow from the seed too. Every object's bytes are checked, and
 * between phases the malloc's structures (invariants.h). TENURE_TEST_SEEDS says how many programs, TENURE_TEST_SEED which
 * one alone; a program that fails says its seed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "invariants.h"
#include "subject.h"
#include "tenure/tolerant.h"

enum { SETS_MOST = 4, SET_OBJECTS = 150000, BOX_OBJECTS = 20000, KINDS_MOST = 4, SITES = 16, PHASES = 24 };

struct object {
    unsigned char *start;
    uint32_t size, seed;
};

struct set {
    size_t count, bytes;
    struct object *objects;
};

static struct set sets[SETS_MOST];
static unsigned set_count, phases;
static size_t set_bytes;
static struct {
    size_t size;
    unsigned site, sites, spread;
    unsigned wrapped; /* in 32 */
    unsigned depth;   /* of recursion, at most */
} kinds[KINDS_MOST];
static unsigned kind_count;
static atomic_uint bad, refused;

/* A place where some put what others free. */
static struct {
    pthread_mutex_t lock;
    size_t count, first, makers;
    struct object *objects;
} box = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9E3779B97F4A7C15);
    return x ^ x >> 29;
}

/* Pages of zeros, and equal ones, are what compaction looks for. */
static uint64_t word_of(uint32_t seed, size_t i) {
    if (seed % 8 == 0) return 0;
    return mixed(seed % 8 == 1 ? i + 1 : seed + ((uint64_t)i << 32));
}

static void fill(const struct object *object) {
    size_t words = object->size / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = word_of(object->seed, i);
        memcpy(object->start + i * 8, &word, 8);
    }
    for (size_t i = words * 8; i < object->size; i++) object->start[i] = (unsigned char)word_of(object->seed, i);
}

/* Whether the first `size` bytes are as they were filled. */
static int is_whole(const struct object *object, size_t size) {
    size_t words = size / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, object->start + i * 8, 8);
        if (word != word_of(object->seed, i)) return 0;
    }
    /* What was filled as part of a word cannot be told byte by byte. */
    if (size != object->size) return 1;
    for (size_t i = words * 8; i < size; i++)
        if (object->start[i] != (unsigned char)word_of(object->seed, i)) return 0;
    return 1;
}

static void expect_at(int holds, int line) {
    if (holds) return;
    if (atomic_fetch_add(&bad, 1) < 10) printf("stress_test.c:%d does not hold\n", line);
}
#define EXPECT(condition) expect_at((condition) != 0, __LINE__)

static __attribute__((noinline)) void *xmalloc(size_t size) {
    void *object = malloc(size);
    __asm__ volatile("" ::: "memory");
    return object;
}

enum how { PLAIN, WRAPPED, ZEROED, ALIGNED, GROWN };

#define SITE(n)                                                                                                        \
    static __attribute__((noinline)) void *site_##n(size_t size, enum how how) {                                       \
        void *object = NULL;                                                                                           \
        switch (how) {                                                                                                 \
        case PLAIN: object = malloc(size); break;                                                                      \
        case WRAPPED: object = xmalloc(size); break;                                                                   \
        case ZEROED: object = calloc(1, size); break;                                                                  \
        case ALIGNED: object = posix_memalign(&object, (size_t)32 << n % 8, size) == 0 ? object : NULL; break;         \
        case GROWN: object = realloc(malloc(size / 2 + 1), size); break;                                               \
        }                                                                                                              \
        __asm__ volatile("" ::: "memory");                                                                             \
        return object;                                                                                                 \
    }
SITE(0) SITE(1) SITE(2) SITE(3) SITE(4) SITE(5) SITE(6) SITE(7)
SITE(8) SITE(9) SITE(10) SITE(11) SITE(12) SITE(13) SITE(14) SITE(15)
static void *(*const site_functions[SITES])(size_t, enum how) = {site_0,  site_1,  site_2,  site_3, site_4,  site_5,
                                                                  site_6,  site_7,  site_8,  site_9, site_10, site_11,
                                                                  site_12, site_13, site_14, site_15};

static enum how random_how(unsigned kind, unsigned *state) {
    unsigned draw = next_random(state) % 32;
    if (next_random(state) % 32 < kinds[kind].wrapped) return WRAPPED;
    return draw == 0 ? ALIGNED : draw == 1 ? GROWN : draw < 6 ? ZEROED : PLAIN;
}

/* Where programs recurse, one site is many contexts. */
static __attribute__((noinline)) void *at_depth(unsigned depth, unsigned site, size_t size, enum how how) {
    void *object = depth == 0 ? site_functions[site](size, how) : at_depth(depth - 1, site, size, how);
    __asm__ volatile("" ::: "memory");
    return object;
}

static int make(struct object *object, unsigned kind, unsigned *state) {
    size_t size = kinds[kind].size;
    unsigned spread = kinds[kind].spread;
    if (spread != 0) size += next_random(state) % (size / spread + 1);
    enum how how = random_how(kind, state);
    unsigned site = (kinds[kind].site + kind * 3 + next_random(state) % kinds[kind].sites) % SITES;
    unsigned depth = kinds[kind].depth == 0 ? 0 : next_random(state) % kinds[kind].depth;
    unsigned char *start = at_depth(depth, site, size, how);
    if (start == NULL) {
        atomic_fetch_add(&refused, 1);
        return 0;
    }
    EXPECT(((uintptr_t)start & 15) == 0);
    EXPECT(malloc_usable_size(start) >= size);
    if (how == ZEROED)
        for (size_t i = 0; i < size; i++)
            if (start[i] != 0) {
                EXPECT(start[i] == 0);
                break;
            }
    *object = (struct object){start, (uint32_t)size, next_random(state)};
    fill(object);
    return 1;
}

static void check(const struct object *object) { EXPECT(is_whole(object, object->size)); }

static void end(const struct object *object) {
    check(object);
    free(object->start);
}

static int add(struct set *set, unsigned kind, unsigned *state) {
    if (set->count == SET_OBJECTS || set->bytes + kinds[kind].size > set_bytes) return 0;
    if (!make(&set->objects[set->count], kind, state)) return 0;
    set->bytes += set->objects[set->count++].size;
    return 1;
}

static struct object take(struct set *set, size_t at) {
    struct object object = set->objects[at];
    set->objects[at] = set->objects[--set->count];
    set->bytes -= object.size;
    return object;
}

static size_t draw(size_t most, unsigned *state) {
    return most == 0 ? 0 : (((size_t)next_random(state) << 16) ^ next_random(state)) % most;
}

/* How many of a kind fit, or a part of that. */
static size_t some(unsigned kind, unsigned *state) {
    size_t most = set_bytes / kinds[kind].size;
    if (most > SET_OBJECTS) most = SET_OBJECTS;
    return most >> next_random(state) % 5;
}

static void grow(struct set *set, unsigned kind, size_t count, unsigned *state) {
    for (size_t i = 0; i < count && add(set, kind, state); i++) {}
}

enum order { OLDEST, YOUNGEST, ANY };

/* The order among the objects may have been mixed before: then it is some order. */
static void shrink(struct set *set, size_t count, enum order order, unsigned *state) {
    if (count > set->count) count = set->count;
    if (order == OLDEST) {
        for (size_t i = 0; i < count; i++) {
            set->bytes -= set->objects[i].size;
            end(&set->objects[i]);
        }
        set->count -= count;
        memmove(set->objects, set->objects + count, set->count * sizeof *set->objects);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        struct object object = take(set, order == ANY ? draw(set->count, state) : set->count - 1);
        end(&object);
    }
}

/* All but one in so many, which keep their order. */
static void fragment(struct set *set, unsigned one_in) {
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (i % one_in == 0) {
            set->objects[kept++] = set->objects[i];
        } else {
            set->bytes -= set->objects[i].size;
            end(&set->objects[i]);
        }
    }
    set->count = kept;
}

static void churn(struct set *set, unsigned kind, size_t count, unsigned *state) {
    for (size_t i = 0; i < count; i++) {
        if (set->count != 0) {
            struct object object = take(set, draw(set->count, state));
            end(&object);
        }
        (void)add(set, kind, state);
    }
}

static void reallocate(struct set *set, size_t count, unsigned *state) {
    for (size_t i = 0; i < count && set->count != 0; i++) {
        struct object *object = &set->objects[draw(set->count, state)];
        unsigned far = next_random(state) % 48;
        size_t size = 1 + draw(far == 0 ? 4000000 : far < 16 ? 200000 : 2 * (size_t)object->size + 64, state);
        if (set->bytes + size > set_bytes) size = 1 + draw(object->size, state);
        unsigned char *moved = realloc(object->start, size);
        if (moved == NULL) {
            atomic_fetch_add(&refused, 1);
            continue;
        }
        object->start = moved;
        EXPECT(is_whole(object, size < object->size ? size & ~(size_t)7 : object->size));
        set->bytes += size - object->size;
        object->size = (uint32_t)size;
        object->seed = next_random(state);
        fill(object);
    }
}

static void rewrite(struct set *set, unsigned one_in, unsigned *state) {
    for (size_t i = 0; i < set->count; i++) {
        if (next_random(state) % one_in != 0) continue;
        check(&set->objects[i]);
        set->objects[i].seed = next_random(state);
        fill(&set->objects[i]);
    }
}

/* Has the kernel drop, or protect for a moment, whole pages inside of objects. Where the malloc stands beside the C library's
 * it does not learn of that. */
static void advise(struct set *set, size_t count, unsigned *state) {
#if defined(TT_PREFIXED)
    (void)set, (void)count, (void)state;
#else
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < count && set->count != 0; i++) {
        struct object *object = &set->objects[draw(set->count, state)];
        size_t before = (size_t)(-(uintptr_t)object->start & (page - 1));
        size_t pages = object->size < before + page ? 0 : (object->size - before) / page;
        if (pages == 0) continue;
        unsigned char *start = object->start + before + draw(pages, state) * page;
        if (next_random(state) % 2 == 0) {
            check(object);
            EXPECT(mprotect(start, page, PROT_READ) == 0);
            check(object);
            EXPECT(mprotect(start, page, PROT_READ | PROT_WRITE) == 0);
            continue;
        }
        EXPECT(madvise(start, page, MADV_DONTNEED) == 0);
        size_t left = 0;
        for (size_t k = 0; k < page; k++) left += start[k] != 0;
        EXPECT(left == 0);
        object->seed = next_random(state);
        fill(object);
    }
#endif
}

static void check_all(const struct set *set) {
    for (size_t i = 0; i < set->count; i++) check(&set->objects[i]);
}

static void check_all_are_taken(const struct set *set) {
    for (size_t i = 0; i < set->count; i++) EXPECT(is_taken(set->objects[i].start));
}

/* In a child whose other threads are gone in the middle of what they did. */
static int live_on(struct set *set, unsigned *state) {
    check_all(set);
    rewrite(set, 3, state);
    shrink(set, set->count / 2, ANY, state);
    grow(set, 0, 2000, state);
    for (unsigned i = 0; i < 3; i++) (void)tn_tolerant_look();
    check_all(set);
    return atomic_load(&bad) == 0 ? 0 : 1;
}

static void fork_one(struct set *set, unsigned *state) {
#if defined(__SANITIZE_THREAD__)
    (void)set, (void)state, (void)live_on;
#else
    pid_t child = fork();
    if (child == 0) {
        alarm(240);
        int status = live_on(set, state);
        fflush(stdout);
        _exit(status);
    }
    int status = 0;
    if (child < 0) return;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (status != 0) printf("a child's status is %#x\n", status);
    EXPECT(status == 0);
#endif
}

static void put_in_box(const struct object *objects, size_t count) {
    for (size_t done = 0; done < count;) {
        pthread_mutex_lock(&box.lock);
        memmove(box.objects, box.objects + box.first, box.count * sizeof *box.objects);
        box.first = 0;
        while (done < count && box.count < BOX_OBJECTS) box.objects[box.count++] = objects[done++];
        pthread_mutex_unlock(&box.lock);
        if (done < count) sched_yield();
    }
}

/* Makes objects and puts them into the box in batches. */
static void produce(struct set *set, unsigned kind, size_t count, unsigned *state) {
    static const size_t batches[] = {1, 16, 256, 4096, 8192};
    size_t batch = batches[next_random(state) % 5], before = set->count;
    while (count > 0) {
        size_t now = batch < count ? batch : count;
        grow(set, kind, now, state);
        if (set->count == before) break;
        put_in_box(set->objects + before, set->count - before);
        while (set->count > before) set->bytes -= set->objects[--set->count].size;
        count -= now;
    }
    pthread_mutex_lock(&box.lock);
    box.makers--;
    pthread_mutex_unlock(&box.lock);
}

/* Frees what it finds in the box until nobody puts more there. */
static void consume(unsigned *state) {
    enum order order = next_random(state) % 3;
    size_t batch = (size_t)1 << next_random(state) % 13;
    static _Thread_local struct object mine[4096];
    for (;;) {
        pthread_mutex_lock(&box.lock);
        size_t count = box.count < batch ? box.count : batch, makers = box.makers;
        if (order == YOUNGEST) {
            memcpy(mine, box.objects + box.first + box.count - count, count * sizeof *mine);
        } else {
            memcpy(mine, box.objects + box.first, count * sizeof *mine);
            box.first += count;
        }
        box.count -= count;
        pthread_mutex_unlock(&box.lock);
        if (count == 0 && makers == 0) return;
        if (count == 0) sched_yield();
        while (count > 0) {
            size_t at = order == ANY ? draw(count, state) : 0;
            end(&mine[at]);
            mine[at] = mine[--count];
        }
    }
}

/* What is in the box at the end of a phase comes to be somebody's. */
static void take_from_box(struct set *set) {
    pthread_mutex_lock(&box.lock);
    while (box.count > 0) {
        const struct object *object = &box.objects[box.first + --box.count];
        if (set->count == SET_OBJECTS) {
            end(object);
        } else {
            set->objects[set->count++] = *object;
            set->bytes += object->size;
        }
    }
    pthread_mutex_unlock(&box.lock);
}

static void give_to_box(struct set *set, unsigned *state) {
    size_t most = BOX_OBJECTS / SETS_MOST, count = draw(set->count < most ? set->count : most, state);
    for (size_t i = 0; i < count; i++) {
        struct object object = take(set, i % 2 == 0 ? set->count - 1 : draw(set->count, state));
        put_in_box(&object, 1);
    }
}

static void sawtooth(struct set *set, unsigned kind, unsigned *state) {
    size_t teeth = 2 + next_random(state) % 6, size = some(kind, state) / 2;
    for (size_t i = 0; i < teeth; i++) {
        size_t before = set->count;
        grow(set, kind, size, state);
        shrink(set, set->count - before, next_random(state) % 2 == 0 ? YOUNGEST : ANY, state);
    }
}

static void act(struct set *set, unsigned *state) {
    unsigned kind = next_random(state) % kind_count;
    switch (next_random(state) % 21) {
    case 0:
    case 1:
    case 2:
    case 3: grow(set, kind, some(kind, state), state); break;
    case 4: shrink(set, set->count, next_random(state) % 3, state); break;
    case 5:
    case 6: shrink(set, draw(set->count + 1, state), next_random(state) % 3, state); break;
    case 7:
    case 8: fragment(set, 2u << next_random(state) % 7); break;
    case 9:
    case 10: churn(set, kind, some(kind, state), state); break;
    case 11: reallocate(set, draw(2000, state), state); break;
    case 12: rewrite(set, 1u << next_random(state) % 8, state); break;
    case 13: check_all(set); break;
    case 14: fork_one(set, state); break;
    case 15: sawtooth(set, kind, state); break;
    case 16: give_to_box(set, state); break;
    case 17:
        for (unsigned i = 0; i < 4; i++) (void)tn_tolerant_look();
        break;
    case 18: malloc_trim(0); break;
    case 19: advise(set, draw(200, state), state); break;
    default:
        if (getenv("TENURE_TEST_IDLE") != NULL) usleep(1100000); /* what is kept for a second goes meanwhile */
        break;
    }
}

enum task { ACT, PRODUCE, CONSUME, QUIT };
struct worker {
    pthread_t thread;
    sem_t start, done;
    struct set *set;
    enum task task;
    unsigned state;
    int runs;
};
static struct worker workers[SETS_MOST];

static void do_task(struct worker *worker) {
    unsigned *state = &worker->state, kind = next_random(state) % kind_count;
    if (worker->task == ACT) act(worker->set, state);
    if (worker->task == PRODUCE) produce(worker->set, kind, some(kind, state) * 2, state);
    if (worker->task == CONSUME) consume(state);
}

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0) {}
}

/* Runs when the malloc has taken the thread's heap back: its destructor was there first. */
static pthread_key_t at_end;
static void use_at_end(void *argument) {
    struct worker *worker = argument;
    grow(worker->set, 0, 100, &worker->state);
    shrink(worker->set, 150, ANY, &worker->state);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    pthread_setspecific(at_end, worker);
    for (;;) {
        wait_for(&worker->start);
        if (worker->task == QUIT) return NULL;
        do_task(worker);
        sem_post(&worker->done);
    }
}

static void start_worker(struct worker *worker) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1024 * 1024);
    worker->runs = pthread_create(&worker->thread, &attributes, work, worker) == 0;
    pthread_attr_destroy(&attributes);
}

static void end_worker(struct worker *worker) {
    worker->task = QUIT;
    sem_post(&worker->start);
    pthread_join(worker->thread, NULL);
    worker->runs = 0;
}

/* The first set is the main thread's. Either everybody acts, or some make what others free. */
static void run_phase(unsigned *state) {
    unsigned draws = next_random(state), turned = draws & 1;
    for (unsigned i = 1; i < set_count; i++)
        if (!workers[i].runs) start_worker(&workers[i]);
    int flows = set_count > 1 && workers[1].runs && draws >> 1 & 1;
    box.makers = 0;
    for (unsigned i = 0; i < set_count; i++) {
        workers[i].task = !flows ? ACT : i < 2 ? (i == turned ? PRODUCE : CONSUME) : draws >> i & 1 ? PRODUCE : CONSUME;
        if (i > 0 && !workers[i].runs) workers[i].task = ACT;
        box.makers += workers[i].task == PRODUCE;
    }
    for (unsigned i = 1; i < set_count; i++)
        if (workers[i].runs) sem_post(&workers[i].start);
    do_task(&workers[0]);
    for (unsigned i = 1; i < set_count; i++)
        if (workers[i].runs) wait_for(&workers[i].done);
    take_from_box(&sets[next_random(state) % set_count]);
    for (unsigned i = 1; i < set_count; i++)
        if (workers[i].runs && next_random(state) % 5 == 0) end_worker(&workers[i]);
}

static void *map(size_t bytes) {
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) abort();
    return start;
}

static void plan(unsigned seed, unsigned *state) {
    static const size_t sizes[] = {16,  16,   32,   48,   64,   64,   96,   128,   160,   256,   256,   400,   512,
                                   700, 1024, 1024, 1500, 2048, 3000, 4096, 5000,  8192,  12000, 20000, 32768, 40000,
                                   64,  128,  256,  1024, 2048, 4000, 1000, 120000, 1200000};
    set_count = 1 + next_random(state) % SETS_MOST;
    kind_count = 1 + next_random(state) % KINDS_MOST;
    for (unsigned i = 0; i < kind_count; i++) {
        kinds[i].size = sizes[next_random(state) % (sizeof sizes / sizeof sizes[0])];
        kinds[i].site = next_random(state) % SITES;
        if (seed % 6 == 0) kinds[i].size = sizes[next_random(state) % 2 == 0 ? 25 : 33];
        kinds[i].sites = 1u << next_random(state) % 4;
        kinds[i].wrapped = next_random(state) % 3 * 15;
        kinds[i].depth = next_random(state) % 4 == 0 ? 1 + next_random(state) % 200 : 0;
        kinds[i].spread = next_random(state) % 3 == 0 ? 1 + next_random(state) % 8 : 0;
    }
    const char *megabytes = getenv("TENURE_TEST_MEGABYTES");
    set_bytes = ((megabytes == NULL ? 16 : (size_t)atol(megabytes)) << 20) >> next_random(state) % 3;
    phases = PHASES;
    for (unsigned i = 0; i < set_count; i++) {
        sets[i].objects = map(SET_OBJECTS * sizeof(struct object));
        workers[i].set = &sets[i];
        workers[i].state = seed * 97 + i;
        sem_init(&workers[i].start, 0, 0);
        sem_init(&workers[i].done, 0, 0);
    }
    box.objects = map(BOX_OBJECTS * sizeof(struct object));
}

static void run_program(unsigned seed) {
    unsigned state = seed * 7919 + 1;
    plan(seed, &state);
    free(xmalloc(1));
    EXPECT(pthread_key_create(&at_end, use_at_end) == 0);
    for (unsigned phase = 0; phase < phases && atomic_load(&bad) == 0; phase++) {
        run_phase(&state);
        unsigned broken = broken_invariants(true);
        if (broken != 0) printf("after phase %u: %u invariants\n", phase, broken);
        EXPECT(broken == 0);
        for (unsigned i = 0; i < set_count; i++) check_all_are_taken(&sets[i]);
        for (unsigned i = 0; i < set_count && phase % 4 == 3; i++) check_all(&sets[i]);
    }
    for (unsigned i = 0; i < set_count; i++) {
        if (workers[i].runs) end_worker(&workers[i]);
        shrink(&sets[i], sets[i].count, ANY, &state);
    }
    EXPECT(broken_invariants(true) == 0);
    if (atomic_load(&bad) != 0)
        printf("seed %u: %u sets, %u kinds, sizes %zu %zu %zu %zu, %u refused\n", seed, set_count, kind_count, kinds[0].size,
               kinds[1].size, kinds[2].size, kinds[3].size, atomic_load(&refused));
    CHECK(atomic_load(&bad) == 0);
}

/* What the options are to be follows from the seed. */
static void set_options(unsigned seed) {
    static const char *const values[][6] = {
        {"COLD_SECONDS", "0", "0", "0", "1", "0"},      {"COLD_ALLOCATIONS", "2000", "100000", "20000", "50000", "8000"},
        {"COLD_OVERHEAD", "1000", "1000", "1000", "10", "1000"}, {"COMPACT", "1", "1", "0", "1", "1"},
        {"DEAD_SHARE", "0", "5", "1000", "5", "20"},    {"SITE_OBJECTS", "2", "2", "64", "16", "4"},
        {"COLD", "1", "1", "2", "1", "0"},              {"MAPPINGS", "0", "0", "0", "300", "0"},
        {"SITES", "1", "1", "1", "1", "1"},
    };
    unsigned state = seed * 31 + 7;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "TENURE_TOLERANT_%s", values[i][0]);
        setenv(name, values[i][1 + next_random(&state) % 5], 1);
    }
    char number[16];
    snprintf(number, sizeof number, "%u", seed);
    setenv("TENURE_TEST_SEED", number, 1);
#if !defined(TT_PREFIXED)
    struct rlimit space = {(rlim_t)400 << 20, (rlim_t)400 << 20};
    if (next_random(&state) % 8 == 0) (void)setrlimit(RLIMIT_AS, &space);
#endif
}

static unsigned number(const char *name, unsigned otherwise) {
    const char *value = getenv(name);
    return value == NULL ? otherwise : (unsigned)atol(value);
}

static void generated_programs_keep_their_objects_whole(void) {
    if (getenv("TENURE_TEST_SEED") != NULL) {
        alarm(900);
        run_program(number("TENURE_TEST_SEED", 0));
        return;
    }
    unsigned first = number("TENURE_TEST_FIRST", 1), count = number("TENURE_TEST_SEEDS", 24), failed = 0;
    for (unsigned seed = first; seed < first + count; seed++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            set_options(seed);
            execl("/proc/self/exe", "stress", (char *)NULL);
            _exit(127);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        if (status == 0) continue;
        failed++;
        printf("seed %u ended with status %#x\n", seed, status);
    }
    CHECK(failed == 0);
    printf("%u programs, %u failed\n", count, failed);
}

const struct test tests[] = {
    {"generated programs keep their objects whole", generated_programs_keep_their_objects_whole},
    {NULL, NULL},
};
