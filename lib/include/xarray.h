#ifndef _XARRAY_H
#define _XARRAY_H

#include <core.h>

/* Arrays that grow. An index that is not in 0 … length - 1 raises Array_bounds. */

namespace Xarray {

struct Xarray<`a,`r::R> {
  region_t<`r> home;
  `a ?`r elements;
  int count;
};
typedef struct Xarray<`a,`r> @`r xarray_t<`a,`r::R>;

xarray_t<`a,`r> rcreate_empty(region_t<`r> r);
xarray_t<`a,`H> create_empty(void);
/* Empty, with room for so many elements; the filler stands where there is none yet. */
xarray_t<`a,`r> rcreate(region_t<`r> r, int room, `a filler);
xarray_t<`a,`H> create(int room, `a filler);
xarray_t<`a,`r> rsingleton(region_t<`r> r, int room, `a x);
xarray_t<`a,`H> singleton(int room, `a x);
xarray_t<`a,`r> rfrom_array(region_t<`r> r, `a ?`s arr);
xarray_t<`a,`H> from_array(`a ?`s arr);
int length(xarray_t<`a,`r> x);
`a get(xarray_t<`a,`r> x, int i);
void set(xarray_t<`a,`r> x, int i, `a value);
/* Adds at the end; add_ind gives the index. */
int add_ind(xarray_t<`a,`r> x, `a value);
void add(xarray_t<`a,`r> x, `a value);
`a ?`s rto_array(region_t<`s> s, xarray_t<`a,`r> x);
`a ?`H to_array(xarray_t<`a,`r> x);
void append(xarray_t<`a,`r> x, xarray_t<`a,`s> from);
/* remove takes out the element i, delete the last n, reuse all. */
void remove(xarray_t<`a,`r> x, int i);
void delete(xarray_t<`a,`r> x, int n);
void reuse(xarray_t<`a,`r> x);
void app(`b (@f)(`a), xarray_t<`a,`r> x);
void app_c(`b (@f)(`c, `a), `c env, xarray_t<`a,`r> x);
void iter(void (@f)(`a), xarray_t<`a,`r> x);
void iter_c(void (@f)(`b, `a), `b env, xarray_t<`a,`r> x);
xarray_t<`b,`s> rmap(region_t<`s> s, `b (@f)(`a), xarray_t<`a,`r> x);
xarray_t<`b,`H> map(`b (@f)(`a), xarray_t<`a,`r> x);

}

#endif
