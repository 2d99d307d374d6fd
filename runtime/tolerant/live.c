/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/live.h"

#include <string.h>

#define FACTOR UINT64_C(0x9E3779B97F4A7C15)

TN_RACY static uint64_t live_slots(struct tt_segment *segment, struct tt_page *page, unsigned w) {
    if (page->slots <= w * 64) return 0;
    uint64_t valid = page->slots >= (w + 1) * 64 ? ~(uint64_t)0 : ((uint64_t)1 << (page->slots - w * 64)) - 1;
    return valid & ~page->free[w] & ~tt_page_freed_remotely(segment, page, w);
}

static void set_grains(uint64_t *live, size_t from, size_t to) {
    while (from < to) {
        size_t bit = from % 64, count = to - from < 64 - bit ? to - from : 64 - bit;
        live[from / 64] |= (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << bit;
        from += count;
    }
}

TN_RACY bool tt_live_grains(struct tt_segment *segment, size_t at, uint64_t live[TT_GRAIN_WORDS]) {
    size_t back = segment->pages[at].back;
    if (back > at) return false;
    struct tt_page *page = &segment->pages[at - back];
    size_t size = page->size;
    if (page->kind != TT_PAGE_SLOTS || page->slots == 0 || size < TT_GRAIN || back >= page->span) return false;
    size_t first = back * TT_PAGE_BYTES, last = first + TT_PAGE_BYTES;
    memset(live, 0, TT_GRAIN_WORDS * sizeof *live);
    for (unsigned w = 0; w < TT_SLOT_WORDS; w++) {
        uint64_t slots = live_slots(segment, page, w);
        if (size == TT_GRAIN) live[w] = slots;
        for (; size != TT_GRAIN && slots != 0; slots &= slots - 1) {
            size_t from = (w * 64 + (unsigned)__builtin_ctzll(slots)) * size, to = from + size;
            if (to <= first || from >= last) continue;
            set_grains(live, (from < first ? 0 : from - first) / TT_GRAIN, ((to > last ? last : to) - first) / TT_GRAIN);
        }
    }
    return true;
}
_Static_assert(TT_GRAIN_WORDS == TT_SLOT_WORDS, "a slot of the smallest class is a grain");

unsigned tt_live_count(const uint64_t live[TT_GRAIN_WORDS]) {
    unsigned count = 0;
    for (unsigned w = 0; w < TT_GRAIN_WORDS; w++) count += tt_count_bits(live[w]);
    return count;
}

/* The words of a grain; who writes to it meanwhile is not waited for. */
TN_RACY static void read_grain(const unsigned char *grain, uint64_t words[2]) {
    typedef uint64_t TN_MAY_ALIAS word;
    const volatile word *from = (const volatile word *)(const void *)grain;
    words[0] = from[0];
    words[1] = from[1];
}

struct tt_content tt_live_content(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS]) {
    uint64_t number = 0, any = 0;
    for (unsigned w = 0; w < TT_GRAIN_WORDS; w++) {
        number = (number ^ live[w]) * FACTOR;
        for (uint64_t bits = live[w]; bits != 0; bits &= bits - 1) {
            uint64_t words[2];
            read_grain(base + (w * 64 + (unsigned)__builtin_ctzll(bits)) * TT_GRAIN, words);
            any |= words[0] | words[1];
            number = (number ^ number >> 29 ^ words[0]) * FACTOR;
            number = (number ^ number >> 31 ^ words[1]) * FACTOR;
        }
    }
    return (struct tt_content){number | 1, any == 0};
}

bool tt_live_fits(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS], const unsigned char *view,
                  const uint64_t taken[TT_GRAIN_WORDS]) {
    for (unsigned w = 0; w < TT_GRAIN_WORDS; w++)
        for (uint64_t both = live[w] & taken[w]; both != 0; both &= both - 1) {
            size_t offset = (w * 64 + (unsigned)__builtin_ctzll(both)) * TT_GRAIN;
            if (memcmp(base + offset, view + offset, TT_GRAIN) != 0) return false;
        }
    return true;
}

void tt_live_copy(const unsigned char *base, const uint64_t live[TT_GRAIN_WORDS], unsigned char *view) {
    for (unsigned w = 0; w < TT_GRAIN_WORDS; w++)
        for (uint64_t bits = live[w]; bits != 0;) {
            unsigned from = (unsigned)__builtin_ctzll(bits);
            uint64_t rest = ~(bits >> from); /* its lowest set bit is where the live grains end */
            unsigned count = rest == 0 ? 64 : (unsigned)__builtin_ctzll(rest);
            size_t offset = (w * 64 + from) * TT_GRAIN;
            memcpy(view + offset, base + offset, count * TT_GRAIN);
            bits = from + count >= 64 ? 0 : bits >> (from + count) << (from + count);
        }
}
