#ifndef _ITER_H
#define _ITER_H

#include <core.h>
#include <list.h>

/* Iterators: something that gives one element after another. Its state is of a type that only itself knows,
   and lives as long as `r. */

namespace Iter {

struct Iter<`a,`r::R> {
  <`c> : regions(`c) > `r
  `c env;
  bool (@next)(`c env, `a @ dest);
};
typedef struct Iter<`a,`r> iter_t<`a,`r::R>;

/* Sets *dest and says whether there was an element. */
bool next(struct Iter<`a,`r> it, `a @ dest);

/* The elements of a list; the cell that remembers the place lives in the region given. */
struct Iter<`a,`r> from_list(region_t<`r>, List::list_t<`a,`r> l) : regions(`a) > `r;

}

#endif
