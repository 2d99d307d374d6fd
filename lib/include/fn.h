#ifndef _FN_H
#define _FN_H

#include <core.h>
#include <list.h>

/* Closures: a function together with the value that it is to be given first. */

namespace Fn {

struct Function<`a,`b,`r::R> {
  <`c> : regions(`c) > `r
  `b (@fun)(`c, `a);
  `c env;
};
typedef struct Function<`a,`b,`r> @`r fn_t<`a,`b,`r::R>;

fn_t<`a,`b,`r> rmake_fn(region_t<`r>, `b (@f)(`c, `a), `c env) : regions(`c) > `r;
fn_t<`a,`b,`H> make_fn(`b (@f)(`c, `a), `c env) : regions(`c) > `H;
fn_t<`a,`b,`H> fp2fn(`b (@f)(`a)) : regions(`a) > `H, regions(`b) > `H;
`b apply(fn_t<`a,`b,`r> f, `a x);
List::list_t<`b,`H> map_fn(fn_t<`a,`b,`r> f, List::list_t<`a,`s> l);

}

#endif
