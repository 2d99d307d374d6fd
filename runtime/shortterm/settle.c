/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/settle.h"

#include "shortterm/finalizer.h"
#include "shortterm/mode.h"
#include "shortterm/region.h"

/* A date less in `shared`. True if it was the object's last one. */
static bool take_shared(struct header *header) {
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    uint32_t local;
    do {
        local = atomic_load_explicit(&header->local, memory_order_acquire);
    } while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, shared - SHARED_ONE_DATE,
                                                    memory_order_acq_rel, memory_order_acquire));
    if ((shared & SHARED_COUNT) != SHARED_ONE_DATE) return false;
    return (local & LOCAL_BIASED) == 0 || (shared & SHARED_DONE) != 0;
}

/* The same for a date that the owner had given with a clock of its own. */
static bool take_local(struct header *header) {
    uint32_t local = atomic_load_explicit(&header->local, memory_order_relaxed) - 1;
    atomic_store_explicit(&header->local, local, memory_order_release);
    if ((local & LOCAL_COUNT) != 0) return false;
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_acquire);
    do {
        if ((shared & SHARED_COUNT) == 0) return true;
    } while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, shared | SHARED_DONE, memory_order_acq_rel,
                                                    memory_order_acquire));
    return false;
}

/* Calls the finalizer of an object without dates. True if the object dies now. Meanwhile it has a date, so that it
 * cannot be freed, nor die of a date that is given to it and passes. */
static bool finalize(struct root *root, struct header *header, uint32_t finalizer) {
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&header->shared, &shared, (shared + SHARED_ONE_DATE) | SHARED_DONE,
                                                  memory_order_acq_rel, memory_order_relaxed)) {
    }
    bool nested = root_set_collecting(root, true);
    bool keep = stm_finalizer_run(header, finalizer);
    (void)root_set_collecting(root, nested);
    bool last = take_shared(header);
    if (last && keep) stm_mode_persistent_again(header);
    if (last && !keep) stm_finalizer_drop(header);
    return last && !keep;
}

/* The object has lost its last date. */
static void deallocate(struct root *root, struct header *header) {
    uint32_t finalizer = atomic_load_explicit(&header->finalizer, memory_order_acquire);
    if (finalizer != 0 && !finalize(root, header, finalizer)) return;
    uint64_t shared = atomic_load_explicit(&header->shared, memory_order_relaxed);
    stm_mode_expired(header, shared);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG | (shared & SHARED_SPECIAL), memory_order_relaxed);
    uint32_t class = (uint32_t)(shared & SHARED_CLASS);
    if (root->watched || class == 0 || !root_keep(root, header, class)) stm_object_release(header, shared);
}

int stm_settle_slow(struct root *root, uintptr_t descriptor) {
    if ((descriptor & DESCRIPTOR_HOLE) != 0) return STM_OK;
    void *target = (void *)(descriptor & ~(uintptr_t)DESCRIPTOR_BITS);
    if ((descriptor & DESCRIPTOR_REGION) != 0) {
        struct stm_region *region = target;
        if (atomic_fetch_sub_explicit(&region->count, 1, memory_order_acq_rel) == 1) stm_region_release(root, region, true);
    } else {
        bool last = (descriptor & DESCRIPTOR_SHARED) != 0 ? take_shared(header_of(target)) : take_local(header_of(target));
        if (last) deallocate(root, header_of(target));
    }
    return STM_OK;
}

int stm_settle_release(struct header *header) {
    stm_below.release(header);
    return STM_OK;
}
