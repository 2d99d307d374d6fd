#ifndef TN_GENERIC_H
#define TN_GENERIC_H

#include <tn/base.h>

/* Sorting and searching over arrays of any type. The bodies stand here because a copy is compiled
   for each element type; the size that C's callers hand over must be that type's. */

/* The comparisons take pointers into the array itself, since cmp is a function over its region alone. No order of
   answers, however inconsistent, leads the sorts outside the array or keeps them from ending. */

static inline void tn_exchange(`a::A ?`r tab, size_t i, size_t j)
{
  let kept = tab[i];
  tab[i] = tab[j];
  tab[j] = kept;
}

/* n log n at worst, for what quicksort divides badly. */
static inline void tn_heap_sort(`a::A ?`r tab, size_t count, int (@cmp)(const `a @`r, const `a @`r))
{
  size_t start = count / 2;
  size_t end = count;
  while (end > 1) {
    if (start > 0) {
      start--;
    } else {
      end--;
      tn_exchange(tab, 0, end);
    }
    size_t parent = start;
    for (size_t child = 2 * parent + 1; child < end; child = 2 * parent + 1) {
      if (child + 1 < end && cmp(&tab[child], &tab[child + 1]) < 0)
        child++;
      if (cmp(&tab[parent], &tab[child]) >= 0)
        break;
      tn_exchange(tab, parent, child);
      parent = child;
    }
  }
}

static inline void tn_insertion_sort(`a::A ?`r tab, size_t from, size_t to, int (@cmp)(const `a @`r, const `a @`r))
{
  for (size_t i = from + 1; i < to; i++)
    for (size_t j = i; j > from && cmp(&tab[j], &tab[j - 1]) < 0; j--)
      tn_exchange(tab, j, j - 1);
}

/* Divides the elements from … to - 1, at least three, by the median of three of them; where that one now stands. */
static inline size_t tn_partition(`a::A ?`r tab, size_t from, size_t to, int (@cmp)(const `a @`r, const `a @`r))
{
  size_t middle = from + (to - from) / 2;
  if (cmp(&tab[middle], &tab[to - 1]) > 0)
    tn_exchange(tab, middle, to - 1);
  if (cmp(&tab[from], &tab[to - 1]) > 0)
    tn_exchange(tab, from, to - 1);
  if (cmp(&tab[middle], &tab[from]) > 0)
    tn_exchange(tab, middle, from);
  size_t low = from;
  size_t high = to;
  for (;;) {
    do
      low++;
    while (low < to && cmp(&tab[low], &tab[from]) < 0);
    do
      high--;
    while (high > from && cmp(&tab[from], &tab[high]) < 0);
    if (low >= high)
      break;
    tn_exchange(tab, low, high);
  }
  tn_exchange(tab, from, high);
  return high;
}

static inline void qsort(`a::A ?`r tab, size_t count, size_t size, int (@cmp)(const `a @`r, const `a @`r))
{
  if (size != sizeof(`a))
    throw new Core::Invalid_argument("qsort: size is not that of an element");
  if (count > numelts(tab))
    throw new Core::Invalid_argument("qsort: count is larger than the array");
  /* The parts that wait; the smaller part is always done first, so that there are at most 32 of them. */
  size_t froms[64];
  size_t tos[64];
  int waiting = 0;
  int bad_divisions = 0;
  size_t from = 0;
  size_t to = count;
  for (;;) {
    while (to - from > 12 && bad_divisions < 24) {
      size_t middle = tn_partition(tab, from, to, cmp);
      size_t left = middle - from;
      size_t right = to - middle - 1;
      if (left < (to - from) / 16 || right < (to - from) / 16)
        bad_divisions++;
      froms[waiting] = left < right ? middle + 1 : from;
      tos[waiting] = left < right ? to : middle;
      waiting++;
      if (left < right)
        to = middle;
      else
        from = middle + 1;
    }
    if (to - from > 12)
      tn_heap_sort(tab + from, to - from, cmp);
    else
      tn_insertion_sort(tab, from, to, cmp);
    if (waiting == 0)
      return;
    waiting--;
    from = froms[waiting];
    to = tos[waiting];
  }
}

/* The element of the sorted array that cmp finds equal to the key, else NULL. */
static inline `a *`r bsearch(const `b::A @`s key, `a::A ?`r tab, size_t count, size_t size, int (@cmp)(const `b @`s, const `a @`r))
{
  if (size != sizeof(`a))
    throw new Core::Invalid_argument("bsearch: size is not that of an element");
  if (count > numelts(tab))
    throw new Core::Invalid_argument("bsearch: count is larger than the array");
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
