#ifndef TN_GENERIC_H
#define TN_GENERIC_H

#include <core.h>

/* Sorting and searching over arrays of any type. The bodies stand here because a copy is compiled
   for each element type; the size that C's callers hand over must be that type's. */

/* Heap sort: in place, n log n at worst, and no order of comparisons, however inconsistent,
   leads it outside the array. */
static inline void qsort(`a::A ?`r tab, size_t count, size_t size, int (@cmp)(const `a @`r, const `a @`r))
{
  if (size != sizeof(`a))
    throw new Invalid_argument("qsort: size is not that of an element");
  if (count > numelts(tab))
    throw new Invalid_argument("qsort: count is larger than the array");
  for (size_t start = count / 2, end = count; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      let last = tab[end];
      tab[end] = tab[0];
      tab[0] = last;
    }
    size_t hole = start;
    let moving = tab[start];
    for (size_t child = 2 * hole + 1; child < end; child = 2 * hole + 1) {
      if (child + 1 < end && cmp(&tab[child], &tab[child + 1]) < 0)
        child++;
      if (cmp(&tab[hole], &tab[child]) >= 0)
        break;
      tab[hole] = tab[child];
      tab[child] = moving;
      hole = child;
    }
  }
}

/* The element of the sorted array that cmp finds equal to the key, else NULL. */
static inline `a *`r bsearch(const `b::A @`s key, `a::A ?`r tab, size_t count, size_t size, int (@cmp)(const `b @`s, const `a @`r))
{
  if (size != sizeof(`a))
    throw new Invalid_argument("bsearch: size is not that of an element");
  if (count > numelts(tab))
    throw new Invalid_argument("bsearch: count is larger than the array");
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = cmp(key, &tab[middle]);
    if (order == 0)
      return &tab[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

#endif
