/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE /* pthread_getattr_np, REG_RSP */
#include "prim/fault.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

#include "prim/memory.h"
#include "prim/thread.h"
#include "tenure/platform.h"

/* Room for the handler and for fflush with its callees. */
#define SIGNAL_STACK_BYTES ((size_t)64 * 1024)

/* How far below the stack's end a fault may lie: the kernel keeps 1 MiB free there, and a frame that was not
 * probed may step over a part of it. */
#define BELOW_END_BYTES ((uintptr_t)2 * 1024 * 1024)

/* How far above the stack's end: limits are rounded to pages, of at most 64 KiB, and a call made there faults
 * within the next frame. */
#define ABOVE_END_BYTES ((uintptr_t)128 * 1024)

/* How far from the stack pointer a probe of a large frame, or a push, touches memory. */
#define NEAR_POINTER_BYTES ((uintptr_t)64 * 1024)

static struct sigaction previous;
static _Alignas(64) char main_signal_stack[SIGNAL_STACK_BYTES];

/* The top of the main thread's stack; its end moves with RLIMIT_STACK. */
static uintptr_t main_stack_top;

/* The bounds of this thread's stack; 0 in the main thread and in threads that were not attached. */
static TN_THREAD_LOCAL uintptr_t thread_stack_low;
static TN_THREAD_LOCAL uintptr_t thread_stack_top;
static TN_THREAD_LOCAL void *thread_signal_stack;

/* The interrupted stack pointer and instruction; 0 where we do not know this processor. */
static uintptr_t context_stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

static uintptr_t context_instruction(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/* The lowest address that this thread's stack may reach, or 0 if that is not known. */
static uintptr_t stack_end(void) {
    if (thread_stack_low != 0) return thread_stack_low;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 0;
    return limit.rlim_cur < main_stack_top ? main_stack_top - (uintptr_t)limit.rlim_cur : 0;
}

static int is_near_end(uintptr_t address, uintptr_t end) {
    return address + BELOW_END_BYTES >= end && address < end + ABOVE_END_BYTES;
}

static int is_stack_overflow(uintptr_t address, uintptr_t pointer) {
    uintptr_t end = stack_end();
    /* The stack pointer must be there too: other mappings may begin just below a stack. */
    if (end != 0 && is_near_end(address, end) && (pointer == 0 || is_near_end(pointer, end))) return 1;
    /* Not at the expected end (an unlimited stack, or one that we did not see created): then the fault must be
     * at the stack pointer itself. An address in the middle of a stack is mapped and cannot fault. */
    uintptr_t top = thread_stack_top != 0 ? thread_stack_top : main_stack_top;
    return pointer != 0 && address < top && address + NEAR_POINTER_BYTES >= pointer &&
           address < pointer + NEAR_POINTER_BYTES;
}

/* Whether `instruction` is in the program itself and not in a shared library; then no lock of libc's stdio is
 * held halfway and its buffers may be written out. */
static int in_program_text(uintptr_t instruction) {
    extern const char __executable_start[] __attribute__((weak));
    extern const char etext[] __attribute__((weak));
    return instruction >= (uintptr_t)__executable_start && instruction < (uintptr_t)etext;
}

static _Noreturn void end(void) {
    static const char message[] = "stack overflow\n";
    tn_os_write_error(message, sizeof message - 1);
    tn_os_exit_now(1);
}

static void give_up(int signal_number) {
    (void)signal_number;
    end();
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    uintptr_t address = (uintptr_t)info->si_addr;
    /* si_code > 0: sent by the kernel because of an access, not by kill. */
    if (info->si_code <= 0 || !is_stack_overflow(address, context_stack_pointer(context))) {
        /* The faulting instruction runs again after the return and meets the previous disposition. */
        (void)sigaction(signal_number, &previous, NULL);
        if (info->si_code <= 0) (void)raise(signal_number);
        return;
    }
    if (in_program_text(context_instruction(context))) {
        /* A statically linked libc is program text too, and other threads may hold stdout: do not wait for ever. */
        (void)signal(SIGALRM, give_up);
        (void)alarm(1);
        (void)fflush(stdout);
    }
    end();
}

int tn_fault_install(const void *stack_top) {
    static int installed;
    main_stack_top = (uintptr_t)stack_top;
    if (installed) return 0;
    stack_t current;
    if (sigaltstack(NULL, &current) != 0) return errno;
    /* A sanitizer may have given this thread one already, and would later unmap what it finds. */
    if ((current.ss_flags & SS_DISABLE) != 0) {
        stack_t ours = {.ss_sp = main_signal_stack, .ss_size = SIGNAL_STACK_BYTES, .ss_flags = 0};
        if (sigaltstack(&ours, NULL) != 0) return errno;
    }
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = on_fault;
    (void)sigemptyset(&action.sa_mask);
    if (sigaction(SIGSEGV, &action, &previous) != 0) return errno;
    installed = 1;
    return 0;
}

static void detach_thread(void) {
    stack_t off = {.ss_sp = NULL, .ss_size = SIGNAL_STACK_BYTES, .ss_flags = SS_DISABLE};
    (void)sigaltstack(&off, NULL);
    tn_os_unmap(thread_signal_stack, SIGNAL_STACK_BYTES);
    thread_signal_stack = NULL;
}

int tn_fault_attach_thread(void) {
    pthread_attr_t attributes;
    void *low;
    size_t size;
    int error = pthread_getattr_np(pthread_self(), &attributes);
    if (error != 0) return error;
    error = pthread_attr_getstack(&attributes, &low, &size);
    (void)pthread_attr_destroy(&attributes);
    if (error != 0) return error;
    thread_stack_low = (uintptr_t)low;
    thread_stack_top = (uintptr_t)low + size;

    stack_t current;
    if (sigaltstack(NULL, &current) != 0) return errno;
    if ((current.ss_flags & SS_DISABLE) == 0) return 0;
    void *memory = tn_os_map(SIGNAL_STACK_BYTES);
    if (memory == NULL) return ENOMEM;
    thread_signal_stack = memory;
    stack_t ours = {.ss_sp = memory, .ss_size = SIGNAL_STACK_BYTES, .ss_flags = 0};
    if (sigaltstack(&ours, NULL) != 0) {
        error = errno;
        tn_os_unmap(memory, SIGNAL_STACK_BYTES);
        thread_signal_stack = NULL;
        return error;
    }
    error = tn_thread_at_end(detach_thread);
    if (error != 0) detach_thread();
    return error;
}
