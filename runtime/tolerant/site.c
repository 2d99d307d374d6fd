/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/site.h"

#include "prim/lock.h"
#include "prim/unwind.h"
#include "tolerant/option.h"
#include "tolerant/page.h"

/* Keys are found through blocks that never move; the table of indices grows by doubling. */
#define BLOCK_KEYS 256
#define BLOCKS_MOST 512
#define KEYS_MOST (BLOCK_KEYS * BLOCKS_MOST)
#define SITE_SLOTS 1024
#define SITES_MOST 20000
#define WITNESS_BITS 13
#define WITNESSES_MOST (UINT32_C(1) << WITNESS_BITS)
/* Live samples before a context counts as one that keeps objects. */
#define SAMPLES_LEAST 4
#define PERIOD_FIRST 16
#define PERIOD_MOST 256

static tn_lock lock = TN_LOCK_INITIALIZER;
static TN_SPARSE struct tt_key *_Atomic blocks[BLOCKS_MOST];
static uint32_t *table;
static size_t table_size;
static _Atomic uint32_t key_count;

static TN_SPARSE struct tt_site *sites[SITE_SLOTS];
static struct tt_site *_Atomic newest_site;
static _Atomic uint32_t site_count;
static TN_SPARSE struct tt_site *_Atomic numbered[SITES_MOST];
static TN_SPARSE struct tt_witness *_Atomic witnesses[WITNESSES_MOST];
static uint32_t witness_count, witness_order;

static uint64_t mix(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ (x >> 32);
}

struct tt_key *tt_key_at(uint32_t index) {
    if (index == 0 || index > atomic_load_explicit(&key_count, memory_order_acquire)) return NULL;
    return &atomic_load_explicit(&blocks[(index - 1) / BLOCK_KEYS], memory_order_acquire)[(index - 1) % BLOCK_KEYS];
}

/* Under the lock: where the hash is or belongs. */
static uint32_t *find(uint64_t hash) {
    size_t i = (size_t)hash & (table_size - 1);
    while (table[i] != 0 && tt_key_at(table[i])->hash != hash) i = (i + 1) & (table_size - 1);
    return &table[i];
}

static bool grow(void) {
    size_t old_size = table_size;
    uint32_t *old = table;
    size_t size = old_size == 0 ? 256 : 2 * old_size;
    uint32_t *wider = tt_metadata(size * sizeof *wider);
    if (wider == NULL) return false;
    table = wider;
    table_size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != 0) *find(tt_key_at(old[i])->hash) = old[i];
    return true;
}

static uint16_t first_period(void) {
    int64_t objects = tt_option(TT_OPTION_SITE_OBJECTS);
    int64_t period = objects / SAMPLES_LEAST;
    if (period > PERIOD_FIRST) period = PERIOD_FIRST;
    return (uint16_t)(period < 1 ? 1 : 1u << (63 - __builtin_clzll((unsigned long long)period)));
}

/* Under the lock. */
static uint32_t add(uint32_t *place, uint64_t hash) {
    uint32_t count = atomic_load_explicit(&key_count, memory_order_relaxed);
    if (count == KEYS_MOST) return 0;
    struct tt_key *_Atomic *block = &blocks[count / BLOCK_KEYS];
    if (atomic_load_explicit(block, memory_order_relaxed) == NULL) {
        struct tt_key *fresh = tt_metadata(BLOCK_KEYS * sizeof *fresh);
        if (fresh == NULL) return 0;
        atomic_store_explicit(block, fresh, memory_order_release);
    }
    struct tt_key *key = &atomic_load_explicit(block, memory_order_relaxed)[count % BLOCK_KEYS];
    key->hash = hash;
    key->period = first_period();
    atomic_store_explicit(&key_count, count + 1, memory_order_release);
    *place = count + 1;
    return count + 1;
}

uint32_t tt_key_of(uintptr_t address, uintptr_t second, uintptr_t depth) {
    uint64_t hash = mix((uint64_t)address ^ mix((uint64_t)depth + 1 + mix((uint64_t)second))) | 1;
    tn_lock_acquire(&lock);
    uint32_t index = 0;
    if ((size_t)atomic_load_explicit(&key_count, memory_order_relaxed) * 2 < table_size || grow()) {
        uint32_t *place = find(hash);
        index = *place != 0 ? *place : add(place, hash);
    }
    tn_lock_release(&lock);
    return index;
}

/* A mark holds the key's index and the logarithm of what the object stands for. */
#define MARK_SHIFT 24
_Static_assert(KEYS_MOST < 1 << MARK_SHIFT && PERIOD_MOST <= 1 << 15, "a mark has room for both, and for TT_KEY_WITNESS");

