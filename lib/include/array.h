#ifndef _ARRAY_H
#define _ARRAY_H

#include <core.h>
#include <list.h>

/* Arrays as fat pointers. Functions of two arrays raise Array_mismatch unless both have as many elements. The bodies stand here
   because a copy is compiled for each type of element that is not one word long. */

namespace Array {

@extensible datatype exn {
  extern Array_mismatch;
};

static inline size_t same_length(`a ?`r x, `b ?`s y)
{
  if (numelts(x) != numelts(y))
    throw new Array_mismatch;
  return numelts(x);
}

/* Sorts the first count elements; msort is stable and uses a second array meanwhile. */
static inline void qsort(int (@cmp)(`a, `a), `a ?`r x, int count)
{
  if (count < 0 || (size_t)count > numelts(x))
    throw new Core::Invalid_argument("Array::qsort: count is larger than the array");
  size_t n = (size_t)count;
  /* Heap sort: in place, and n log n at worst. */
  for (size_t start = n / 2, end = n; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      `a last = x[end];
      x[end] = x[0];
      x[0] = last;
    }
    size_t hole = start;
    `a moving = x[hole];
    for (size_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && cmp(x[child], x[child + 1]) < 0)
        child++;
      if (cmp(moving, x[child]) >= 0)
        break;
      x[hole] = x[child];
      hole = child;
    }
    x[hole] = moving;
  }
}

static inline void msort(int (@cmp)(`a, `a), `a ?`r x, int count)
{
  if (count < 0 || (size_t)count > numelts(x))
    throw new Core::Invalid_argument("Array::msort: count is larger than the array");
  region h;
  List::list_t<`a> cells = NULL;
  for (int i = count; i > 0; i--)
    cells = rnew(h) List::List{.hd = x[i - 1], .tl = cells};
  cells = List::imp_merge_sort(cmp, cells);
  for (int i = 0; cells != NULL; cells = cells->tl)
    x[i++] = cells->hd;
}

static inline `a ?`r rfrom_list(region_t<`r> r, List::list_t<`a,`s> l)
{
  return List::rto_array(r, l);
}

static inline `a ?`H from_list(List::list_t<`a,`s> l)
{
  return List::rto_array(heap_region, l);
}

static inline List::list_t<`a,`r> rto_list(region_t<`r> r, `a ?`s x)
{
  return List::rfrom_array(r, x);
}

static inline List::list_t<`a,`H> to_list(`a ?`s x)
{
  return List::rfrom_array(heap_region, x);
}

static inline `a ?`r rcopy(region_t<`r> r, `a ?`s x)
{
  return rnew(r) {for i < numelts(x) : x[i]};
}

static inline `a ?`H copy(`a ?`s x)
{
  return rcopy(heap_region, x);
}

static inline `b ?`r rmap(region_t<`r> r, `b (@f)(`a), `a ?`s x)
{
  return rnew(r) {for i < numelts(x) : f(x[i])};
}

static inline `b ?`H map(`b (@f)(`a), `a ?`s x)
{
  return rmap(heap_region, f, x);
}

static inline `b ?`r rmap_c(region_t<`r> r, `b (@f)(`c, `a), `c env, `a ?`s x)
{
  return rnew(r) {for i < numelts(x) : f(env, x[i])};
}

static inline `b ?`H map_c(`b (@f)(`c, `a), `c env, `a ?`s x)
{
  return rmap_c(heap_region, f, env, x);
}

static inline `c ?`r rmap2(region_t<`r> r, `c (@f)(`a, `b), `a ?`s x, `b ?`t y)
{
  return rnew(r) {for i < same_length(x, y) : f(x[i], y[i])};
}

static inline `c ?`H map2(`c (@f)(`a, `b), `a ?`s x, `b ?`t y)
{
  return rmap2(heap_region, f, x, y);
}

static inline `a ?`r rrev_copy(region_t<`r> r, `a ?`s x)
{
  size_t n = numelts(x);
  return rnew(r) {for i < n : x[n - 1 - i]};
}

static inline `a ?`H rev_copy(`a ?`s x)
{
  return rrev_copy(heap_region, x);
}

static inline $(`a,`b) ?`r rzip(region_t<`r> r, `a ?`s x, `b ?`t y)
{
  return rnew(r) {for i < same_length(x, y) : $(x[i], y[i])};
}

static inline $(`a,`b) ?`H zip(`a ?`s x, `b ?`t y)
{
  return rzip(heap_region, x, y);
}

/* n elements from x[start] on. */
static inline `a ?`r rextract(region_t<`r> r, `a ?`s x, int start, int n)
{
  if (start < 0 || n < 0 || (size_t)start > numelts(x) || (size_t)n > numelts(x) - (size_t)start)
    throw new Core::Invalid_argument("Array::extract: not that many elements");
  return rnew(r) {for i < (size_t)n : x[(size_t)start + i]};
}

