/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the files of the expander share among themselves. */
#ifndef SCHEME_EXPAND_LETREC_H
#define SCHEME_EXPAND_LETREC_H

#include "expand.h"

// Names that are bound to the values of inits, one after the other, within all of which they are visible.
node_t<`t, `r> expand_letrec(expander_t<`t, `r> e, val_t<`r> names, val_t<`r> inits, val_t<`r> body, val_t<`r> env);

variable_t<`t, `r> new_variable(expander_t<`t, `r> e, val_t<`r> name);
val_t<`r> entry_of_newest(expander_t<`t, `r> e, val_t<`r> id);
val_t<`r> top_for(val_t<`r> id, val_t<`r> env);
nodes_t<`t, `r> expand_each(expander_t<`t, `r> e, val_t<`r> list, val_t<`r> env);
node_t<`t, `r> expand_named(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> env, val_t<`r> id);
node_t<`t, `r> expand_form(expander_t<`t, `r> e, enum Form f, val_t<`r> x, val_t<`r> env);
val_t<`r> definition(expander_t<`t, `r> e, val_t<`r> x, val_t<`r> @id);

#endif
