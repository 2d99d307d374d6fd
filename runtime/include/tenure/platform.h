/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the C compiler offers, behind names of our own. This is the compile-time face of the layer
 * prim/: the only public header that tests for a compiler or a processor.
 *
 * Nothing here calls the operating system and nothing here needs more than stddef.h and stdint.h.
 */
#ifndef TENURE_PLATFORM_H
#define TENURE_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "tenure needs a compiler that speaks GNU C (gcc or clang)"
#endif

#define tn_likely(x) __builtin_expect(!!(x), 1)
#define tn_unlikely(x) __builtin_expect(!!(x), 0)

/* A function of the interface between emitted code and the runtime: always part of its caller. */
#define TN_INLINE static inline __attribute__((always_inline, unused))

/* An out-of-line path that ends the normal flow of control; keeps its callers' hot code dense. */
#define TN_RAISER __attribute__((cold, noinline, noreturn))

/* A function that reads what other threads change meanwhile and uses it as a figure of about now: nothing that it
 * decides depends on two such figures agreeing. */
#define TN_RACY __attribute__((no_sanitize("thread")))

/* An out-of-line path that returns. Not cold: a new arena's first allocation takes one for certain, and gcc would
 * compile all that follows it for size. */
#define TN_OUTLINE __attribute__((noinline))

/* A type through which memory of any effective type may be read and written. */
#define TN_MAY_ALIAS __attribute__((may_alias))

/* A function that contains a TN_SETJMP. gcc builds vectors of constants, such as a row of addresses, at the entry of
 * the region that its straight-line vectoriser looks at; that may be the block that stands for "control comes back here
 * from a jump", for which no code is made (seen in gcc 12). */
#if defined(__clang__)
#define TN_CATCHES
#else
#define TN_CATCHES __attribute__((optimize("no-tree-slp-vectorize")))
#endif

/* Emitted unions and tables that a given unit does not use. */
#define TN_UNUSED __attribute__((unused))

/* A function that runs when the program, or the shared object that it is in, is loaded; before others of its kind. */
#define TN_AT_START __attribute__((constructor(101)))

/* A definition that another one in the same link takes the place of. */
#define TN_WEAK __attribute__((weak))

/* Where a function was called from. */
#define tn_caller() __builtin_return_address(0)

/* Zero at the start, large, and mostly never touched: a linker that sorts sections by name puts such tables behind all
 * other variables, which then take few pages. */
#define TN_SPARSE __attribute__((section(".bss.sparse")))

/* Per-thread data of the runtime. Initial-exec: one load and one add also in a shared object. */
#define TN_THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

/* The result is fresh storage, aliased by nothing, and never NULL. The size is not declared: a compiler uses
 * it only to warn, and it warns about accesses that a check of ours precedes. */
#define TN_FRESH_STORAGE __attribute__((malloc, returns_nonnull))

/* Asks for the line of memory of an address that is soon written to. No fault, whatever the address. */
TN_INLINE void tn_prefetch_to_write(void *address) {
#if defined(__x86_64__) /* of the first processors that lack the instruction, all take it for no operation */
    __asm__("prefetchw %0" : : "m"(*(unsigned char *)address));
#else
    __builtin_prefetch(address, 1);
#endif
}

/* The stack pointer, about; the same at each call from one place at one depth. */
TN_INLINE uintptr_t tn_stack_pointer(void) {
#if defined(__x86_64__)
    uintptr_t pointer;
    __asm__("movq %%rsp, %0" : "=r"(pointer));
    return pointer;
#elif defined(__aarch64__)
    uintptr_t pointer;
    __asm__("mov %0, sp" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_frame_address(0);
#endif
}

/* How a handler is landed on. The compiler's own form stores three words and is used where both gcc
 * and clang implement it compatibly, so that objects of both may be mixed; elsewhere, and with
 * TN_PORTABLE_SETJMP (for program and runtime alike), libc's. */
/* Addresses that a program can have are below 2 to this power. */
#if defined(__x86_64__)
#define TN_ADDRESS_BITS_USER 47
#else
#define TN_ADDRESS_BITS_USER 48
#endif

#if defined(__x86_64__) && !defined(TN_PORTABLE_SETJMP)
#define TN_HAS_BUILTIN_SETJMP 1
#else
#define TN_HAS_BUILTIN_SETJMP 0
#include <setjmp.h>
#if !defined(__clang__)
/* gcc guesses, and warns about variables that a try does not change. Emitted code knows which ones it does
 * change, and declares them volatile. */
#pragma GCC diagnostic ignored "-Wclobbered"
#endif
#endif

#endif
