/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The machine: everything that a Scheme instance knows, and so all roots of the collector. It lies in the region that
 * it describes; a collection makes a new one in the next region. Nothing else of `r is kept while a collection runs.
 *
 * The stack holds frames, oldest first. A frame is: the link (where its caller goes on, and how far below the caller's
 * frame begins), the closure that runs, its arguments, its other variables. A result replaces the link. Frame 0 is a
 * stub whose code reinstates what `under` names when the frames above it are used up. */
#ifndef SCHEME_HEAP_MACHINE_H
#define SCHEME_HEAP_MACHINE_H

#include "value.h"

#define STACK_SLOTS 8192
#define FIRST_FRAME 2
#define ARGUMENTS 2                           // slots of a frame before its arguments

@extensible datatype exn {
  Scheme_error;                               // what was raised is the machine's `raised`
  Scheme_exit(int);
};

enum Hook { Raise_hook, Rewind_hook, Hooks };

// A stack has a fixed size, which every index is checked against.
typedef val_t<`r> @{STACK_SLOTS}`r stack_t<`r::R>;

// What the process knows and all collections leave as it is.
struct Limits {
  long heap_bytes;                            // 0: none
  long collect_at;                            // bytes in use at which to collect
  long live;                                  // bytes that the last collection left
  long collections;
  long calls;                                 // between two looks
  bool always;                                // collect at each: for tests
  long copied;                                // bytes, by all collections
  bool sandbox;
  bool interrupted;
  double deadline;                            // in seconds of processor time, 0: none
};

struct Machine<`r::R> {
  region_t<`r> r;
  stack_t<`r> stack;
  unsigned int base, pc;                      // of the frame that runs
  unsigned int live;                          // slots of that frame, if its callee is no closure
  struct Rest<`r> under;
  val_t<`r> winders, handlers, parameters;
  val_t<`r> result, raised;
  struct Symbol<`r> *`r ?`r symbols;          // buckets
  unsigned int symbol_count;
  val_t<`r> core, user;                       // environments
  val_t<`r> libraries;                        // list of (name . environment)
  val_t<`r> port, error_port, input_port;
  val_t<`r> arguments;
  vals_t<`r> hooks;
  struct Closure<`r> *`r stub;
  long fuel;                                  // calls and 64 bytes allocated that are left until the machine looks up
  bool finished;
  struct Limits limits;
};
typedef struct Machine<`r> @`r machine_t<`r::R>;

#define FUEL 20000

// What is charged for an object of variable size.
static inline void charge(machine_t<`r> m, unsigned long bytes) { m->fuel -= (long)(bytes >> 6); }

static inline val_t<`r> cons(machine_t<`r> m, val_t<`r> a, val_t<`r> d) {
  return Value{.pair = rnew(m->r) Pair{a, d}};
}

static inline struct Slots<`r> @`r new_slots(machine_t<`r> m, unsigned long n) {
  charge(m, n * sizeof(val_t<`r>));
  vals_t<`r> items = rcalloc(m->r, n, sizeof(val_t<`r>));
  return rnew(m->r) Slots{NULL, items};
}
static inline struct Slots<`r> @`r slots1(machine_t<`r> m, val_t<`r> a) {
  let s = new_slots(m, 1);
  s->items[0] = a;
  return s;
}
static inline struct Slots<`r> @`r slots2(machine_t<`r> m, val_t<`r> a, val_t<`r> b) {
  let s = new_slots(m, 2);
  s->items[0] = a;
  s->items[1] = b;
  return s;
}
static inline struct Slots<`r> @`r slots3(machine_t<`r> m, val_t<`r> a, val_t<`r> b, val_t<`r> c) {
  let s = new_slots(m, 3);
  s->items[0] = a;
  s->items[1] = b;
  s->items[2] = c;
  return s;
}

struct String<`r> @`r new_string_of(machine_t<`r> m, unsigned long n, unsigned int fill);
struct String<`r> @`r string_of_text(machine_t<`r> m, const char ?text);
val_t<`r> text_value(machine_t<`r> m, const char ?text);
void append_char(machine_t<`r> m, struct String<`r> @`r s, unsigned int c);
struct Symbol<`r> @`r intern(machine_t<`r> m, struct String<`r> @`r name);
val_t<`r> symbol_of_text(machine_t<`r> m, const char ?text);
bool string_equal(struct String<`r> @`r a, struct String<`s> @`s b);
bool string_is(struct String<`r> @`r a, const char ?text);

enum Failure_kind { General_failure, Read_failure, File_failure, Limit_failure };

// Raises a condition object: a message and a list of what it is about.
void fail(machine_t<`r> m, enum Failure_kind kind, const char ?message, val_t<`r> irritants) __attribute__((noreturn));
void fail1(machine_t<`r> m, const char ?message, val_t<`r> irritant) __attribute__((noreturn));
void wrong_type(machine_t<`r> m, const char ?wanted, val_t<`r> v) __attribute__((noreturn));

val_t<`r> reverse_list(machine_t<`r> m, val_t<`r> list);
// The length of a proper list, -1 of anything else.
long list_length(val_t<`r> list);

#endif
