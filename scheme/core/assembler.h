/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the parts of the compiler share: the code of one lambda as it grows. */
#ifndef SCHEME_CORE_ASSEMBLER_H
#define SCHEME_CORE_ASSEMBLER_H

#include "node.h"
#include "opcode.h"

struct Assembler<`t::R, `r::R> {
  region_t<`t> t;
  machine_t<`r> m;
  lambda_t<`t, `r> lambda;
  struct Instruction ?`t code;
  unsigned int count;
  val_t<`r> ?`t constants;
  unsigned int constant_count;
  struct Place ?`t places;
  unsigned int place_count;
  unsigned int next, frame;                    // the first register that is free, and the most that were in use
  val_t<`r> file;
};
typedef struct Assembler<`t, `r> @`t assembler_t<`t::R, `r::R>;

// Instructions whose jump is still to be told where to: they are linked by their target.
struct Label { unsigned int last; };
#define NO_JUMPS 0xffffffffu

enum Mode { Effect_m, Value_m, Tail_m };

assembler_t<`t, `r> new_assembler(region_t<`t> t, machine_t<`r> m, lambda_t<`t, `r> l, val_t<`r> file);
unsigned int emit(assembler_t<`t, `r> a, enum Opcode op, unsigned int x, unsigned int y, unsigned int z);
unsigned int constant_index(assembler_t<`t, `r> a, val_t<`r> v);
void note_place(assembler_t<`t, `r> a, unsigned int line, unsigned int column);
unsigned int new_register(assembler_t<`t, `r> a);
void use_registers(assembler_t<`t, `r> a, unsigned int end);
void jump_to(assembler_t<`t, `r> a, unsigned int at, struct Label @l);
void land(assembler_t<`t, `r> a, struct Label @l);
struct Code<`r> @`r assembled(assembler_t<`t, `r> a);

// generate.cyc
void generate(assembler_t<`t, `r> a, node_t<`t, `r> n, enum Mode mode, unsigned int to);
unsigned int operand(assembler_t<`t, `r> a, node_t<`t, `r> n);
struct Lambda<`t, `r> *`t owner_of(variable_t<`t, `r> v);
bool is_register(assembler_t<`t, `r> a, variable_t<`t, `r> v);
unsigned int capture_of(assembler_t<`t, `r> a, variable_t<`t, `r> v);
void load(assembler_t<`t, `r> a, variable_t<`t, `r> v, unsigned int to);

// inline.cyc
// The code of a call of a primitive, as an instruction of its own if there is one: false if there is none.
bool generate_inline(assembler_t<`t, `r> a, int primitive, nodes_t<`t, `r> args, unsigned int to);
bool is_test(int primitive, nodes_t<`t, `r> args);
// Jumps to the label if the node is true or false, as `sense` says.
void generate_test(assembler_t<`t, `r> a, node_t<`t, `r> n, bool sense, struct Label @l);

// closure.cyc
void generate_closure(assembler_t<`t, `r> a, lambda_t<`t, `r> l, unsigned int to);
void generate_fix(assembler_t<`t, `r> a, variables_t<`t, `r> vars, nodes_t<`t, `r> inits, node_t<`t, `r> body,
                  enum Mode mode, unsigned int to);
void generate_turn(assembler_t<`t, `r> a, variable_t<`t, `r> v, nodes_t<`t, `r> args);

#endif
