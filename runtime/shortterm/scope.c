/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "shortterm/scope.h"

#include <errno.h>
#include <string.h>

#include "prim/option.h"
#include "prim/stream.h"
#include "prim/watch.h"
#include "shortterm/date.h"
#include "shortterm/finalizer.h"
#include "shortterm/mode.h"

static bool interposed;
static uintptr_t linker_low, linker_high, libc_low, libc_high;

void stm_scope_leave_out(uintptr_t low, uintptr_t high) {
    libc_low = low;
    libc_high = high;
}

void stm_scope_interpose(const struct stm_allocator *below, void (*at_first_use)(void)) {
    stm_below = *below;
    stm_at_first_use = at_first_use;
    interposed = true;
}

int stm_scope_begin(unsigned extension) {
    if (!interposed) return STM_NO_INTERPOSER;
    int error = stm_date_check("stm_scope_begin", NULL, extension);
    if (error != STM_OK) return error;
    struct root *root = stm_root();
    struct scope *scope = root != NULL ? stm_below.allocate(sizeof *scope) : NULL;
    if (scope == NULL) return STM_NO_MEMORY;
    if (linker_high == 0) tn_watch_linker(&linker_low, &linker_high);
    /* A buffer that stdout allocated in a scope would expire under it. */
    tn_stream_prepare();
    *scope = (struct scope){.outer = stm_thread.scope, .extension = extension};
    stm_thread.scope = scope;
    return STM_OK;
}

int stm_scope_end(void) {
    struct scope *scope = stm_thread.scope;
    if (scope == NULL) return STM_BAD_ARGUMENT;
    stm_thread.scope = scope->outer;
    stm_below.release(scope);
    return STM_OK;
}

static bool is_between(const void *caller, uintptr_t low, uintptr_t high) {
    return (uintptr_t)caller >= low && (uintptr_t)caller < high;
}

/* What the dynamic linker allocates, such as a library's thread-local storage on first use, is for as long as it says;
 * and so is what the C library does, which keeps time zones, locales, the environment, open streams and more. */
static bool applies_to(const void *caller) {
    return stm_thread.scope != NULL && !is_between(caller, linker_low, linker_high) && !is_between(caller, libc_low, libc_high);
}

static TN_OUTLINE void *allocate(size_t size, size_t alignment, bool zero, const void *caller) {
    struct root *root = stm_root();
    if (root == NULL) return NULL;
    unsigned extension = stm_thread.scope->extension;
    bool checked = (mode() & MODE_CHECKED) != 0;
    void *object = checked ? stm_mode_checked_malloc(size, alignment, caller) : stm_object_extended(size, alignment, zero);
    if (object == NULL) return NULL;
    struct date date = {.root = root,
                        .clock = &root->clock,
                        .offset = extension,
                        .own = true,
                        .function = "stm_scope_begin",
                        .site = caller,
                        .clock_name = "the thread's clock"};
    int error = checked ? stm_date_give(&date, object) : stm_date_give_scoped(root, object, extension);
    if (error == STM_OK) return object;
    (void)stm_object_free_if_persistent(object);
    errno = ENOMEM;
    return NULL;
}

void *stm_scope_malloc(size_t size, const void *caller) {
    return tn_unlikely(applies_to(caller)) ? allocate(size, 16, false, caller) : stm_malloc(size);
}

void *stm_scope_calloc(size_t count, size_t size, const void *caller) {
    size_t bytes;
    if (tn_likely(!applies_to(caller)) || __builtin_mul_overflow(count, size, &bytes)) return stm_calloc(count, size);
    return allocate(bytes, 16, true, caller);
}

void *stm_scope_memalign(size_t alignment, size_t size, const void *caller) {
    return applies_to(caller) ? allocate(size, alignment, false, caller) : stm_aligned_alloc(alignment, size);
}

static uint64_t shared_of(void *object) {
    return atomic_load_explicit(&header_of(object)->shared, memory_order_acquire);
}

static TN_OUTLINE void free_other(void *object, uint64_t shared) {
    struct header *header = header_of(object);
    if (!is_tagged(shared)) {
        /* Of the allocator below, from code that is not directed here; or freed twice, and then the allocator below
         * says so. */
        stm_below.release(object);
        return;
    }
    if ((shared & SHARED_SCOPED) == 0 || tn_option_get(TN_OPTION_STM_SCOPE_FREE) == 0) return;
    if (!stm_date_take_scoped(stm_thread.root, header)) return;
    stm_finalizer_drop(header);
    stm_mode_expired(header, shared);
    atomic_store_explicit(&header->shared, SHARED_EXPIRED_TAG, memory_order_relaxed);
    stm_object_release(header, shared);
}

void stm_scope_free(void *object) {
    if (object == NULL) return;
    if (tn_likely(mode() == 0)) {
        uint64_t shared = shared_of(object);
        if (tn_likely(is_tagged(shared) && free_simple(header_of(object), shared))) return;
    } else if (!stm_mode_is_live("free", object)) {
        return;
    }
    uint64_t shared = shared_of(object);
    if (tn_unlikely(!is_tagged(shared) || !stm_object_free_if_persistent(object))) free_other(object, shared);
}

void *stm_scope_realloc(void *object, size_t size, const void *caller) {
    if (object == NULL) return stm_scope_malloc(size, caller);
    if (mode() != 0 && !stm_mode_is_live("realloc", object)) return NULL;
    uint64_t shared = shared_of(object);
    if (!is_tagged(shared)) return stm_below.reallocate(object, size);
    if (size == 0) {
        stm_scope_free(object);
        return NULL;
    }
    if (stm_date_count(object) == 0) return stm_realloc(object, size);
    size_t room = stm_usable_size(object);
    if (size <= room && size >= room / 4) return object;
    void *copy = stm_scope_malloc(size, caller);
    if (copy == NULL) return NULL;
    memcpy(copy, object, size < room ? size : room);
    stm_scope_free(object);
    return copy;
}

size_t stm_scope_usable_size(void *object) {
    if (object == NULL) return 0;
    return is_tagged(shared_of(object)) ? stm_usable_size(object) : stm_below.usable_size(object);
}
