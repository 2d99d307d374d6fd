/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Stack overflow as an orderly end. The handler runs on a stack of its own, allocates nothing and takes no
 * lock. It recognises an overflow by the fault's address, which is at the end of the thread's stack; any other
 * fault goes to whoever handled SIGSEGV before, by default the system.
 */
#ifndef TENURE_PRIM_FAULT_H
#define TENURE_PRIM_FAULT_H

/* Installs the handler for the process and a signal stack for the calling thread, which is the main thread.
 * stack_top is an address above all frames of main; of several calls the last one says it. 0, or an errno value. */
int tn_fault_install(const void *stack_top);

/* Gives the calling thread a signal stack until it ends, and notes where its own stack is. 0, or an errno
 * value. Does nothing if the thread has one. */
int tn_fault_attach_thread(void);

#endif
