/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The global clock model-checked: every state that two and three threads can reach by ticking, leaving, blocking, joining (or
 * resuming) and declaring one another blocked, any number of times each, in every interleaving of their accesses to shared words.
 *
 * The code is the library's own (global.h). States are told apart by the word, what each thread has noted, where it stands in which
 * operation and what matters of what it has read there. Periods are only ever compared for being equal, and one that is over does not
 * come again, so how old it is makes no difference; that makes the states finitely many, though time advances without end. (All
 * 32 bits of a period coming round while one thread sleeps is left out by that.)
 *
 * Shown: the word counts those that take part; time advances by one, and only when each of them has ticked since it last did; and
 * whenever all are between operations, ticks let time advance unless nobody takes part.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coroutine.h"
#include "harness.h"

enum operation { TICK, LEAVE, BLOCK, JOIN, DECLARE_NEXT, DECLARE_OTHER, IDLE };

/* Of each stack, from its end: what a coroutine uses of it. */
#define SAVED 512

struct position {
    enum operation operation;
    bool has_read;
    uint64_t word;   /* as last read in this operation */
    uint32_t status; /* the same for its own status */
};

/* All that a run depends on, to come back to it. */
struct snapshot {
    struct global global;
    struct stm_participant who[COROUTINES_MOST];
    struct coroutine coroutine[COROUTINES_MOST];
    struct position position[COROUTINES_MOST];
    int present[COROUTINES_MOST];
    bool takes_part[COROUTINES_MOST], ticked[COROUTINES_MOST];
    char stacks[COROUTINES_MOST][SAVED];
};

static int threads;
static struct global global;
static struct stm_participant who[COROUTINES_MOST];
static struct position position[COROUTINES_MOST];
/* What an observer knows: how often a thread is counted in the word (twice, if it has come back before whoever declared it blocked has
 * taken it out); whether it takes part, from the moment it is counted until it or another one says that it does not; and whether it has
 * ticked since it came, and since time advanced or the period began anew. */
static int present[COROUTINES_MOST];
static bool takes_part[COROUTINES_MOST], ticked[COROUTINES_MOST];
static int load_line; /* where the word is read anew, so that what was read before no longer matters */

static int target_of(int self, enum operation operation) {
    return (self + (operation == DECLARE_OTHER ? 2 : 1)) % threads;
}

static void perform(int self, enum operation operation) {
    switch (operation) {
    case TICK: (void)global_tick(&global, &who[self]); break;
    case LEAVE: global_exit(&global, &who[self], OUTSIDE); break;
    case BLOCK: global_exit(&global, &who[self], BLOCKED); break;
    case JOIN:
        STM_STEP(STATUS);
        if (atomic_load(&who[self].status) != ACTIVE) (void)global_enter(&global, &who[self]);
        break;
    case DECLARE_NEXT:
    case DECLARE_OTHER: (void)global_declare_blocked(&global, &who[target_of(self, operation)]); break;
    case IDLE: break;
    }
}

static void coroutine_body(int self) {
    for (;;) {
        STM_STEP(NOTHING);
        perform(self, position[self].operation);
        position[self] = (struct position){.operation = IDLE};
    }
}

/* The thread did one access; what did it mean? */
static void observe(int self, enum operation operation, uint64_t before) {
    uint64_t after = atomic_load(&global.word);
    if (after == before) return;
    switch (operation) {
    case TICK: ticked[self] = true; break;
    case LEAVE:
    case BLOCK: present[self]--; break;
    case JOIN:
        present[self]++;
        takes_part[self] = true;
        ticked[self] = false;
        break;
    case DECLARE_NEXT:
    case DECLARE_OTHER:
        present[target_of(self, operation)]--;
        memset(ticked, 0, sizeof ticked);
        break;
    case IDLE: break;
    }
    uint32_t active = 0;
    for (int i = 0; i < threads; i++) active += (uint32_t)present[i];
    CHECK(global_active_of(after) == active);
    if (global_time_of(after) == global_time_of(before)) return;
    CHECK(global_time_of(after) == ((global_time_of(before) + 1) & GLOBAL_TIME_MASK));
    for (int i = 0; i < threads; i++) CHECK(!takes_part[i] || ticked[i]);
    memset(ticked, 0, sizeof ticked);
}

/* Nobody is in an operation: if anybody takes part, time must be able to advance. */
static void check_rest(void) {
    bool anybody = false;
    for (int i = 0; i < threads; i++)
        if (position[i].operation != IDLE) return;
    for (int i = 0; i < threads; i++) {
        anybody = anybody || atomic_load(&who[i].status) == ACTIVE;
        CHECK(takes_part[i] == (atomic_load(&who[i].status) == ACTIVE) && present[i] == takes_part[i]);
    }
    struct global then = {atomic_load(&global.word)};
    struct stm_participant they[COROUTINES_MOST];
    memcpy(they, who, sizeof they);
    scheduled = false;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < threads; i++) (void)global_tick(&then, &they[i]);
    scheduled = true;
    uint64_t passed = (global_time_of(atomic_load(&then.word)) - global_time_of(atomic_load(&global.word))) & GLOBAL_TIME_MASK;
    CHECK(anybody ? passed >= 1 : passed == 0);
}

