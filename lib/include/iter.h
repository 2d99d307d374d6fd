#ifndef _ITER_H
#define _ITER_H

#include <core.h>
#include <list.h>

/* Iterators: something that gives one element after another. Its state is of a type that only itself knows,
   and lives as long as `r. The bodies stand here because a copy is compiled for each type of element that is not one
   word long. */

namespace Iter {

struct Iter<`a,`r::R> {
  <`c> : regions(`c) > `r
  `c env;
  bool (@next)(`c env, `a @ dest);
};
typedef struct Iter<`a,`r> iter_t<`a,`r::R>;

/* Sets *dest and says whether there was an element. */
static inline bool next(struct Iter<`a,`r> it, `a @ dest)
{
  let Iter{<`c> env, step} = it;
  return step(env, dest);
}

/* The place in a list. */
struct Place<`a,`r::R> { List::list_t<`a,`r> rest; };

static inline bool next_of_list(struct Place<`a,`r> @`r place, `a @ dest)
{
  List::list_t<`a,`r> cell = place->rest;
  if (cell == NULL)
    return false;
  *dest = cell->hd;
  place->rest = cell->tl;
  return true;
}

/* The elements of a list; the cell that remembers the place lives in the region given. */
static inline struct Iter<`a,`r> from_list(region_t<`r> r, List::list_t<`a,`r> l) : regions(`a) > `r
{
  struct Place<`a,`r> @`r place = rnew(r) Place{.rest = l};
  return Iter{.env = place, .next = next_of_list};
}

}

#endif
