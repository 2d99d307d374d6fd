/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The checked heap for C programmers: `delete` anywhere, keep references wherever you like, and a use of an object that
 * is gone is reported instead of reading something else.
 *
 *     TNC_TYPE(node_ref, struct node)                        // typed references
 *
 *     node_ref n = node_ref_new(TNC_HERE);                   // zeroed
 *     node_ref_touch(n, TNC_HERE)->next = list;              // an address for now
 *     node_ref_delete(n, TNC_HERE);
 *     node_ref_touch(n, TNC_HERE);                           // reported: the object was deleted
 *
 * An address that a touch gave holds until this thread deletes, polls or leaves; for longer, pin. A reference in memory
 * that malloc gave is as good as any other as long as objects do not move; where they do, such memory is registered.
 * Link with -ltenure-checked -pthread. All functions are thread safe unless they say otherwise; none is for signal
 * handlers.
 */
#ifndef TENURE_CHECKED_H
#define TENURE_CHECKED_H

#include "tenure/checked_inline.h"

#ifdef __cplusplus
#error "tenure/checked.h is C; from C++ call it through functions of your own"
#endif

/* This place in the source, for errors. */
#define TNC_HERE                                                                              \
    (__extension__({                                                                          \
        static const struct tn_site tnc_here = {__FILE__, __LINE__, 0, __func__, NULL};       \
        &tnc_here;                                                                            \
    }))

typedef struct tn_site tnc_site;

/* How a heap is opened. Zero in a field is the default. */
struct tnc_options {
    bool threads;           /* several threads will use references; else a second one that attaches is refused */
    bool remember;          /* allocation and delete sites for errors: 8 bytes more an object, and a table of 3 MiB */
    size_t memory_limit;    /* bytes of objects and slots beyond which allocation fails */
    bool strict, trapping;  /* set by the form */
    size_t pressure;        /* bytes beyond which the pressure function is called; default 7/8 of the limit */
};

struct tnc_statistics;
struct tnc_pressure;

/* Each form's part. */
#define TNC_OF_FORM(form)                                                \
    int tn_##form##_open(const struct tnc_options *options);             \
    void tn_##form##_close(void);                                        \
    int tn_##form##_attach(void);                                        \
    void tn_##form##_detach(void);                                       \
    void *tn_##form##_pin_forever(const void *ref, const tnc_site *site); \
    size_t tn_##form##_size(const void *ref, const tnc_site *site);      \
    bool tn_##form##_alive(const void *ref);                             \
    void tn_##form##_leave(void);                                        \
    void tn_##form##_enter(void);                                        \
    int tn_##form##_register(void *start, size_t count);                 \
    void tn_##form##_unregister(void *start);                            \
    void tn_##form##_statistics(struct tnc_statistics *statistics);      \
    const char *tn_##form##_validate(void);
TNC_OF_FORM(tagged)
TNC_OF_FORM(moving)

/* Opens the heap of the process. 0; EALREADY if it is open, as it is after the first allocation; ENOMEM. NULL for all
 * defaults. */
static inline int tnc_open(const struct tnc_options *options) {
    struct tnc_options none = {0};
    struct tnc_options all = options != NULL ? *options : none;
    all.strict = TN_CHECKED_FORM >= TN_CHECKED_STRICT;
    all.trapping = TN_CHECKED_FORM == TN_CHECKED_TRAPPING;
    return TN_OF_FORM(open)(&all);
}

/* Gives all memory of the heap back. The caller sees to it that no thread uses the heap or a reference any more, ever.
 * The heap can be opened anew. Not thread safe. */
static inline void tnc_close(void) { TN_OF_FORM(close)(); }

/* Objects, untyped. */
static inline void *tnc_new(size_t size, const tnc_site *site) {
    return tn_checked_new(size, 16, NULL, TN_CHECKED_ZERO, site);
}
static inline void tnc_delete(const void *ref, const tnc_site *site) { tn_checked_delete(ref, site); }
static inline void *tnc_touch(const void *ref, const tnc_site *site) { return tn_touch(ref, site); }
static inline void *tnc_pin(const void *ref, const tnc_site *site) { return tn_pin(ref, site); }
static inline void tnc_unpin(const void *ref) { tn_unpin(ref); }
static inline bool tnc_equal(const void *a, const void *b) { return tn_equal(a, b); }

/* A pin that nobody takes back: for an address that C code keeps for good. The object can still be deleted, then its
 * memory stays. */
static inline void *tnc_pin_forever(const void *ref, const tnc_site *site) { return TN_OF_FORM(pin_forever)(ref, site); }

/* Bytes that the object has, at least those that were asked for. Reports as tnc_touch does. */
static inline size_t tnc_size(const void *ref, const tnc_site *site) { return TN_OF_FORM(size)(ref, site); }

