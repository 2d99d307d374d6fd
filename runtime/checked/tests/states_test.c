/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The protocol of moving/block.h as a small machine, of which every interleaving is explored: two mutators that touch, read, write, pin,
 * poll and delete one object, a mover that moves its block, and the giving back of frames. Each step is one access to a word that
 * threads share. What must hold in every state: who uses an address that a touch gave and that has not ended reads what was
 * written last, and not what is left of a block whose frames went; and from every state all can end.
 *
 * Controls: the same machine with one part of the protocol left out is found to be wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { NORMAL, MOVING, COPYING, PROMOTED, DEAD }; /* of a block */
enum { SOURCE, TARGET, NOWHERE };                 /* where an address is */
enum flaw { NONE, LOOKS_ONCE, NO_HANDSHAKE, PINS_COUNTED_EARLY, FRAMES_GO_AT_ONCE, TOUCH_DOES_NOT_CANCEL, FLAWS };
#define GARBAGE 9

struct mutator {
    uint8_t at, step; /* in the script; in its operation */
    uint8_t address, seen, pinned, wrote;
};
struct machine {
    struct mutator m[2];
    uint8_t state[2], value[2], gone[2], pins[2];
    uint8_t mover, wanted;             /* the mover's step; the epoch that it waits for */
    uint8_t grave, buried, grave_wanted; /* which block's frames are to go, plus 1; the step of that */
    uint8_t epoch, current;            /* current: what was written last, for comparison */
};

static const char *const scripts[] = {"TRPTR", "TWTR", "TWPTRW", "TD", "TRD", "NRPUTR", "NPRU", "NPDPRU", "TPD", "DTR"};
#define SCRIPTS (sizeof scripts / sizeof *scripts)

static enum flaw flaw;
static const char *script[2];
static const char *wrong;

/* The set of machines that were seen, by open addressing; and a stack of those to go on from. */
#define SEEN (1 << 20)
static struct machine seen[SEEN], stack[SEEN];
static uint8_t taken[SEEN];
static size_t seen_count, depth;

static void reach(const struct machine *machine) {
    uint64_t hash = 0;
    const unsigned char *bytes = (const unsigned char *)machine;
    for (size_t i = 0; i < sizeof *machine; i++) hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    size_t place = (hash ^ hash >> 29) % SEEN;
    while (taken[place] && memcmp(&seen[place], machine, sizeof *machine) != 0) place = (place + 1) % SEEN;
    if (taken[place]) return;
    taken[place] = 1;
    seen[place] = *machine;
    if (++seen_count > SEEN / 2) abort();
    stack[depth++] = *machine;
}

static int ended(const struct machine *s, int who) { return script[who][s->m[who].at] == '\0'; }

/* Whether a mutator holds back an epoch. One that has ended is away. */
static int reached(const struct machine *s, uint8_t epoch) {
    for (int i = 0; i < 2; i++)
        if (!ended(s, i) && s->m[i].seen < epoch) return 0;
    return 1;
}

static void next(struct machine *s, int who) {
    s->m[who].at++;
    s->m[who].step = 0;
}

static void end(struct machine *s, int who) {
    s->m[who].at = (uint8_t)strlen(script[who]);
    s->m[who].step = 0;
    s->m[who].address = NOWHERE;
}

/* One step of looking for the object; 1 when m->address is where it is, -1 if it is gone, 0 if it must look again; 2 if it waits. */
static int look(struct machine *s, struct mutator *m) {
    uint8_t *state = &s->state[m->address];
    switch (*state) {
    case NORMAL: return 1;
    case MOVING:
        if (flaw == TOUCH_DOES_NOT_CANCEL) return 1;
        m->step += 8; /* the compare-and-swap is a step of its own */
        return 0;
    case COPYING: return 2;
    case PROMOTED:
        if (s->gone[SOURCE]) return -1;
        m->address = TARGET;
        return 0;
    default: return -1;
    }
}

/* A touch up to its end: 1, or -1 where it raises. */
static int touch(struct machine *s, struct mutator *m) {
    if (m->step >= 8) {
        m->step -= 8;
        int was = s->state[m->address] == MOVING;
        if (was) s->state[m->address] = NORMAL;
        return flaw == LOOKS_ONCE ? 1 : 0;
    }
    if (m->address == NOWHERE) m->address = SOURCE; /* the reference as it was at first */
    return look(s, m);
}

static void die_if_due(struct machine *s, int block) {
    if (!s->gone[block] || s->pins[block] != 0 || (s->state[block] != NORMAL && s->state[block] != MOVING)) return;
    s->state[block] = DEAD;
    s->grave = (uint8_t)(block + 1);
    s->buried = 0;
}

static void poll(struct machine *s, struct mutator *m) {
    m->seen = s->epoch;
    if (!m->pinned) m->address = NOWHERE;
}

