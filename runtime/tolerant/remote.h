/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What threads free of each other's pages, as the pages' owner takes it in. Who frees sets a remote bit and gives the
 * owner notice of the page (tt_page_notify); the owner moves the bits to the page's own when one of its bins looks for
 * slots. A notice may come after the page was emptied: then it is passed on to who has the page, or to nobody.
 *
 * All but tt_page_notify are for the owner of the page or heap.
 */
#ifndef TENURE_TOLERANT_REMOTE_H
#define TENURE_TOLERANT_REMOTE_H

#include "tolerant/thread.h"

/* Takes in what other threads freed of the page. */
void tt_page_collect(struct tt_page *page);

/* Takes in the pages that other threads freed slots of. */
void tt_heap_collect(struct tt_thread *thread);

/* As that, for a bin that looks for slots. */
void tt_bin_collect_some(struct tt_bin *bin);
static inline void tt_bin_collect_if_due(struct tt_bin *bin) {
    if (tn_unlikely(atomic_load_explicit(&bin->thread->remote, memory_order_relaxed) != NULL)) tt_bin_collect_some(bin);
}

/* Whether the page is on the list of those that others freed slots of. */
bool tt_page_has_notice(struct tt_page *page);

#endif
