/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The expander: source text to core.
 *
 * An identifier is a symbol, or an alias: what a macro inserted, with the environment of the macro's definition.
 * Binding forms bind either, by identity; an alias that is not bound means what its identifier means where the macro
 * was defined. So neither captures the other: the hygiene of syntax-rules.
 *
 * A local environment is a list whose elements are (identifier . meaning) or a box of such a list (the definitions of a
 * body, which grow), and whose end is a top-level environment. A meaning is a fixnum (an index into `variables`), a
 * special form, a macro, a primitive, or the cell of a global variable. Meanings also stand in expanded source
 * directly: that is how derived forms refer to core forms and procedures, whatever the program has bound their names
 * to. */
#ifndef SCHEME_EXPAND_EXPAND_H
#define SCHEME_EXPAND_EXPAND_H

#include "../core/node.h"

#define DEEPEST 4000

enum Form {
  Quote_f, Quasiquote_f, Lambda_f, Define_f, Set_f, If_f, Begin_f, Let_f, Let_star_f, Letrec_f, Letrec_star_f, And_f, Or_f,
  When_f, Unless_f, Cond_f, Case_f, Do_f, Case_lambda_f, Named_lambda_f, Parameterize_f, Guard_f, Delay_f, Delay_force_f,
  Make_promise_f, Let_values_f, Let_star_values_f, Define_values_f, Define_record_f, Define_syntax_f, Let_syntax_f,
  Letrec_syntax_f, Syntax_rules_f, Syntax_error_f, Cond_expand_f, Include_f, Include_ci_f, Import_f, Define_library_f,
  Else_f, Arrow_f, Ellipsis_f, Underscore_f, Unquote_f, Unquote_splicing_f, Cons_stream_f, Assert_f,
  Forms
};

struct Expander<`t::R, `r::R> {
  region_t<`t> t;
  machine_t<`r> m;
  variables_t<`t, `r> variables;
  unsigned int variable_count;
  struct Lambda<`t, `r> *`t current;
  int depth;
  unsigned int line, column;                   // of the innermost form whose place is known
  val_t<`r> file;
};
typedef struct Expander<`t, `r> @`t expander_t<`t::R, `r::R>;

// The code of a form of a program.
struct Closure<`r> @`r compile_form(machine_t<`r> m, val_t<`r> form, val_t<`r> env, val_t<`r> file);

node_t<`t, `r> expand(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> env);
node_t<`t, `r> expand_body(expander_t<`t, `r> e, val_t<`r> forms, val_t<`r> env);
node_t<`t, `r> expand_top(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> env);
node_t<`t, `r> expand_lambda(expander_t<`t, `r> e, val_t<`r> formals, val_t<`r> body, val_t<`r> env, val_t<`r> name);

// Source to source: what a derived form stands for.
val_t<`r> derive(expander_t<`t, `r> e, enum Form form, val_t<`r> x, val_t<`r> env);
val_t<`r> derive_record(expander_t<`t, `r> e, val_t<`r> x);
val_t<`r> derive_quasiquote(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> env);
val_t<`r> derive_guard(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> env);
val_t<`r> derive_values(expander_t<`t, `r> e, enum Form form, val_t<`r> x);

// Macros.
val_t<`r> make_macro(expander_t<`t, `r> e, val_t<`r> spec, val_t<`r> env);
val_t<`r> expand_macro(expander_t<`t, `r> e, struct Slots<`r> @`r macro, val_t<`r> x, val_t<`r> env);

// Identifiers and environments.
bool is_identifier(val_t<`r> v);
val_t<`r> lookup(machine_t<`r> m, val_t<`r> id, val_t<`r> env);      // the meaning, or the symbol if it has none
val_t<`r> top_of(val_t<`r> env);                                     // the top-level environment
val_t<`r> symbol_of(val_t<`r> id);
void bind_top(machine_t<`r> m, val_t<`r> env, val_t<`r> id, val_t<`r> meaning);
val_t<`r> bound_in(val_t<`r> symbol, val_t<`r> env);                 // in this environment alone, or unbound
struct Cell<`r> @`r defined_cell(machine_t<`r> m, val_t<`r> env, val_t<`r> id);
struct Cell<`r> @`r referred_cell(machine_t<`r> m, val_t<`r> env, val_t<`r> id);
bool names_form(machine_t<`r> m, val_t<`r> x, val_t<`r> env, enum Form form);
val_t<`r> new_environment(machine_t<`r> m, val_t<`r> name, val_t<`r> parent);
val_t<`r> fresh_name(machine_t<`r> m, const char ?text);

// Libraries: section 5 of the report.
void import_set(machine_t<`r> m, val_t<`r> set, val_t<`r> env);
node_t<`t, `r> expand_library(expander_t<`t, `r> e, val_t<`r> x);
val_t<`r> cond_expand(expander_t<`t, `r> e, val_t<`r> clauses, val_t<`r> env);
val_t<`r> included(expander_t<`t, `r> e, val_t<`r> names, bool fold);

// Source lists: pairs, of which some know their place.
bool has_parts(val_t<`r> x);
val_t<`r> head(machine_t<`r> m, val_t<`r> x);
val_t<`r> tail(machine_t<`r> m, val_t<`r> x);
long source_length(machine_t<`r> m, val_t<`r> x);
val_t<`r> plain(machine_t<`r> m, val_t<`r> x, int depth);            // without places and aliases, as quote gives it
void syntax_error(expander_t<`t, `r> e, const char ?what, val_t<`r> x) __attribute__((noreturn));

static inline val_t<`r> form_value(enum Form f) { return Value{.form = (int)f}; }
static inline val_t<`r> list1(machine_t<`r> m, val_t<`r> a) { return cons(m, a, nil()); }
static inline val_t<`r> list2(machine_t<`r> m, val_t<`r> a, val_t<`r> b) { return cons(m, a, list1(m, b)); }
static inline val_t<`r> list3(machine_t<`r> m, val_t<`r> a, val_t<`r> b, val_t<`r> c) { return cons(m, a, list2(m, b, c)); }
static inline val_t<`r> list4(machine_t<`r> m, val_t<`r> a, val_t<`r> b, val_t<`r> c, val_t<`r> d) {
  return cons(m, a, list3(m, b, c, d));
}
// A primitive or a procedure of the library, as an operator in derived source.
val_t<`r> procedure_named(machine_t<`r> m, const char ?name);

#endif
