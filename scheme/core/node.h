/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Core: what the expander makes of source text and the compiler makes code of. Nodes live in an arena `t that is freed
 * when a form has been compiled; the data in them in the Scheme heap `r. No collection happens in between. */
#ifndef SCHEME_CORE_NODE_H
#define SCHEME_CORE_NODE_H

#include "../heap/machine.h"

struct Lambda<`t::R, `r::R>;
struct Variable<`t::R, `r::R>;
datatype Node<`t::R, `r::R>;
typedef datatype Node<`t, `r> @`t node_t<`t::R, `r::R>;
typedef datatype Node<`t, `r> *`t ?`t nodes_t<`t::R, `r::R>;
typedef struct Variable<`t, `r> @`t variable_t<`t::R, `r::R>;
typedef struct Variable<`t, `r> *`t ?`t variables_t<`t::R, `r::R>;
typedef struct Lambda<`t, `r> @`t lambda_t<`t::R, `r::R>;

datatype Node<`t::R, `r::R> {
  Constant_n(val_t<`r>);
  Local_n(variable_t<`t, `r>);
  Global_n(struct Cell<`r> @`r);
  Primitive_n(int);
  Set_local_n(variable_t<`t, `r>, node_t<`t, `r>);
  Set_global_n(struct Cell<`r> @`r, node_t<`t, `r>, bool);            // true: a definition
  If_n(node_t<`t, `r>, node_t<`t, `r>, node_t<`t, `r>);
  Or_n(node_t<`t, `r>, node_t<`t, `r>);
  Lambda_n(lambda_t<`t, `r>);
  Sequence_n(nodes_t<`t, `r>);
  Call_n(node_t<`t, `r>, nodes_t<`t, `r>, unsigned int, unsigned int); // line and column
  Let_n(variables_t<`t, `r>, nodes_t<`t, `r>, node_t<`t, `r>);
  Fix_n(variables_t<`t, `r>, nodes_t<`t, `r>, node_t<`t, `r>);         // each a Lambda_n, no variable assigned
};

// A variable has a place in the frame of its owner: a register, which holds a box if it is assigned. A `loop` is a
// variable whose lambda became a part of its owner: calls of it are jumps.
struct Variable<`t::R, `r::R> {
  val_t<`r> name;
  struct Lambda<`t, `r> *`t owner;
  bool assigned;
  int uses;
  unsigned int place;
  struct Lambda<`t, `r> *`t loop;
  unsigned int start;                          // of the loop's code
};

struct Lambda<`t::R, `r::R> {
  val_t<`r> name;
  variables_t<`t, `r> parameters;              // the one for the rest is the last
  unsigned int required;
  bool rest;
  datatype Node<`t, `r> *`t body;
  struct Variable<`t, `r> *`t self;            // what the lambda is bound to, if it is bound once and for all
  struct Lambda<`t, `r> *`t merged;            // the lambda whose loop this became
  struct Variable<`t, `r> *`t ?`t captures;    // by the compiler
  unsigned int capture_count;
};

#endif
