/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a Scheme value is: two words, a tag and what the tag says. Fixnums, flonums, characters and constants live in
 * the value itself; all else is a pointer into the region `r, the Scheme heap.
 *
 * Invariant: whatever is reached from a value of type val_t<`r> lies in `r or in the immortal heap. The collector moves
 * everything to next_rgn<`r>; an object that it has moved says where to (`forward`; in a pair, a car with the tag
 * `moved`). The types make it impossible that such a pointer is met outside of the collector: nothing else can open
 * next_rgn<`r> while `r is open.
 *
 * This file alone knows the representation of values that are not objects; all others use its functions, or match
 * tags. */
#ifndef SCHEME_HEAP_VALUE_H
#define SCHEME_HEAP_VALUE_H

#include <core.h>
#include <stdio.h>

struct Pair<`r::R>;
struct Located<`r::R>;
struct Slots<`r::R>;
struct String<`r::R>;
struct Symbol<`r::R>;
struct Bytes<`r::R>;
struct Bignum<`r::R>;
struct Cell<`r::R>;
struct Code<`r::R>;
struct Closure<`r::R>;
struct Continuation<`r::R>;
struct Port<`r::R>;

@tagged union Value<`r::R> {
  long fixnum;
  double flonum;
  int character;
  int constant;                              // one of enum Constant
  struct Pair<`r> @`r pair;
  struct Symbol<`r> @`r symbol;
  struct String<`r> @`r string;
  struct Closure<`r> @`r closure;
  int primitive;                             // an index into the table of primitives
  struct Continuation<`r> @`r continuation;
  struct Slots<`r> @`r vector;
  struct Bytes<`r> @`r bytevector;
  struct Slots<`r> @`r record;               // its type, then its fields
  struct Slots<`r> @`r record_type;          // name, vector of field names, parent or #f
  struct Slots<`r> @`r values;               // none, or two or more values
  struct Slots<`r> @`r box;                  // of a variable that is assigned
  struct Slots<`r> @`r parameter;            // value, converter
  struct Slots<`r> @`r promise;              // a box of (done? . value or thunk)
  struct Slots<`r> @`r environment;          // name, exports
  struct Slots<`r> @`r condition;            // kind, message, irritants
  struct Slots<`r> @`r rational;             // numerator, denominator
  struct Bignum<`r> @`r bignum;
  struct Port<`r> @`r port;
  struct Cell<`r> @`r cell;                  // a global variable
  struct Code<`r> @`r code;
  struct Located<`r> @`r located;            // a pair of source text, before expansion only
  struct Slots<`r> @`r alias;                // an identifier that a macro inserted: identifier, environment
  struct Slots<`r> @`r literal;              // a datum that is plain already, in source text only
  struct Slots<`r> @`r macro;                // a transformer: literals, rules, ellipsis, environment
  int form;                                  // a special form, in compile-time environments only
  long link;                                 // return address and distance of frames, on the stack only
  struct Pair<next_rgn<`r>> @@region(next_rgn<`r>) moved; // in the collector only
};
typedef union Value<`r> val_t<`r::R>;
typedef val_t<`r> ?`r vals_t<`r::R>;

enum Constant { False_c, True_c, Nil_c, Unspecified_c, Eof_c, Default_c, Unbound_c };

struct Pair<`r::R> { val_t<`r> car, cdr; };

// A pair as the reader makes it for the expander, who alone meets it: `quote` gives plain pairs.
struct Located<`r::R> {
  struct Located<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  val_t<`r> car, cdr;
  unsigned int line, column;
};

struct Slots<`r::R> {
  struct Slots<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  vals_t<`r> items;
};

// One character an element, so that string-ref takes constant time. `count` of them are in use.
struct String<`r::R> {
  struct String<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  unsigned int ?`r chars;
  unsigned int count;
  bool literal;
};

struct Bytes<`r::R> {
  struct Bytes<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  unsigned char ?`r bytes;
};

// Magnitude in 32-bit digits, least first, the last one not zero.
struct Bignum<`r::R> {
  struct Bignum<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  unsigned int ?`r digits;
  bool negative;
};

// Interned by name. `bindings` says what the symbol means in each top-level environment: a list of (environment .
// meaning).
struct Symbol<`r::R> {
  struct Symbol<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  struct String<`r> @`r name;
  val_t<`r> bindings;
  struct Symbol<`r> *`r next;                // in the same bucket
  unsigned int hash;
};

struct Cell<`r::R> {
  struct Cell<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  val_t<`r> value;
  val_t<`r> name;
  val_t<`r> home;                            // the environment that defines it
};

struct Instruction { unsigned int op, a, b, c; };

// Where an instruction comes from, for messages: the first one at or after `pc`.
struct Place { unsigned int pc, line, column; };

