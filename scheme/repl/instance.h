/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * An instance: a heap with its machine, between two runs of it. */
#ifndef SCHEME_REPL_INSTANCE_H
#define SCHEME_REPL_INSTANCE_H

#include "../heap/machine.h"

// After figure 7 of papers/001: the region of the heap, whose name is hidden, its key, the generator of the next, and
// the machine in it. A collection gives another one.
struct Instance { <`r::R>
  drseq_t<`r> keys;
  struct Machine<`r> @`r machine;
};
typedef struct Instance instance_t;

// What a command line or an embedder asks for.
struct Settings {
  long heap_bytes;             // 0: no limit
  double seconds;              // of processor time, 0: no limit
  bool sandbox;
  long calls;                  // collect after so many calls, for tests; 0: when it is worth it
};

// An instance with the library, or one that said why it has none.
instance_t new_instance(struct Settings settings, const char ?prelude);
// The instance after a run, and the status that the program exits with, -1 if it did not ask for one.
struct Outcome { instance_t instance; int status; };

// Calls the procedure of that name of the core environment with a string, or without arguments if it is NULL.
struct Outcome run_procedure(instance_t i, const char ?name, const char ?argument);
// What (command-line) is.
instance_t set_command_line(instance_t i, char ?`H ?words, int count);
// From now on Ctrl-C raises an error in the instance that runs.
void take_interrupts(void);
void free_instance(instance_t i);

#endif