/* One step of an operation; 0 if it has to wait. */
static int mutate(struct machine *s, int who) {
    struct mutator *m = &s->m[who];
    char what = script[who][m->at];
    int found;
    switch (what) {
    case 'T':
        found = touch(s, m);
        if (found == 2) return 0;
        if (found == 1) next(s, who);
        if (found == -1) end(s, who);
        return 1;
    case 'R':
        if (m->address == NOWHERE) break;
        if (s->value[m->address] != s->current) wrong = "a read finds something else than was written last";
        break;
    case 'W':
        if (m->address == NOWHERE) break;
        if (s->value[m->address] == GARBAGE) wrong = "a write goes where no memory is";
        s->value[m->address] = s->current = (uint8_t)(1 + who);
        break;
    case 'P': poll(s, m); break;
    case 'N': /* find, count a pin, find again */
        if (m->step % 8 == 0 || m->step % 8 == 2) {
            uint8_t before = m->address;
            found = touch(s, m);
            if (found == 2) return 0;
            if (found == -1) {
                if (m->step % 8 == 2) s->pins[before]--;
                end(s, who);
            }
            if (found == 0 && m->step % 8 == 2 && m->address != before) { /* it moved: takes the pin back */
                s->pins[before]--;
                m->step = 0;
            }
            if (found == 1 && m->step == 0) {
                m->step = 1;
            } else if (found == 1) {
                m->pinned = 1;
                next(s, who);
            }
            return 1;
        }
        s->pins[m->address]++;
        m->step = 2;
        return 1;
    case 'U':
        s->pins[m->address]--;
        m->pinned = 0;
        die_if_due(s, m->address);
        break;
    default: /* 'D': find, mark, and the block may die; then this thread polls */
        if (m->step % 8 == 0) {
            found = touch(s, m);
            if (found == 2) return 0;
            if (found == 1) m->step = 1;
            if (found == -1) end(s, who);
            return 1;
        }
        if (m->step == 1) {
            if (s->gone[m->address]) { /* a second delete raises */
                if (m->pinned)
                    next(s, who);
                else
                    end(s, who);
                return 1;
            }
            s->gone[m->address] = 1;
            m->step = 2;
            return 1;
        }
        die_if_due(s, m->address);
        poll(s, m);
        break;
    }
    next(s, who);
    return 1;
}

static int move(struct machine *s) {
    switch (s->mover) {
    case 0:
        if (s->state[SOURCE] != NORMAL || s->pins[SOURCE] != 0) break;
        s->mover = 9;
        return 1;
    case 9:
        if (s->state[SOURCE] != NORMAL) break;
        s->state[SOURCE] = MOVING;
        s->mover = 1;
        return 1;
    case 1:
        s->wanted = ++s->epoch;
        s->mover++;
        return 1;
    case 2:
        if (flaw != NO_HANDSHAKE && !reached(s, s->wanted)) return 0;
        s->mover++;
        return 1;
    case 3:
        if (s->state[SOURCE] != MOVING) break;
        s->state[SOURCE] = COPYING;
        s->mover++;
        return 1;
    case 4:
        s->mover++;
        if (flaw == PINS_COUNTED_EARLY || s->pins[SOURCE] == 0) return 1;
        s->state[SOURCE] = NORMAL;
        die_if_due(s, SOURCE);
        break;
    case 5:
        if (!s->gone[SOURCE]) s->value[TARGET] = s->value[SOURCE];
        s->mover++;
        return 1;
    case 6:
        s->state[SOURCE] = s->gone[SOURCE] ? DEAD : PROMOTED;
        s->mover++;
        return 1;
    case 7: s->value[SOURCE] = GARBAGE; break;
    default: return 0;
    }
    s->mover = 8;
    return 1;
}

static int bury(struct machine *s) {
    if (s->grave == 0) return 0;
    switch (s->buried) {
    case 0:
        s->grave_wanted = ++s->epoch;
        s->buried++;
        return 1;
    case 1:
        if (flaw != FRAMES_GO_AT_ONCE && !reached(s, s->grave_wanted)) return 0;
        s->buried++;
        return 1;
    default:
        s->value[s->grave - 1] = GARBAGE;
        s->grave = 0;
        return 1;
    }
}

/* Explores all interleavings; what is wrong in one of them, or NULL. */
static const char *explore(void) {
    struct machine first;
    memset(&first, 0, sizeof first);
    memset(taken, 0, sizeof taken);
    first.m[0].address = first.m[1].address = NOWHERE;
    seen_count = depth = 0;
    wrong = NULL;
    reach(&first);
    while (depth > 0 && wrong == NULL) {
        struct machine s = stack[--depth];
        int progress = 0;
        for (int who = 0; who < 4; who++) {
            struct machine after = s;
            int did = who < 2 ? !ended(&s, who) && mutate(&after, who) : who == 2 ? move(&after) : bury(&after);
            progress |= did;
            if (did) reach(&after);
        }
        int all = ended(&s, 0) && ended(&s, 1) && s.mover == 8 && s.grave == 0;
        if (!progress && !all) wrong = "all wait for each other";
    }
    return wrong;
}

static size_t states;
static int pairs_that_are_wrong(void) {
    int bad = 0;
    states = 0;
    for (size_t i = 0; i < SCRIPTS; i++)
        for (size_t j = i; j < SCRIPTS; j++) {
            script[0] = scripts[i];
            script[1] = scripts[j];
            if (explore() != NULL) {
                if (flaw == NONE) printf("%s and %s: %s\n", script[0], script[1], wrong);
                bad++;
            }
            states += seen_count;
        }
    return bad;
}

static void every_interleaving_keeps_the_promise(void) {
    flaw = NONE;
    CHECK(pairs_that_are_wrong() == 0);
    if (test_argc > 2) printf("%zu states of %zu pairs of scripts\n", states, SCRIPTS * (SCRIPTS + 1) / 2);
}

static void each_flaw_is_found(void) {
    for (flaw = NONE + 1; flaw < FLAWS; flaw++) {
        int bad = pairs_that_are_wrong();
        CHECK(bad > 0);
        if (test_argc > 2) printf("flaw %d: %d pairs are wrong\n", (int)flaw, bad);
    }
}

const struct test tests[] = {
    {"every interleaving keeps the promise", every_interleaving_keeps_the_promise},
    {"each flaw is found", each_flaw_is_found},
    {NULL, NULL},
};