/* Whether the object is there; for a cache that looks before it uses. False for NULL. */
static inline bool tnc_alive(const void *ref) { return TN_OF_FORM(alive)(ref); }

/* The type `name` of references to T, and its functions. An array of n: name_new_array. */
#define TNC_TYPE(name, T)                                                                                              \
    typedef struct name {                                                                                              \
        void *ref;                                                                                                     \
    } name;                                                                                                            \
    TN_INLINE name name##_new(const tnc_site *site) {                                                                  \
        return (name){tn_checked_new(sizeof(T), _Alignof(T), NULL, TN_CHECKED_ZERO, site)};                            \
    }                                                                                                                  \
    TN_INLINE name name##_new_array(size_t n, const tnc_site *site) {                                                  \
        size_t size = n > SIZE_MAX / sizeof(T) ? SIZE_MAX : n * sizeof(T);                                             \
        return (name){tn_checked_new(size, _Alignof(T), NULL, TN_CHECKED_ZERO, site)};                                 \
    }                                                                                                                  \
    TN_INLINE void name##_delete(name it, const tnc_site *site) { tn_checked_delete(it.ref, site); }                   \
    TN_INLINE T *name##_touch(name it, const tnc_site *site) { return (T *)tn_touch(it.ref, site); }                   \
    TN_INLINE T *name##_pin(name it, const tnc_site *site) { return (T *)tn_pin(it.ref, site); }                       \
    TN_INLINE void name##_unpin(name it) { tn_unpin(it.ref); }                                                         \
    TN_INLINE bool name##_equal(name a, name b) { return tn_equal(a.ref, b.ref); }                                     \
    TN_INLINE bool name##_null(name it) { return it.ref == NULL; }                                                     \
    struct name

/* Threads. Each that uses references attaches first, except the one that opened the heap; it detaches when it ends, of
 * its own accord. 0; EBUSY if the heap was not opened for threads and another thread is attached; ENOMEM. */
static inline int tnc_thread_attach(void) { return TN_OF_FORM(attach)(); }
static inline void tnc_thread_detach(void) { TN_OF_FORM(detach)(); }

/* Other threads' deletes take full effect when every attached thread has polled, or is away. Addresses that a touch
 * gave end here. */
static inline void tnc_poll(void) { tn_poll(); }

/* Around what blocks (a join, a read): the thread has no address that a touch gave, touches nothing between, and nobody
 * waits for it. */
static inline void tnc_leave(void) { TN_OF_FORM(leave)(); }
static inline void tnc_enter(void) { TN_OF_FORM(enter)(); }

/* Words outside of the heap that hold references: `count` of them from `start` on, each a reference or NULL at any
 * time. Needed only where objects move. 0 or ENOMEM. The range is unregistered before its memory goes. */
static inline int tnc_register(void *start, size_t count) { return TN_OF_FORM(register)(start, count); }
static inline void tnc_unregister(void *start) { TN_OF_FORM(unregister)(start); }

/* Memory pressure: `call` runs where a thread polls, once each time that the heap comes to have more than the pressure
 * mark. It may do all that a thread that polls may. NULL for none. Never in an allocation, so that addresses survive
 * those. */
struct tnc_pressure {
    size_t taken; /* bytes that the heap has from the system */
    size_t mark;
};
void tnc_on_pressure(void (*call)(const struct tnc_pressure *pressure, void *context), void *context);

struct tnc_statistics {
    uint64_t allocated_objects, deleted_objects;
    uint64_t live_bytes;     /* of objects with their headers and rounding */
    uint64_t taken_bytes, peak_taken_bytes; /* frames that may be behind the heap, by whole spans */
    uint64_t waiting_objects; /* deleted, and waiting for other threads to poll */
    uint64_t retired_slots;  /* whose generations are used up */
    uint64_t pinned_deleted; /* deleted, and kept by pins */
    uint64_t spans, large_objects;
    /* Where objects move. */
    uint64_t promotions, moved_blocks, moved_bytes, dead_blocks, cancelled_blocks;
    uint64_t scans, scanned_bytes, patched_references, slow_touches;
    uint64_t longest_step_ns; /* of the processor, for work on the heap in a poll or a delete */
};

/* Consistent if no other thread uses the heap meanwhile, else about right. */
static inline void tnc_statistics(struct tnc_statistics *statistics) { TN_OF_FORM(statistics)(statistics); }

/* Walks the whole heap and returns what invariant is broken, in words; NULL if none is. No other thread may use the
 * heap meanwhile. For tests. */
static inline const char *tnc_validate(void) { return TN_OF_FORM(validate)(); }

#endif
