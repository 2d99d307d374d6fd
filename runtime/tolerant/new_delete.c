/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * C++'s operators new and delete under the names of the Itanium ABI, so that the caller is the program's own code and
 * not a wrapper of the C++ library. Compiled with unwinding tables: failure is an exception of the C++ library that the
 * program brings; a program without one never calls these.
 */
#include <stddef.h>
#include <stdint.h>

#include "prim/abort.h"
#include "tolerant/harden.h"
#include "tolerant/interface.h"
#include "tolerant/object.h"

#define WEAK __attribute__((weak))

typedef void new_handler(void);
extern new_handler *get_new_handler(void) __asm__("_ZSt15get_new_handlerv") WEAK;
extern _Noreturn void throw_bad_alloc(void) __asm__("_ZSt17__throw_bad_allocv") WEAK;

/* [new.delete.single]: the handler is called until there is memory or there is no handler. It may throw. */
static TN_OUTLINE void *failed(enum tt_kind kind, size_t alignment, size_t size, uintptr_t address, uintptr_t stack) {
    (void)kind;
    for (;;) {
        new_handler *handler = get_new_handler != NULL ? get_new_handler() : NULL;
        if (handler == NULL) break;
        handler();
        void *object = TT_ALLOCATE_ALIGNED(kind, alignment, size, address, stack);
        if (object != NULL) return object;
    }
    if (throw_bad_alloc == NULL) tn_os_abort();
    throw_bad_alloc();
}

TT_EXPORT void *tt_Znwm(size_t size) __asm__("_Znwm");
void *tt_Znwm(size_t size) {
    uintptr_t address = TT_CALLER(), stack = tn_stack_pointer();
    void *object = TT_ALLOCATE(TT_KIND_NEW, size, address, stack);
    return tn_likely(object != NULL) ? object : failed(TT_KIND_NEW, 0, size, address, stack);
}

TT_EXPORT void *tt_Znam(size_t size) __asm__("_Znam");
void *tt_Znam(size_t size) {
    uintptr_t address = TT_CALLER(), stack = tn_stack_pointer();
    void *object = TT_ALLOCATE(TT_KIND_NEW_ARRAY, size, address, stack);
    return tn_likely(object != NULL) ? object : failed(TT_KIND_NEW_ARRAY, 0, size, address, stack);
}

TT_EXPORT void *tt_ZnwmSt11align_val_t(size_t size, size_t alignment) __asm__("_ZnwmSt11align_val_t");
void *tt_ZnwmSt11align_val_t(size_t size, size_t alignment) {
    uintptr_t address = TT_CALLER(), stack = tn_stack_pointer();
    void *object = TT_ALLOCATE_ALIGNED(TT_KIND_NEW, alignment, size, address, stack);
    return tn_likely(object != NULL) ? object : failed(TT_KIND_NEW, alignment, size, address, stack);
}

TT_EXPORT void *tt_ZnamSt11align_val_t(size_t size, size_t alignment) __asm__("_ZnamSt11align_val_t");
void *tt_ZnamSt11align_val_t(size_t size, size_t alignment) {
    uintptr_t address = TT_CALLER(), stack = tn_stack_pointer();
    void *object = TT_ALLOCATE_ALIGNED(TT_KIND_NEW_ARRAY, alignment, size, address, stack);
    return tn_likely(object != NULL) ? object : failed(TT_KIND_NEW_ARRAY, alignment, size, address, stack);
}

/* The forms that return a null pointer at once; no handler is called. */
TT_EXPORT void *tt_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow) __asm__("_ZnwmRKSt9nothrow_t");
void *tt_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow) {
    (void)nothrow;
    return TT_ALLOCATE(TT_KIND_NEW, size, TT_CALLER(), tn_stack_pointer());
}

