/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The start of a program. */
#ifndef TENURE_START_H
#define TENURE_START_H

#include "tenure/platform.h"
#include "tenure/value.h"

/* To be called once, first thing in the emitted C main:
 *
 *     int main(int argc, char **argv) {
 *         struct tn_fat args = tn_start(argc, argv);
 *         return user_main(argc, (struct fat_of_fat_char){args.base, args.idx, args.len});
 *     }
 *
 * Installs the stack-overflow report, reads the option table, and returns the arguments as a fat pointer to argc fat
 * pointers to zero-terminated strings (each len counts its zero) and one that is NULL; writable through both levels.
 * The report of a stack overflow is there already for constructors of the program. */
struct tn_fat tn_start(int argc, char **argv);

/* Gives the calling thread a stack-overflow report of its own, until it ends. The main thread has one
 * from tn_start; a foreign thread without one is ended by the system's SIGSEGV. 0, or an errno value. */
int tn_thread_attach(void);

#endif