static inline `a ?`H extract(`a ?`s x, int start, int n)
{
  return rextract(heap_region, x, start, n);
}

static inline void imp_map(`a (@f)(`a), `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    x[i] = f(x[i]);
}

static inline void imp_map_c(`a (@f)(`b, `a), `b env, `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    x[i] = f(env, x[i]);
}

static inline void imp_rev(`a ?`r x)
{
  size_t n = numelts(x);
  for (size_t i = 0; i < n / 2; i++) {
    `a other = x[n - 1 - i];
    x[n - 1 - i] = x[i];
    x[i] = other;
  }
}

static inline void app(`b (@f)(`a), `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    f(x[i]);
}

static inline void app_c(`b (@f)(`c, `a), `c env, `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    f(env, x[i]);
}

static inline void iter(void (@f)(`a), `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    f(x[i]);
}

static inline void iter_c(void (@f)(`b, `a), `b env, `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    f(env, x[i]);
}

static inline void iter2(void (@f)(`a, `b), `a ?`r x, `b ?`s y)
{
  size_t n = same_length(x, y);
  for (size_t i = 0; i < n; i++)
    f(x[i], y[i]);
}

static inline `a fold_left(`a (@f)(`a, `b), `a accum, `b ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    accum = f(accum, x[i]);
  return accum;
}

static inline `a fold_left_c(`a (@f)(`c, `a, `b), `c env, `a accum, `b ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    accum = f(env, accum, x[i]);
  return accum;
}

static inline `b fold_right(`b (@f)(`a, `b), `a ?`r x, `b accum)
{
  for (size_t i = numelts(x); i > 0; i--)
    accum = f(x[i - 1], accum);
  return accum;
}

static inline `b fold_right_c(`b (@f)(`c, `a, `b), `c env, `a ?`r x, `b accum)
{
  for (size_t i = numelts(x); i > 0; i--)
    accum = f(env, x[i - 1], accum);
  return accum;
}

static inline bool for_all(bool (@pred)(`a), `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (!pred(x[i]))
      return false;
  return true;
}

static inline bool for_all_c(bool (@pred)(`b, `a), `b env, `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (!pred(env, x[i]))
      return false;
  return true;
}

static inline bool exists(bool (@pred)(`a), `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (pred(x[i]))
      return true;
  return false;
}

static inline bool exists_c(bool (@pred)(`b, `a), `b env, `a ?`r x)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (pred(env, x[i]))
      return true;
  return false;
}

/* By ==, and by cmp being 0. */
static inline bool memq(`a ?`r x, `a wanted)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (x[i] == wanted)
      return true;
  return false;
}

static inline bool mem(int (@cmp)(`a, `a), `a ?`r x, `a wanted)
{
  for (size_t i = 0; i < numelts(x); i++)
    if (cmp(x[i], wanted) == 0)
      return true;
  return false;
}

}

#endif
