/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Tokens of Scheme text: what read_datum puts together. */
#ifndef SCHEME_READ_LEXER_H
#define SCHEME_READ_LEXER_H

#include "port.h"

enum Token_kind {
  Atom_token,                 // `value` is the datum
  Open_token, Close_token, Vector_token, Bytes_token, Dot_token,
  Prefix_token,               // `value` is quote, quasiquote, unquote or unquote-splicing
  Comment_token,              // #;
  Define_label_token, Use_label_token, // `value` is the number
  End_token
};
struct Token<`r::R> { enum Token_kind kind; val_t<`r> value; unsigned int line, column; };

struct Token<`r> next_token(machine_t<`r> m, port_t<`r> p);

#endif
