/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What each allocation function promises about one object, or a few.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <unistd.h>

#include "subject.h"

#define MIB ((size_t)1024 * 1024)

static void *volatile sink;

static void fill(unsigned char *object, size_t size, unsigned char value) {
    memset(object, value, size);
    sink = object;
}

static int filled(const unsigned char *object, size_t size, unsigned char value) {
    for (size_t i = 0; i < size; i++)
        if (object[i] != value) return 0;
    return 1;
}

static void every_size_up_to_1_mib_holds_its_bytes(void) {
    size_t step = 1;
    unsigned char *previous = NULL;
    size_t previous_size = 0;
    unsigned char value = 0;
    for (size_t size = 0; size <= MIB; size += step) {
        step = size < 2048 ? 1 : size < 65536 ? 61 : 4093;
        unsigned char *object = malloc(size);
        CHECK(object != NULL && ((uintptr_t)object & 15) == 0);
        CHECK(malloc_usable_size(object) >= size);
        fill(object, malloc_usable_size(object), (unsigned char)size);
        if (previous != NULL) CHECK(filled(previous, previous_size, value));
        free(previous);
        previous = object;
        previous_size = size < 4096 ? size : 4096;
        value = (unsigned char)size;
    }
    free(previous);
}

/* In a process of more than a few MiB; in smaller ones fewer pages count for more. */
static void memory_wasted_by_rounding_is_an_eighth_at_most(void) {
    enum { HELD = 24 };
    char *held[HELD];
    for (unsigned i = 0; i < HELD; i++) held[i] = malloc(MIB - 64);
    for (size_t size = 129; size <= 32 * 1024; size += 7) {
        void *object = malloc(size);
        CHECK(malloc_usable_size(object) <= size + size / 8 + 16);
        free(object);
    }
    for (unsigned i = 0; i < HELD; i++) free(held[i]);
}

static void every_alignment_is_kept(void) {
    for (size_t alignment = 1; alignment <= 4 * MIB; alignment *= 2) {
        const size_t sizes[] = {0, 1, 17, 100, 512, 5000, 40000, 300000, 2 * MIB};
        unsigned char *objects[sizeof sizes / sizeof sizes[0]];
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            objects[i] = memalign(alignment, sizes[i]);
            CHECK(objects[i] != NULL && ((uintptr_t)objects[i] & (alignment - 1)) == 0);
            CHECK(malloc_usable_size(objects[i]) >= sizes[i]);
            fill(objects[i], sizes[i], (unsigned char)i);
        }
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            CHECK(filled(objects[i], sizes[i], (unsigned char)i));
            free(objects[i]);
        }
    }
    void *object = aligned_alloc(256, 512);
    CHECK(((uintptr_t)object & 255) == 0);
    free(object);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    object = valloc(100);
    CHECK(((uintptr_t)object & (page - 1)) == 0);
    free(object);
#if defined(__GLIBC__) /* others do not declare it */
    object = pvalloc(page + 1);
    CHECK(((uintptr_t)object & (page - 1)) == 0 && malloc_usable_size(object) >= 2 * page);
    free(object);
#endif
}

static void posix_memalign_says_what_is_wrong(void) {
    void *object = &object;
    CHECK(posix_memalign(&object, 3, 10) == EINVAL);
    CHECK(posix_memalign(&object, 4, 10) == EINVAL);
    CHECK(posix_memalign(&object, 0, 10) == EINVAL);
    errno = 77;
    CHECK(posix_memalign(&object, 64, (size_t)1 << 60) == ENOMEM && errno == 77 && object == &object);
    CHECK(posix_memalign(&object, 64, 10) == 0 && ((uintptr_t)object & 63) == 0);
    free(object);
}