struct Code<`r::R> {
  struct Code<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  struct Instruction ?`r instructions;
  vals_t<`r> constants;
  struct Place ?`r places;
  val_t<`r> name, file;
  unsigned int required;                     // parameters
  unsigned int frame;                        // slots that a call may use
  bool rest;
};

struct Closure<`r::R> {
  struct Closure<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  struct Code<`r> @`r code;
  vals_t<`r> free;
};

// Frames of a continuation that are still to be returned to: the oldest `count` slots of `frames`, the newest frame of
// which takes `size` slots and goes on at `pc`.
struct Rest<`r::R> {
  struct Continuation<`r> *`r frames;
  unsigned int count, size, pc;
};

// Frames that were taken off the stack: they are never changed again. The newest one takes `size` slots and goes on at
// `pc`; what the oldest one returns to is `rest`.
struct Continuation<`r::R> {
  struct Continuation<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  vals_t<`r> slots;
  unsigned int size, pc;
  struct Rest<`r> rest;
  val_t<`r> winders, handlers, parameters;
};

enum Port_flag { Input_port = 1, Output_port = 2, Textual_port = 4, Binary_port = 8, String_port = 16, Open_input = 32, Open_output = 64 };

// A port on a file has `file`; one on a string or bytevector has `text` or `bytes` alone.
struct Port<`r::R> {
  struct Port<next_rgn<`r>> *@region(next_rgn<`r>) forward;
  int flags;
  FILE *`H file;
  struct String<`r> *`r text;
  struct Bytes<`r> *`r bytes;
  unsigned int at, count;
  unsigned int line, column;
  int peeked;                                // a character that was looked at, -2 if none
  bool fold;                                 // #!fold-case
};

static inline val_t<`r> fixnum(long n) { return Value{.fixnum = n}; }
static inline val_t<`r> flonum(double x) { return Value{.flonum = x}; }
static inline val_t<`r> character(int c) { return Value{.character = c}; }
static inline val_t<`r> constant(enum Constant c) { return Value{.constant = (int)c}; }
static inline val_t<`r> boolean(bool b) { return Value{.constant = b ? (int)True_c : (int)False_c}; }
static inline val_t<`r> nil() { return Value{.constant = (int)Nil_c}; }
static inline val_t<`r> unspecified() { return Value{.constant = (int)Unspecified_c}; }

static inline bool is_constant(val_t<`r> v, enum Constant c) {
  return tagcheck(v.constant) && v.constant == (int)c;
}
static inline bool is_false(val_t<`r> v) { return is_constant(v, False_c); }
static inline bool is_nil(val_t<`r> v) { return is_constant(v, Nil_c); }

// eq?: the same object, or the same value if it lives in the word.
static inline bool identical(val_t<`r> a, val_t<`r> b) {
  switch (a) {
  case {.fixnum = x}: return tagcheck(b.fixnum) && b.fixnum == x;
  case {.flonum = x}: return tagcheck(b.flonum) && b.flonum == x && (x != 0.0 || 1.0 / x == 1.0 / b.flonum);
  case {.character = x}: return tagcheck(b.character) && b.character == x;
  case {.constant = x}: return tagcheck(b.constant) && b.constant == x;
  case {.pair = x}: return tagcheck(b.pair) && b.pair == x;
  case {.symbol = x}: return tagcheck(b.symbol) && b.symbol == x;
  case {.string = x}: return tagcheck(b.string) && b.string == x;
  case {.closure = x}: return tagcheck(b.closure) && b.closure == x;
  case {.primitive = x}: return tagcheck(b.primitive) && b.primitive == x;
  case {.continuation = x}: return tagcheck(b.continuation) && b.continuation == x;
  case {.vector = x}: return tagcheck(b.vector) && b.vector == x;
  case {.bytevector = x}: return tagcheck(b.bytevector) && b.bytevector == x;
  case {.record = x}: return tagcheck(b.record) && b.record == x;
  case {.record_type = x}: return tagcheck(b.record_type) && b.record_type == x;
  case {.values = x}: return tagcheck(b.values) && b.values == x;
  case {.box = x}: return tagcheck(b.box) && b.box == x;
  case {.parameter = x}: return tagcheck(b.parameter) && b.parameter == x;
  case {.promise = x}: return tagcheck(b.promise) && b.promise == x;
  case {.environment = x}: return tagcheck(b.environment) && b.environment == x;
  case {.condition = x}: return tagcheck(b.condition) && b.condition == x;
  case {.rational = x}: return tagcheck(b.rational) && b.rational == x;
  case {.bignum = x}: return tagcheck(b.bignum) && b.bignum == x;
  case {.port = x}: return tagcheck(b.port) && b.port == x;
  case {.cell = x}: return tagcheck(b.cell) && b.cell == x;
  case {.code = x}: return tagcheck(b.code) && b.code == x;
  case {.located = x}: return tagcheck(b.located) && b.located == x;
  case {.alias = x}: return tagcheck(b.alias) && b.alias == x;
  case {.literal = x}: return tagcheck(b.literal) && b.literal == x;
  case {.macro = x}: return tagcheck(b.macro) && b.macro == x;
  case {.form = x}: return tagcheck(b.form) && b.form == x;
  case {.link = x}: return tagcheck(b.link) && b.link == x;
  case {.moved = x}: return false;
  }
}

static inline bool is_pair(val_t<`r> v) { return tagcheck(v.pair); }

#endif