size_t tt_key_objects(struct tt_key *key) {
    unsigned classes = tt_count_bits(__atomic_load_n(&key->classes, __ATOMIC_RELAXED));
    return atomic_load_explicit(&key->stands, memory_order_relaxed) / (classes == 0 ? 1 : classes);
}

bool tt_key_sampled(struct tt_key *key, uint32_t index, unsigned size_class, uint32_t *mark) {
    uint64_t classes = __atomic_load_n(&key->classes, __ATOMIC_RELAXED), bit = (uint64_t)1 << size_class / 2;
    if ((classes & bit) == 0) __atomic_store_n(&key->classes, classes | bit, __ATOMIC_RELAXED);
    uint32_t period = key->period;
    *mark = index | (uint32_t)__builtin_ctz(period) << MARK_SHIFT;
    uint32_t live = atomic_fetch_add_explicit(&key->live, 1, memory_order_relaxed) + 1;
    uint32_t stands = atomic_fetch_add_explicit(&key->stands, period, memory_order_relaxed) + period;
    uint32_t sampled = ++key->sampled; /* two threads may lose a count */
    if (stands >= (uint64_t)tt_option(TT_OPTION_SITE_OBJECTS) && (live >= SAMPLES_LEAST || period == 1)) return true;
    /* Whose objects never stay is looked at less and less often. */
    if ((sampled & (sampled - 1)) == 0 && sampled >= PERIOD_FIRST && key->period < PERIOD_MOST && key->period > 1)
        key->period = (uint16_t)(key->period * 2);
    return false;
}

void tt_key_released(uint32_t mark) {
    struct tt_key *key = tt_key_at(mark & ((UINT32_C(1) << MARK_SHIFT) - 1));
    if (key == NULL) return;
    atomic_fetch_sub_explicit(&key->live, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&key->stands, UINT32_C(1) << (mark >> MARK_SHIFT), memory_order_relaxed);
}

struct tt_site *tt_site_of(const uintptr_t *stack, unsigned frames) {
    uint64_t hash = 0;
    for (unsigned i = 0; i < frames && i < TT_SITE_FRAMES; i++) hash = mix(hash ^ (uint64_t)stack[i]) + 1;
    tn_lock_acquire(&lock);
    struct tt_site **slot = &sites[hash % SITE_SLOTS];
    struct tt_site *site = *slot;
    while (site != NULL && site->hash != hash) site = site->next;
    uint32_t count = atomic_load_explicit(&site_count, memory_order_relaxed);
    if (site == NULL && count < SITES_MOST && (site = tt_metadata(sizeof *site)) != NULL) {
        site->number = count + 1;
        site->hash = hash;
        site->frames = frames;
        site->since = tn_clock_seconds();
        for (unsigned i = 0; i < frames; i++) site->stack[i] = stack[i];
        site->next = *slot;
        *slot = site;
        site->older = atomic_load_explicit(&newest_site, memory_order_relaxed);
        atomic_store_explicit(&numbered[count], site, memory_order_release);
        atomic_store_explicit(&newest_site, site, memory_order_release);
        atomic_store_explicit(&site_count, count + 1, memory_order_release);
    }
    tn_lock_release(&lock);
    return site;
}

static bool lives(const struct tt_witness *witness) {
    return atomic_load_explicit(&witness->key, memory_order_acquire) != 0;
}

/* Under the lock: a record for one more object of the site, whose oldest gives way where there are too many. */
static struct tt_witness *place_witness(struct tt_site *site) {
    unsigned count = 0;
    struct tt_witness *oldest = NULL;
    for (struct tt_witness *w = atomic_load_explicit(&site->witnesses, memory_order_relaxed); w != NULL; w = w->next) {
        if (!lives(w)) return w;
        if (oldest == NULL || w->order < oldest->order) oldest = w;
        count++;
    }
    if (count == TT_WITNESSES || witness_count == WITNESSES_MOST) return oldest;
    struct tt_witness *witness = tt_metadata(sizeof *witness);
    if (witness == NULL) return oldest;
    witness->number = ++witness_count;
    atomic_store_explicit(&witnesses[witness->number - 1], witness, memory_order_release);
    witness->next = atomic_load_explicit(&site->witnesses, memory_order_relaxed);
    atomic_store_explicit(&site->witnesses, witness, memory_order_release);
    return witness;
}