static void what_is_too_large_is_refused(void) {
    volatile size_t huge = (size_t)1 << 60;
    errno = 0;
    CHECK(malloc(huge) == NULL && errno == ENOMEM);
    errno = 0;
    volatile size_t most = SIZE_MAX;
    CHECK(malloc(most) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(malloc(most / 2 + 1) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(calloc(huge, 16) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(calloc(huge, 1) == NULL && errno == ENOMEM);
    void *object = malloc(10);
    errno = 0;
    CHECK(realloc(object, huge) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(reallocarray(object, huge, 32) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(aligned_alloc(64, huge) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(memalign(huge, huge) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(memalign(huge * 8, 1) == NULL && errno == ENOMEM);
    free(object);
}

static void success_leaves_errno_alone(void) {
    errno = 33;
    for (size_t size = 1; size < 64 * MIB; size *= 3) {
        void *object = malloc(size);
        object = realloc(object, size * 2);
        free(object);
    }
    free(NULL);
    CHECK(errno == 33);
}

static void calloc_is_zero_also_where_memory_is_used_again(void) {
    for (unsigned round = 0; round < 3; round++)
        for (size_t size = 1; size < 8 * MIB; size = size * 5 / 3 + 1) {
            unsigned char *object = calloc(1, size);
            CHECK(filled(object, size, 0));
            fill(object, size, 0xEE);
            free(object);
        }
}

static void realloc_keeps_contents_as_it_grows_and_shrinks(void) {
    unsigned char *object = NULL;
    size_t size = 0;
    for (size_t next = 1; next < 6 * MIB; next = next * 9 / 7 + 3) {
        object = realloc(object, next);
        for (size_t i = 0; i < size; i += 251) CHECK(object[i] == (unsigned char)(i / 251));
        for (size_t i = 0; i < next; i += 251) object[i] = (unsigned char)(i / 251);
        size = next;
    }
    for (size_t next = size; next > 10; next = next * 2 / 3) {
        object = realloc(object, next);
        for (size_t i = 0; i < next; i += 251) CHECK(object[i] == (unsigned char)(i / 251));
    }
    CHECK(realloc(object, 0) == NULL);
    object = reallocarray(NULL, 10, 10);
    CHECK(malloc_usable_size(object) >= 100);
    free(object);
}

static void large_objects_come_and_go(void) {
    unsigned char *objects[64] = {NULL};
    size_t sizes[64] = {0};
    unsigned state = 5;
    for (unsigned i = 0; i < 2000; i++) {
        unsigned k = next_random(&state) % 64;
        if (objects[k] != NULL) CHECK(objects[k][0] == k && objects[k][sizes[k] - 1] == k);
        free(objects[k]);
        sizes[k] = 30000 + next_random(&state) % (i % 16 == 0 ? 5000000 : 400000);
        objects[k] = malloc(sizes[k]);
        objects[k][0] = objects[k][sizes[k] - 1] = (unsigned char)k;
    }
    for (unsigned k = 0; k < 64; k++) free(objects[k]);
}

/* What was freed of several serves one, wherever it lay, and costs no new frames. */
static void buffers_are_made_of_what_was_freed(void) {
    enum { LIVE = 20, STEPS = 1000, PAGE = 4096 };
    static unsigned char *objects[LIVE];
    static size_t pages[LIVE];
    struct rusage before, after;
    unsigned state = 9;
    size_t touched = 0;
    getrusage(RUSAGE_SELF, &before);
    for (unsigned i = 0; i < STEPS; i++) {
        unsigned k = next_random(&state) % LIVE;
        for (size_t p = 0; p < pages[k]; p++)
            CHECK(objects[k][p * PAGE] == (unsigned char)(k + p) && objects[k][p * PAGE + PAGE - 1] == (unsigned char)(k + p));
        free(objects[k]);
        pages[k] = 256 + next_random(&state) % 768;
        objects[k] = i % 7 == 0 ? calloc(pages[k], PAGE) : malloc(pages[k] * PAGE);
        for (size_t p = 0; p < pages[k]; p++) {
            if (i % 7 == 0) CHECK(objects[k][p * PAGE] == 0 && objects[k][p * PAGE + PAGE - 1] == 0);
            objects[k][p * PAGE] = objects[k][p * PAGE + PAGE - 1] = (unsigned char)(k + p);
        }
        touched += pages[k];
    }
    getrusage(RUSAGE_SELF, &after);
    CHECK((size_t)(after.ru_minflt - before.ru_minflt) < touched / 4);
    for (unsigned k = 0; k < LIVE; k++) free(objects[k]);
}

/* The allocator keeps nothing in objects: whatever is written into freed ones, all later objects are disjoint. */
static void writes_into_freed_objects_reach_nothing_else(void) {
    enum { COUNT = 5000 };
    static unsigned char *objects[COUNT];
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned i = 0; i < COUNT; i++) objects[i] = malloc(16 + i % 300);
        for (unsigned i = 0; i < COUNT; i += 2) {
            unsigned char *volatile dangling = objects[i];
            free(objects[i]);
            for (unsigned k = 0; k < 16; k++) *(volatile unsigned char *)(dangling + k) = 0xFF;
        }
        for (unsigned i = 0; i < COUNT; i += 2) objects[i] = malloc(16 + i % 300);
        for (unsigned i = 0; i < COUNT; i++) memset(objects[i], (int)(i % 251), 16 + i % 300);
        for (unsigned i = 0; i < COUNT; i++) CHECK(filled(objects[i], 16 + i % 300, (unsigned char)(i % 251)));
        for (unsigned i = 0; i < COUNT; i++) free(objects[i]);
    }
}

#if defined(__GLIBC__) && !defined(TT_PREFIXED)
static void what_was_freed_goes_back_to_the_system(void) {
    enum { COUNT = 20000 };
    static void *objects[COUNT];
    for (unsigned i = 0; i < COUNT; i++) memset(objects[i] = malloc(1000), 1, 1000);
    for (unsigned i = 0; i < COUNT; i++) free(objects[i]);
    (void)malloc_trim(0);
    CHECK(mallinfo2().keepcost < 2 * MIB);
}
#else
static void what_was_freed_goes_back_to_the_system(void) {}
#endif

static void *volatile twice;
static void free_twice(void) {
    twice = malloc(100);
    void *other = twice;
    free(twice);
    free(other);
}
static void free_large_twice(void) {
    twice = malloc(100000);
    void *other = twice;
    free(twice);
    free(other);
}
static void free_mapped_twice(void) {
    twice = malloc(50 * MIB);
    void *other = twice;
    free(twice);
    free(other);
}
static void free_inside(void) { free((unsigned char *)(twice = malloc(100)) + 16); }
static void free_inside_large(void) { free((unsigned char *)(twice = malloc(100000)) + 4096); }
static void free_never_allocated(void) {
    twice = malloc(100);
    free((void *)(((uintptr_t)twice | 0x1FFFFFF) - 0xFFF));
}
static void free_of_stack(void) {
    char local[64];
    twice = local;
    free(twice);
}
static void free_of_mapping(void) {
    twice = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    free(twice);
}
static void free_of_nonsense(void) {
    twice = (void *)(uintptr_t)0xDEADBEEFDEADBEEF;
    free(twice);
}
static void realloc_of_freed(void) {
    twice = malloc(100);
    void *other = twice;
    free(twice);
    sink = realloc(other, 200);
}
static void realloc_of_stack(void) {
    char local[64];
    twice = local;
    sink = realloc(twice, 100);
}

static void wrong_frees_are_reported(void) {
    CHECK_ABORTS(free_twice, "double free of 0x");
    CHECK_ABORTS(free_twice, "first freed at ");
    CHECK_ABORTS(free_large_twice, "free of an address at which no object starts: 0x");
    CHECK_ABORTS(free_mapped_twice, "free of an address that this malloc did not return: 0x");
    CHECK_ABORTS(free_inside, "free of an address at which no object starts: 0x");
    CHECK_ABORTS(free_inside_large, "free of an address at which no object starts: 0x");
    CHECK_ABORTS(free_never_allocated, "free of an address at which no object starts: 0x");
    CHECK_ABORTS(free_of_stack, "free of an address that this malloc did not return: 0x");
    CHECK_ABORTS(free_of_mapping, "free of an address that this malloc did not return: 0x");
    CHECK_ABORTS(free_of_nonsense, "free of an address that this malloc did not return: 0xdeadbeefdeadbeef");
    CHECK_ABORTS(realloc_of_freed, "double free of 0x");
    CHECK_ABORTS(realloc_of_stack, "free of an address that this malloc did not return: 0x");
}

/* Each of 1000 slots of a site, freed a second time at some later point. */
static void free_old_twice(void) {
    void *objects[1000];
    for (unsigned i = 0; i < 1000; i++) objects[i] = malloc(48);
    for (unsigned i = 0; i < 1000; i += 3) free(objects[i]);
    free(objects[333]);
}

/* Objects of one site, enough for it to keep ages apart. */
enum { MANY = 60000 };
static char *many[MANY];
static __attribute__((noinline)) char *one_of_many(void) {
    char *object = malloc(64);
    object[0] = 1;
    return object;
}
static void allocate_many(void) {
    for (unsigned i = 0; i < MANY; i++) many[i] = one_of_many();
}
static bool empty_pages[1 << 16];
static bool *empty_page(const char *object) { return &empty_pages[(uintptr_t)object / 4096 % (1 << 16)]; }
/* Some pages come to be empty, and are used again; when one is begun, what was on it is freed a second time. */
static void free_twice_what_is_to_be_filled_again(void) {
    allocate_many();
    for (unsigned i = 0; i < MANY; i++) *empty_page(many[i]) = true;
    for (unsigned i = 0; i < MANY; i++) {
        if (i % 1024 < 896)
            *empty_page(many[i]) = false;
        else
            free(many[i]);
    }
    for (unsigned i = 0; i < MANY; i++) {
        char *object = one_of_many();
        if (!*empty_page(object)) continue;
        twice = (uintptr_t)object % 4096 < 2048 ? object + 64 : object - 64;
        free(twice);
        return;
    }
}
/* One in five is freed: from then on what was freed last is handed out next. */
static void fill_dead_slots(void) {
    allocate_many();
    for (unsigned i = 0; i < MANY; i += 5) free(many[i]);
    for (unsigned i = 0; i < MANY / 10; i++) sink = one_of_many();
}
static void free_twice_what_comes_next(void) {
    fill_dead_slots();
    twice = many[1];
    free(many[1]);
    free(twice);
}
static void free_twice_what_came_next(void) {
    fill_dead_slots();
    twice = many[1];
    free(many[1]);
    free(many[2]);
    free(twice);
}
static void realloc_what_comes_next(void) {
    fill_dead_slots();
    twice = many[1];
    free(many[1]);
    sink = realloc(twice, 60);
}

static void a_segregated_objects_second_free_is_reported(void) {
    CHECK_ABORTS(free_old_twice, "double free of 0x");
    CHECK_ABORTS(free_twice_what_is_to_be_filled_again, "double free of 0x");
    CHECK_ABORTS(free_twice_what_comes_next, "double free of 0x");
    CHECK_ABORTS(free_twice_what_came_next, "double free of 0x");
    CHECK_ABORTS(realloc_what_comes_next, "double free of 0x");
}

const struct test tests[] = {
    {"every size up to 1 MiB holds its bytes", every_size_up_to_1_mib_holds_its_bytes},
    {"memory wasted by rounding is an eighth at most", memory_wasted_by_rounding_is_an_eighth_at_most},
    {"every alignment is kept", every_alignment_is_kept},
    {"posix_memalign says what is wrong", posix_memalign_says_what_is_wrong},
    {"what is too large is refused", what_is_too_large_is_refused},
    {"success leaves errno alone", success_leaves_errno_alone},
    {"calloc is zero also where memory is used again", calloc_is_zero_also_where_memory_is_used_again},
    {"realloc keeps contents as it grows and shrinks", realloc_keeps_contents_as_it_grows_and_shrinks},
    {"large objects come and go", large_objects_come_and_go},
    {"buffers are made of what was freed", buffers_are_made_of_what_was_freed},
    {"writes into freed objects reach nothing else", writes_into_freed_objects_reach_nothing_else},
    {"what was freed goes back to the system", what_was_freed_goes_back_to_the_system},
    {"wrong frees are reported", wrong_frees_are_reported},
    {"a segregated object's second free is reported", a_segregated_objects_second_free_is_reported},
    {NULL, NULL},
};
