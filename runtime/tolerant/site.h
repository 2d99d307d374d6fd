/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Contexts and sites. A context is a return address, the second caller's where it is known, and a depth of the stack;
 * it is counted by samples, at first one allocation in 16. A context of which enough sampled objects live at a time is
 * unwound once, and from then on its objects belong to the site of its last four callers (papers/004…, §3.1).
 */
#ifndef TENURE_TOLERANT_SITE_H
#define TENURE_TOLERANT_SITE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TT_SITE_FRAMES 4   /* that tell sites apart */
#define TT_STACK_FRAMES 24 /* that a report shows */
#define TT_WITNESS_STACK 12 /* of a single object */
#define TT_WITNESSES 8     /* of a site */
#define TT_HISTORY 24      /* points of a site's size over time */

/* For whom an object of a site was allocated that lies on a page of samples, so that it is known when it is freed. */
struct tt_witness {
    struct tt_witness *next; /* of the site's; fixed once published */
    uint32_t number;         /* from 1 on; fixed */
    _Atomic uint32_t key;    /* stands for the object, instead of a context's; 0: it was freed */
    uint32_t looks;          /* that it lived through */
    uint32_t seen;           /* at which of the site's looks it last lived */
    uint32_t order;          /* of all witnesses */
    uint32_t bytes;
    uint32_t frames;
    uintptr_t stack[TT_WITNESS_STACK];
};
#define TT_KEY_WITNESS (UINT32_C(1) << 31)

struct tt_site {
    uint32_t number; /* from 1 on */
    uint32_t frames;
    uint64_t hash;
    struct tt_site *next;  /* in its slot of the table */
    struct tt_site *older; /* fixed once published */
    uint32_t since; /* seconds of the monotonic clock */
    _Atomic uint64_t large_allocated;
    uintptr_t stack[TT_STACK_FRAMES]; /* of its first object */
    struct tt_witness *_Atomic witnesses;
    /* As of the last survey; written by whoever surveys. */
    uint64_t objects, bytes, cold_bytes, allocated;
    uint64_t large_objects, large_bytes; /* of them */
    /* Of large objects whose use is watched (watch.h). */
    uint32_t watched, watched_cold;
    /* If three of four that are watched are cold, or more: the last birth before the youngest of them was watched, or
     * 0. */
    uint64_t cold_until;
    uint64_t examined_until; /* those born until then were looked at for zeros (blank.h) */
    uint64_t examined_objects; /* large ones that there were then */
    uint64_t watched_bytes, watched_cold_bytes;
    uint32_t oldest;
    uint32_t looks;
    uint32_t points; /* of the history */
    struct {
        uint64_t at;          /* milliseconds of the monotonic clock */
        uint64_t allocations; /* by then, of the whole process */
        uint64_t bytes;
    } history[TT_HISTORY];
};

struct tt_key {
    uint64_t hash;    /* of the address, the second caller and the depth; 0: free */
    uint64_t classes; /* of which objects were sampled, pairs of two that lie side by side as one */
    _Atomic uint16_t period;
    uint16_t offset; /* of the second caller's return address from the stack pointer; 0: not known, or part of the key */
    _Atomic uint32_t sampled;
    _Atomic bool wrapper; /* another second caller was seen there than `second` */
    uintptr_t second;
    _Atomic uint32_t live;   /* sampled objects */
    _Atomic uint32_t stands; /* for so many objects */
    struct tt_site *_Atomic site;
};

/* The index of the context's key; 0 if no more can be kept. second: the second caller, or 0. */
uint32_t tt_key_of(uintptr_t address, uintptr_t second, uintptr_t depth);
struct tt_key *tt_key_at(uint32_t index);

/* Counts a sampled object of the key, which stands for a period of them; true if the key's objects should have heaps of
 * their own. *mark is what is kept with the object. */
bool tt_key_sampled(struct tt_key *key, uint32_t index, unsigned size_class, uint32_t *mark);

/* About how many live objects of a class the key has. */
size_t tt_key_objects(struct tt_key *key);

/* The sampled object was freed, or could not be had. */
void tt_key_released(uint32_t mark);

/* The site of a stack of return addresses, innermost first; NULL if no more can be kept. */
struct tt_site *tt_site_of(const uintptr_t *stack, unsigned frames);

/* Notes for whom an object of the site is allocated; the key that stands for it, 0 if there is no room for one more. */
uint32_t tt_witness_add(struct tt_site *site, size_t bytes, const uintptr_t *stack, unsigned frames);
void tt_witness_gone(uint32_t key);

/* Those that live have lived through one look more. */
void tt_witnesses_look(struct tt_site *site);

/* The stack for which most bytes live on, as far as witnesses tell, or else of the site's first object; returns its
 * frames. */
unsigned tt_site_stack(const struct tt_site *site, uintptr_t stack[TT_STACK_FRAMES]);

/* The site's witness of that index that stays; 0 if there is none. Returns its frames. */
unsigned tt_site_witness(const struct tt_site *site, unsigned index, uintptr_t stack[TT_STACK_FRAMES], uint32_t *bytes);

/* The site of that number; NULL if there is none. */
struct tt_site *tt_site_numbered(uint32_t number);

struct tt_site *tt_sites_first(void);
uint32_t tt_site_count(void);
uint32_t tt_key_count(void);

void tt_sites_before_fork(void);
void tt_sites_after_fork(bool child);

#endif
