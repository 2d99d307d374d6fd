/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The evaluator: runs the machine. */
#ifndef SCHEME_EVAL_EVALUATE_H
#define SCHEME_EVAL_EVALUATE_H

#include "../heap/machine.h"

// Makes the machine ready to call a procedure without arguments.
void start(machine_t<`r> m, struct Closure<`r> @`r c);
// Runs until the procedure has returned (true), or it is time to look up: whether to collect, or to stop (false).
bool run(machine_t<`r> m);
// The same; raises what goes wrong.
bool run_slice(machine_t<`r> m);

// control.cyc: what happens seldom, on the machine in memory.
// A frame with a callee that is no closure and its arguments has been set up. The number of arguments of the procedure
// that is to be called instead, or CALL_DONE: the value is m->result, or CALL_MOVED: the frame is another one.
int call_other(machine_t<`r> m, unsigned int n);
#define CALL_DONE (-1)
#define CALL_MOVED (-2)
// Moves all frames below the running one to the heap; the running one has `live` slots and becomes the first.
void unload_stack(machine_t<`r> m, unsigned int live);
// The value in the first frame's link goes to what `under` names. False if that is nothing: the end.
bool underflow(machine_t<`r> m);
// Makes the arguments of the running frame those that its closure wants.
void settle_arguments(machine_t<`r> m, struct Code<`r> @`r code, unsigned int n);
// Sets up a call of the handler for what was raised.
void call_raise_hook(machine_t<`r> m);

static inline val_t<`r> link_value(unsigned int pc, unsigned int distance) {
  return Value{.link = (long)(((unsigned long)pc << 32) | distance)};
}
static inline unsigned int link_pc(long l) { return (unsigned int)((unsigned long)l >> 32); }
static inline unsigned int link_distance(long l) { return (unsigned int)l; }

// operations.cyc: instructions on what they are not quick for.
val_t<`r> slow_sum(machine_t<`r> m, unsigned int op, val_t<`r> a, val_t<`r> b);
bool slow_compare(machine_t<`r> m, unsigned int op, val_t<`r> a, val_t<`r> b);
val_t<`r> part_of(machine_t<`r> m, unsigned int op, val_t<`r> v);
void store_part(machine_t<`r> m, unsigned int op, val_t<`r> v, val_t<`r> x);
void undefined(machine_t<`r> m, val_t<`r> name) __attribute__((noreturn));

#endif