/* One access of a thread, with which it begins `operation` if it was between two. */
static void step(int self, enum operation operation) {
    if (position[self].operation == IDLE) {
        position[self] = (struct position){.operation = operation};
        coroutine_resume(self);
        if (operation == TICK) load_line = coroutine[self].line;
    }
    uint64_t before = atomic_load(&global.word);
    bool active[COROUTINES_MOST];
    for (int i = 0; i < threads; i++) active[i] = atomic_load(&who[i].status) == ACTIVE;
    if (coroutine[self].accesses == WORD) position[self].word = before, position[self].has_read = true;
    else position[self].status = atomic_load(&who[self].status);
    enum operation now = position[self].operation;
    coroutine_resume(self);
    for (int i = 0; i < threads; i++)
        if (active[i] && atomic_load(&who[i].status) != ACTIVE) takes_part[i] = false;
    observe(self, now, before);
    if (position[self].operation == IDLE) check_rest();
}

/* A state's name. */
struct key {
    uint64_t low, high;
};

/* The lines of global.h where a thread may stop, numbered as they are met. */
static unsigned number_of_line(int line) {
    static int lines[16];
    static unsigned count;
    unsigned i = 0;
    while (i < count && lines[i] != line) i++;
    if (i == count) lines[count++] = line;
    return i;
}

static uint64_t packed;
static unsigned packed_bits;

static void pack(unsigned value, unsigned bits) {
    CHECK(value < 1U << bits);
    packed |= (uint64_t)value << packed_bits;
    packed_bits += bits;
}

/* What matters of the word that a thread has read: whether a swap may find it again, and whether its period is that of the thread's
 * last tick. A period that is over never comes again. */
static void pack_word_read(int self, uint32_t period, bool has_ticked) {
    bool matters = position[self].has_read && coroutine[self].line != load_line;
    uint64_t word = position[self].word;
    bool is_now = matters && global_period_of(word) == period;
    bool is_own = matters && position[self].operation == TICK && has_ticked && global_period_of(word) == who[self].period;
    pack(matters, 1);
    pack(is_now, 1);
    pack(is_own, 1);
    pack(is_now ? global_active_of(word) : 0, 3);
    pack(is_now ? global_remaining_of(word) : 0, 3);
}

#define THREAD_BITS 28

/* All that matters of one thread, but which one it declares blocked. */
static uint64_t code_of_thread(int self, uint32_t period) {
    packed = packed_bits = 0;
    uint32_t status = atomic_load(&who[self].status);
    enum operation operation = position[self].operation;
    /* Joining forgets the last tick. */
    bool has_ticked = who[self].ticked && (operation != IDLE || status == ACTIVE);
    pack(status, 2);
    pack(has_ticked, 1);
    pack(has_ticked && who[self].period == period, 1);
    pack((unsigned)present[self], 2);
    pack(takes_part[self], 1);
    pack(takes_part[self] && ticked[self], 1);
    pack(operation == DECLARE_OTHER ? DECLARE_NEXT : operation, 3);
    if (operation == IDLE) return packed;
    pack(number_of_line(coroutine[self].line), 4);
    bool was_seen = (operation == LEAVE || operation == BLOCK) && coroutine[self].accesses == STATUS;
    pack(was_seen ? position[self].status : 0, 2);
    pack_word_read(self, period, has_ticked);
    CHECK(packed_bits <= THREAD_BITS - 2);
    return packed;
}

/* The least of the names that the state has if the threads are renamed: which is which makes no difference. */
static struct key key_of_state(void) {
    static const int orders[6][COROUTINES_MOST] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint64_t word = atomic_load(&global.word), codes[COROUTINES_MOST];
    for (int i = 0; i < threads; i++) codes[i] = code_of_thread(i, global_period_of(word));
    struct key least = {UINT64_MAX, UINT64_MAX};
    for (int k = 0; k < (threads == 3 ? 6 : 2); k++) {
        uint64_t renamed[COROUTINES_MOST] = {0};
        for (int i = 0; i < threads; i++) {
            enum operation operation = position[i].operation;
            bool declares = operation == DECLARE_NEXT || operation == DECLARE_OTHER;
            uint64_t target = declares ? 1 + (uint64_t)orders[k][target_of(i, operation)] : 0;
            renamed[orders[k][i]] = codes[i] | target << (THREAD_BITS - 2);
        }
        struct key key = {renamed[0] | renamed[1] << 32,
                          renamed[2] | (uint64_t)global_active_of(word) << 32 | (uint64_t)global_remaining_of(word) << 40};
        if (key.high < least.high || (key.high == least.high && key.low < least.low)) least = key;
    }
    return least;
}

static struct key *table;
static size_t table_size, states, accesses;

static uint64_t hash_of(struct key key) {
    uint64_t state = key.low ^ (key.high * UINT64_C(0xff51afd7ed558ccd));
    return random_next(&state);
}

