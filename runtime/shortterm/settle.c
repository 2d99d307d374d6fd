/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/settle.h"

#include "shortterm/finalizer.h"
#include "shortterm/mode.h"
#include "shortterm/region.h"

/* The object has lost its last date. */
static void deallocate(struct root *root, struct header *header) {
    uint32_t finalizer = atomic_load_explicit(&header->finalizer, memory_order_acquire);
    if (finalizer != 0) {
        bool nested = root_set_collecting(root, true);
        bool keep = stm_finalizer_run(header, finalizer);
        (void)root_set_collecting(root, nested);
        /* A finalizer may have refreshed its object: then it lives on. */
        if (keep || stm_date_count(object_of(header)) > 0) {
            if (stm_date_count(object_of(header)) == 0) stm_mode_persistent_again(header);
            return;
        }
    }
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    stm_mode_expired(header, shared);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG | (shared & SHARED_SPECIAL), memory_order_relaxed);
    uint32_t class = (uint32_t)(shared & SHARED_CLASS);
    if (root->watched || class == 0 || !root_keep(root, header, class)) stm_object_release(header, shared);
}

/* A date that the owner had given with a clock of its own. */
static void settle_local(struct root *root, struct header *header) {
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed) - 1;
    atomic_store_explicit(&header->local, local, memory_order_release);
    if ((local & LOCAL_COUNT) != 0) return;
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    do {
        if ((shared & SHARED_COUNT) == 0) {
            deallocate(root, header);
            return;
        }
    } while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, shared | SHARED_DONE, memory_order_acq_rel,
                                                    memory_order_acquire));
}

static void settle_shared(struct root *root, struct header *header) {
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    uint32_t local;
    do {
        local = atomic_load_explicit(&header->local, memory_order_acquire);
    } while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, shared - SHARED_ONE_DATE,
                                                    memory_order_acq_rel, memory_order_acquire));
    if ((shared & SHARED_COUNT) != SHARED_ONE_DATE) return;
    if ((local & LOCAL_BIASED) == 0 || (shared & SHARED_DONE) != 0) deallocate(root, header);
}

int stm_settle_slow(struct root *root, uintptr_t descriptor) {
    if ((descriptor & DESCRIPTOR_HOLE) != 0) return STM_OK;
    void *target = (void *)(descriptor & ~(uintptr_t)DESCRIPTOR_BITS);
    if ((descriptor & DESCRIPTOR_REGION) != 0) {
        struct stm_region *region = target;
        if (atomic_fetch_sub_explicit(&region->count, 1, memory_order_acq_rel) == 1) stm_region_release(root, region, true);
    } else if ((descriptor & DESCRIPTOR_SHARED) != 0) {
        settle_shared(root, header_of(target));
    } else {
        settle_local(root, header_of(target));
    }
    return STM_OK;
}

int stm_settle_release(struct header *header) {
    stm_below.release(header);
    return STM_OK;
}