/* The key holds the record's number, and which of its objects it is: a free of an earlier one means nothing. */
uint32_t tt_witness_add(struct tt_site *site, size_t bytes, const uintptr_t *stack, unsigned frames) {
    uint32_t key = 0;
    tn_lock_acquire(&lock);
    struct tt_witness *witness = place_witness(site);
    if (witness != NULL) {
        witness->looks = 0;
        witness->bytes = (uint32_t)bytes;
        witness->order = ++witness_order;
        witness->frames = frames;
        for (unsigned i = 0; i < frames; i++) witness->stack[i] = stack[i];
        key = TT_KEY_WITNESS | (witness_order << WITNESS_BITS & ~TT_KEY_WITNESS) | (witness->number - 1);
        atomic_store_explicit(&witness->key, key, memory_order_release);
    }
    tn_lock_release(&lock);
    return key;
}

void tt_witness_gone(uint32_t key) {
    struct tt_witness *witness = atomic_load_explicit(&witnesses[key & (WITNESSES_MOST - 1)], memory_order_acquire);
    (void)atomic_compare_exchange_strong(&witness->key, &key, 0);
}

TN_RACY void tt_witnesses_look(struct tt_site *site) {
    site->looks++;
    for (struct tt_witness *w = atomic_load_explicit(&site->witnesses, memory_order_acquire); w != NULL; w = w->next) {
        if (!lives(w)) continue;
        w->looks++;
        w->seen = site->looks;
    }
}

/* Whether at the last look the object was older than what a program has in hand when it is looked at. A program that
 * ends may have freed it since. */
TN_RACY static bool stays(const struct tt_site *site, const struct tt_witness *witness) {
    return witness->looks > 1 && witness->seen == site->looks;
}

TN_RACY static unsigned shared_callers(const struct tt_witness *a, const struct tt_witness *b) {
    unsigned count = 0;
    for (unsigned i = 0; i < a->frames; i++)
        for (unsigned k = 0; k < b->frames; k++) count += a->stack[i] == b->stack[k];
    return count;
}

/* How much the witness has in common with all that stay, large ones more than small ones. */
TN_RACY static uint64_t weight_of(const struct tt_site *site, const struct tt_witness *witness) {
    uint64_t weight = 0;
    for (const struct tt_witness *w = atomic_load_explicit(&site->witnesses, memory_order_acquire); w != NULL; w = w->next)
        if (stays(site, w)) weight += (uint64_t)shared_callers(w, witness) * w->bytes;
    return weight;
}

/* Read without the lock, for reports that a signal asks for: a stack that is being written may come out mixed. Of two
 * that weigh the same the later counts: a site's first objects are what a program sets up. */
TN_RACY unsigned tt_site_stack(const struct tt_site *site, uintptr_t stack[TT_STACK_FRAMES]) {
    const struct tt_witness *chosen = NULL;
    uint64_t most = 0;
    for (const struct tt_witness *w = atomic_load_explicit(&site->witnesses, memory_order_acquire); w != NULL; w = w->next) {
        uint64_t weight = stays(site, w) ? weight_of(site, w) : 0;
        if (weight < most || weight == 0 || (weight == most && w->order < chosen->order)) continue;
        most = weight;
        chosen = w;
    }
    unsigned frames = chosen != NULL ? chosen->frames : site->frames;
    const uintptr_t *from = chosen != NULL ? chosen->stack : site->stack;
    for (unsigned i = 0; i < frames; i++) stack[i] = from[i];
    return frames;
}

TN_RACY unsigned tt_site_witness(const struct tt_site *site, unsigned index, uintptr_t stack[TT_STACK_FRAMES],
                                 uint32_t *bytes) {
    const struct tt_witness *w = atomic_load_explicit(&site->witnesses, memory_order_acquire);
    for (; w != NULL; w = w->next)
        if (stays(site, w) && index-- == 0) break;
    if (w == NULL) return 0;
    unsigned frames = w->frames <= TT_WITNESS_STACK ? w->frames : TT_WITNESS_STACK;
    for (unsigned i = 0; i < frames; i++) stack[i] = w->stack[i];
    *bytes = w->bytes;
    return frames;
}

struct tt_site *tt_site_numbered(uint32_t number) {
    if (number == 0 || number > SITES_MOST) return NULL;
    return atomic_load_explicit(&numbered[number - 1], memory_order_acquire);
}

struct tt_site *tt_sites_first(void) { return atomic_load_explicit(&newest_site, memory_order_acquire); }
uint32_t tt_site_count(void) { return atomic_load_explicit(&site_count, memory_order_relaxed); }
uint32_t tt_key_count(void) { return atomic_load_explicit(&key_count, memory_order_relaxed); }

void tt_sites_before_fork(void) { tn_lock_acquire(&lock); }
void tt_sites_after_fork(bool child) {
    if (child)
        tn_lock_renew(&lock);
    else
        tn_lock_release(&lock);
}
