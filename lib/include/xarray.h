#ifndef _XARRAY_H
#define _XARRAY_H

#include <core.h>

/* Arrays that grow. An index that is not in 0 … length - 1 raises Array_bounds. The bodies stand here because a copy is
   compiled for each type of element that is not one word long. */

namespace Xarray {

struct Xarray<`a,`r::R> {
  region_t<`r> home;
  `a ?`r elements;
  int count;
};
typedef struct Xarray<`a,`r> @`r xarray_t<`a,`r::R>;

/* Raises unless x has an element i. */
static inline void in_range(xarray_t<`a,`r> x, int i)
{
  if (i < 0 || i >= x->count)
    throw new Array_bounds;
}

static inline xarray_t<`a,`r> rcreate_empty(region_t<`r> r)
{
  return rnew(r) Xarray{.home = r, .elements = NULL, .count = 0};
}

static inline xarray_t<`a,`H> create_empty(void)
{
  return rcreate_empty(heap_region);
}

/* Empty, with room for so many elements; the filler stands where there is none yet. */
static inline xarray_t<`a,`r> rcreate(region_t<`r> r, int room, `a filler)
{
  size_t n = room > 0 ? (size_t)room : 0;
  return rnew(r) Xarray{.home = r, .elements = rnew(r) {for i < n : filler}, .count = 0};
}

static inline xarray_t<`a,`H> create(int room, `a filler)
{
  return rcreate(heap_region, room, filler);
}

static inline xarray_t<`a,`r> rfrom_array(region_t<`r> r, `a ?`s arr)
{
  return rnew(r) Xarray{.home = r, .elements = rnew(r) {for i < numelts(arr) : arr[i]}, .count = (int)numelts(arr)};
}

static inline xarray_t<`a,`H> from_array(`a ?`s arr)
{
  return rfrom_array(heap_region, arr);
}

static inline int length(xarray_t<`a,`r> x)
{
  return x->count;
}

static inline `a get(xarray_t<`a,`r> x, int i)
{
  in_range(x, i);
  return x->elements[i];
}

static inline void set(xarray_t<`a,`r> x, int i, `a value)
{
  in_range(x, i);
  x->elements[i] = value;
}

/* Adds at the end; add_ind gives the index. */
static inline int add_ind(xarray_t<`a,`r> x, `a value)
{
  size_t n = (size_t)x->count;
  let old = x->elements;
  if (n == numelts(old)) {
    size_t room = n < 4 ? 8 : 2 * n;
    x->elements = rnew(x->home) {for i < room : i < n ? old[i] : value};
  }
  x->elements[n] = value;
  x->count++;
  return x->count - 1;
}

static inline void add(xarray_t<`a,`r> x, `a value)
{
  add_ind(x, value);
}

static inline xarray_t<`a,`r> rsingleton(region_t<`r> r, int room, `a x)
{
  xarray_t<`a,`r> result = rcreate(r, room, x);
  add(result, x);
  return result;
}

static inline xarray_t<`a,`H> singleton(int room, `a x)
{
  return rsingleton(heap_region, room, x);
}

static inline `a ?`s rto_array(region_t<`s> s, xarray_t<`a,`r> x)
{
  let elements = x->elements;
  return rnew(s) {for i < (size_t)x->count : elements[i]};
}

static inline `a ?`H to_array(xarray_t<`a,`r> x)
{
  return rto_array(heap_region, x);
}

static inline void append(xarray_t<`a,`r> x, xarray_t<`a,`s> from)
{
  int n = from->count;
  for (int i = 0; i < n; i++)
    add(x, from->elements[i]);
}

/* remove takes out the element i, delete the last n, reuse all. */
static inline void remove(xarray_t<`a,`r> x, int i)
{
  in_range(x, i);
  for (; i + 1 < x->count; i++)
    x->elements[i] = x->elements[i + 1];
  x->count--;
}

static inline void delete(xarray_t<`a,`r> x, int n)
{
  if (n < 0 || n > x->count)
    throw new Core::Invalid_argument("Xarray::delete: not that many elements");
  x->count -= n;
}

static inline void reuse(xarray_t<`a,`r> x)
{
  x->count = 0;
}

static inline void app(`b (@f)(`a), xarray_t<`a,`r> x)
{
  for (int i = 0; i < x->count; i++)
    f(x->elements[i]);
}

static inline void app_c(`b (@f)(`c, `a), `c env, xarray_t<`a,`r> x)
{
  for (int i = 0; i < x->count; i++)
    f(env, x->elements[i]);
}

static inline void iter(void (@f)(`a), xarray_t<`a,`r> x)
{
  for (int i = 0; i < x->count; i++)
    f(x->elements[i]);
}

static inline void iter_c(void (@f)(`b, `a), `b env, xarray_t<`a,`r> x)
{
  for (int i = 0; i < x->count; i++)
    f(env, x->elements[i]);
}

static inline xarray_t<`b,`s> rmap(region_t<`s> s, `b (@f)(`a), xarray_t<`a,`r> x)
{
  xarray_t<`b,`s> result = rcreate_empty(s);
  for (int i = 0; i < x->count; i++)
    add(result, f(x->elements[i]));
  return result;
}

static inline xarray_t<`b,`H> map(`b (@f)(`a), xarray_t<`a,`r> x)
{
  return rmap(heap_region, f, x);
}

}

#endif
