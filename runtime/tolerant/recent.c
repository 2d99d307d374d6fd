/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "tolerant/recent.h"

#include <string.h>

bool tt_recent_make(struct tt_bin *bin) {
    struct tt_recent *recent = tt_metadata(sizeof *recent);
    if (recent == NULL) return false;
    bin->recent = recent;
    bin->thread->has_recent = true;
    bin->recent_last = &recent->none;
    bin->recent_full = &recent->slots[TT_RECENT_MOST - 1];
    return true;
}

/* A page is told of its frees by the count until the next that matters. What follows from that one may empty the page:
 * then it was told of all of them. */
void tt_recent_shorten(struct tt_bin *bin, size_t left) {
    if (tt_recent_is_empty(bin)) return;
    struct tt_recent_slot *slots = bin->recent->slots;
    size_t count = (size_t)(bin->recent_last - slots) + 1;
    if (count <= left) return;
    struct tt_page *pages[TT_RECENT_MOST];
    size_t told = count - left;
    for (size_t i = 0; i < told; i++) pages[i] = tt_page_of_word(slots[i].word);
    memmove(slots, slots + told, left * sizeof *slots);
    bin->recent_last -= told;
    for (size_t i = 0; i < told; i++) {
        if (pages[i]->until > 1) {
            pages[i]->until--;
            pages[i] = NULL;
        }
    }
    for (size_t i = 0; i < told; i++) {
        struct tt_page *page = pages[i];
        if (page == NULL) continue;
        for (size_t k = i + 1; k < told; k++)
            if (pages[k] == page) pages[k] = NULL;
        tt_page_triggered(page);
    }
}

void tt_recent_forget(struct tt_bin *bin, const struct tt_page *page) {
    if (tt_recent_is_empty(bin)) return;
    struct tt_recent_slot *kept = &bin->recent->none;
    for (struct tt_recent_slot *slot = bin->recent->slots; slot <= bin->recent_last; slot++)
        if (tt_page_of_word(slot->word) != page) *++kept = *slot;
    bin->recent_last = kept;
}

void tt_heap_forget_recent(struct tt_thread *thread) {
    for (unsigned c = 0; c < thread->common_count; c++) tt_recent_shorten(&thread->common[c], 0);
    for (unsigned i = 0; i < TT_SITE_BIN_SLOTS && thread->has_sites; i++)
        for (struct tt_bin *bin = thread->site_bins[i]; bin != NULL; bin = bin->next_in_slot) tt_recent_shorten(bin, 0);
}
