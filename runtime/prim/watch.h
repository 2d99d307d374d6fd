/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Faults that a library explains before they take their course, and names for addresses of code.
 */
#ifndef TENURE_PRIM_WATCH_H
#define TENURE_PRIM_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls `explain` with the address of each faulting access, in a signal handler, before whoever handled SIGSEGV until
 * now sees it. To be called once. 0, or an errno value. */
int tn_watch_faults(void (*explain)(uintptr_t address));

/* "function+0x12 (program+0x3456)" for an address of code, as far as that is known without debugging information. Not
 * signal safe. */
void tn_watch_name(const void *code, char *text, size_t size);

/* The addresses [*low, *high) of the dynamic linker; both 0 in a program without one. */
void tn_watch_linker(uintptr_t *low, uintptr_t *high);

/* The addresses [*low, *high) of the loaded object that defines the next definition of a symbol (below); both 0 if
 * there is none. */
void tn_watch_object(const char *symbol, uintptr_t *low, uintptr_t *high);

/* The next definition of a symbol after that of the library that calls; NULL if there is none. */
void *tn_watch_next(const char *symbol);

/* Whether some object of the program, as it is loaded now, says that it needs the shared library. */
bool tn_watch_needed(const char *soname);

#endif