/* Notes the state. False if it was known. */
static bool is_new(struct key key) {
    if (states * 2 >= table_size) {
        struct key *old = table;
        size_t old_size = table_size;
        table_size = old_size == 0 ? 1 << 16 : old_size * 2;
        table = calloc(table_size, sizeof *table);
        if (table == NULL) abort();
        states = 0;
        for (size_t i = 0; i < old_size; i++)
            if (old[i].low != 0 || old[i].high != 0) (void)is_new(old[i]);
        free(old);
    }
    key.high |= UINT64_C(1) << 63; /* no key is 0 */
    size_t place = hash_of(key) & (table_size - 1);
    for (; table[place].high != 0; place = (place + 1) & (table_size - 1))
        if (table[place].low == key.low && table[place].high == key.high) return false;
    table[place] = key;
    states++;
    return true;
}

static void save(struct snapshot *snapshot) {
    snapshot->global = global;
    memcpy(snapshot->who, who, sizeof who);
    memcpy(snapshot->coroutine, coroutine, sizeof coroutine);
    memcpy(snapshot->position, position, sizeof position);
    memcpy(snapshot->present, present, sizeof present);
    memcpy(snapshot->takes_part, takes_part, sizeof takes_part);
    memcpy(snapshot->ticked, ticked, sizeof ticked);
    for (int i = 0; i < threads; i++)
        memcpy(snapshot->stacks[i], coroutine_stack[i] + sizeof coroutine_stack[i] - SAVED, SAVED);
}

static void restore(const struct snapshot *snapshot) {
    global = snapshot->global;
    memcpy(who, snapshot->who, sizeof who);
    memcpy(coroutine, snapshot->coroutine, sizeof coroutine);
    memcpy(position, snapshot->position, sizeof position);
    memcpy(present, snapshot->present, sizeof present);
    memcpy(takes_part, snapshot->takes_part, sizeof takes_part);
    memcpy(ticked, snapshot->ticked, sizeof ticked);
    for (int i = 0; i < threads; i++)
        memcpy(coroutine_stack[i] + sizeof coroutine_stack[i] - SAVED, snapshot->stacks[i], SAVED);
}

static void begin(uint64_t time) {
    scheduled = false;
    memset(who, 0, sizeof who);
    memset(coroutine, 0, sizeof coroutine);
    memset(ticked, 0, sizeof ticked);
    atomic_store(&global.word, global_word((uint32_t)(time << 12), 0, 0));
    for (int i = 0; i < threads; i++) {
        (void)global_enter(&global, &who[i]);
        present[i] = 1;
        takes_part[i] = true;
        position[i] = (struct position){.operation = IDLE};
    }
    scheduled = true;
    for (int i = 0; i < threads; i++) coroutine_resume(i);
    free(table);
    table = NULL;
    states = table_size = accesses = 0;
}

/* The choice's thread and operation. False if it is none: the thread is in an operation already, or there is nobody to declare. */
static bool choice_at(const struct snapshot *state, unsigned choice, int *self, enum operation *operation) {
    *self = (int)(choice / IDLE);
    *operation = (enum operation)(choice % IDLE);
    if (state->position[*self].operation != IDLE) return *operation == TICK;
    return *operation != DECLARE_OTHER || threads == 3;
}

/* States that are known and whose choices were not tried yet, all as many accesses away from the beginning. */
struct level {
    struct snapshot *states;
    size_t count, room;
};

static void add(struct level *level) {
    if (level->count == level->room) {
        level->room = level->room == 0 ? 1024 : level->room * 2;
        level->states = realloc(level->states, level->room * sizeof *level->states);
        if (level->states == NULL) abort();
    }
    save(&level->states[level->count++]);
}

/* Breadth first: no path is longer than it must be, so that generations within one unit of time do not come round, which takes 4096 of
 * them. */
static void explore(int count, uint64_t time) {
    threads = count;
    begin(time);
    struct level now = {NULL, 0, 0}, next = {NULL, 0, 0};
    (void)is_new(key_of_state());
    add(&now);
    size_t depth = 0;
    for (; now.count > 0; depth++) {
        for (size_t i = 0; i < now.count; i++) {
            for (unsigned choice = 0; choice < (unsigned)threads * IDLE; choice++) {
                int self;
                enum operation operation;
                if (!choice_at(&now.states[i], choice, &self, &operation)) continue;
                restore(&now.states[i]);
                step(self, operation);
                accesses++;
                if (is_new(key_of_state())) add(&next);
            }
        }
        struct level done = now;
        now = next;
        next = done;
        next.count = 0;
    }
    free(now.states);
    free(next.states);
    CHECK(depth < 1000);
    printf("%d threads: %zu states, %zu accesses, each reached by %zu at most\n", threads, states, accesses, depth);
}

static void two_threads(void) {
    explore(2, 5);
    CHECK(states > 1000);
}

static void three_threads(void) {
    explore(3, 5);
    CHECK(states > 100000);
}

static void across_the_end_of_time(void) { explore(2, GLOBAL_TIME_MASK); }

const struct test tests[] = {
    {"every state of two threads, whatever they do", two_threads},
    {"every state of three threads, whatever they do", three_threads},
    {"time wraps around", across_the_end_of_time},
    {NULL, NULL},
};