TT_EXPORT void *tt_ZnamRKSt9nothrow_t(size_t size, const void *nothrow) __asm__("_ZnamRKSt9nothrow_t");
void *tt_ZnamRKSt9nothrow_t(size_t size, const void *nothrow) {
    (void)nothrow;
    return TT_ALLOCATE(TT_KIND_NEW_ARRAY, size, TT_CALLER(), tn_stack_pointer());
}

TT_EXPORT void *tt_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow) __asm__("_ZnwmSt11align_val_tRKSt9nothrow_t");
void *tt_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow) {
    (void)nothrow;
    return TT_ALLOCATE_ALIGNED(TT_KIND_NEW, alignment, size, TT_CALLER(), tn_stack_pointer());
}

TT_EXPORT void *tt_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow) __asm__("_ZnamSt11align_val_tRKSt9nothrow_t");
void *tt_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *nothrow) {
    (void)nothrow;
    return TT_ALLOCATE_ALIGNED(TT_KIND_NEW_ARRAY, alignment, size, TT_CALLER(), tn_stack_pointer());
}

TT_EXPORT void tt_ZdlPv(void *object) __asm__("_ZdlPv");
void tt_ZdlPv(void *object) {
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdlPvm(void *object, size_t size) __asm__("_ZdlPvm");
void tt_ZdlPvm(void *object, size_t size) {
    (void)size;
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdlPvSt11align_val_t(void *object, size_t alignment) __asm__("_ZdlPvSt11align_val_t");
void tt_ZdlPvSt11align_val_t(void *object, size_t alignment) {
    (void)alignment;
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdlPvmSt11align_val_t(void *object, size_t size, size_t alignment) __asm__("_ZdlPvmSt11align_val_t");
void tt_ZdlPvmSt11align_val_t(void *object, size_t size, size_t alignment) {
    (void)size, (void)alignment;
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdlPvRKSt9nothrow_t(void *object, const void *nothrow) __asm__("_ZdlPvRKSt9nothrow_t");
void tt_ZdlPvRKSt9nothrow_t(void *object, const void *nothrow) {
    (void)nothrow;
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdlPvSt11align_val_tRKSt9nothrow_t(void *object, size_t alignment, const void *nothrow) __asm__("_ZdlPvSt11align_val_tRKSt9nothrow_t");
void tt_ZdlPvSt11align_val_tRKSt9nothrow_t(void *object, size_t alignment, const void *nothrow) {
    (void)alignment, (void)nothrow;
    TT_RELEASE(TT_KIND_NEW, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPv(void *object) __asm__("_ZdaPv");
void tt_ZdaPv(void *object) {
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPvm(void *object, size_t size) __asm__("_ZdaPvm");
void tt_ZdaPvm(void *object, size_t size) {
    (void)size;
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPvSt11align_val_t(void *object, size_t alignment) __asm__("_ZdaPvSt11align_val_t");
void tt_ZdaPvSt11align_val_t(void *object, size_t alignment) {
    (void)alignment;
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPvmSt11align_val_t(void *object, size_t size, size_t alignment) __asm__("_ZdaPvmSt11align_val_t");
void tt_ZdaPvmSt11align_val_t(void *object, size_t size, size_t alignment) {
    (void)size, (void)alignment;
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPvRKSt9nothrow_t(void *object, const void *nothrow) __asm__("_ZdaPvRKSt9nothrow_t");
void tt_ZdaPvRKSt9nothrow_t(void *object, const void *nothrow) {
    (void)nothrow;
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}

TT_EXPORT void tt_ZdaPvSt11align_val_tRKSt9nothrow_t(void *object, size_t alignment, const void *nothrow) __asm__("_ZdaPvSt11align_val_tRKSt9nothrow_t");
void tt_ZdaPvSt11align_val_tRKSt9nothrow_t(void *object, size_t alignment, const void *nothrow) {
    (void)alignment, (void)nothrow;
    TT_RELEASE(TT_KIND_NEW_ARRAY, object, TT_CALLER());
}
