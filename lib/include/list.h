#ifndef _LIST_H
#define _LIST_H

#include <core.h>

/* Singly linked lists. A function whose name starts with r takes the region of what it makes; its
   namesake without r uses the heap. A function whose name ends in _c hands `env` to the function
   it calls. imp_ functions re-link the list that they are given and make nothing. */

namespace List {

struct List<`a,`r::R> { `a hd; struct List<`a,`r> *`r tl; };
typedef struct List<`a,`r> *`r list_t<`a,`r::R>;
typedef struct List<`a,`r> @`r List_t<`a,`r::R>;

@extensible datatype exn {
  extern List_mismatch;
  extern Nth;
};

/* Making. */
List_t<`a,`H> cons(`a hd, list_t<`a,`H> tl);
List_t<`a,`r> rcons(region_t<`r>, `a hd, list_t<`a,`r> tl);
list_t<`a,`H> copy(list_t<`a,`r> x);
list_t<`a,`r> rcopy(region_t<`r>, list_t<`a,`s> x);
list_t<`a,`H> tabulate(int n, `a (@f)(int));
list_t<`a,`r> rtabulate(region_t<`r>, int n, `a (@f)(int));
list_t<`a,`H> tabulate_c(int n, `a (@f)(`c, int), `c env);
list_t<`a,`r> rtabulate_c(region_t<`r>, int n, `a (@f)(`c, int), `c env);

/* Parts. hd and tl raise Invalid_argument on the empty list, nth and nth_tail raise Nth. */
int length(list_t<`a,`r> x);
`a hd(list_t<`a,`r> x);
list_t<`a,`r> tl(list_t<`a,`r> x);
`a nth(list_t<`a,`r> x, int n);
list_t<`a,`r> nth_tail(list_t<`a,`r> x, int n);
`a last(list_t<`a,`r> x);

/* Applying a function to each element. The lists of map2, app2, … must be of one length, else
   List_mismatch is raised. */
list_t<`b,`H> map(`b (@f)(`a), list_t<`a,`s> x);
list_t<`b,`r> rmap(region_t<`r>, `b (@f)(`a), list_t<`a,`s> x);
list_t<`b,`H> map_c(`b (@f)(`c, `a), `c env, list_t<`a,`s> x);
list_t<`b,`r> rmap_c(region_t<`r>, `b (@f)(`c, `a), `c env, list_t<`a,`s> x);
list_t<`c,`H> map2(`c (@f)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
list_t<`c,`r> rmap2(region_t<`r>, `c (@f)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
list_t<`d,`H> map3(`d (@f)(`a, `b, `c), list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
list_t<`d,`r> rmap3(region_t<`r>, `d (@f)(`a, `b, `c), list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
void app(`b (@f)(`a), list_t<`a,`s> x);
void app_c(`b (@f)(`c, `a), `c env, list_t<`a,`s> x);
void app2(`c (@f)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
void app2_c(`d (@f)(`c, `a, `b), `c env, list_t<`a,`s> x, list_t<`b,`t> y);
void app3(`d (@f)(`a, `b, `c), list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
void app3_c(`e (@f)(`d, `a, `b, `c), `d env, list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
void iter(void (@f)(`a), list_t<`a,`s> x);
void iter_c(void (@f)(`b, `a), `b env, list_t<`a,`s> x);
void iter2(void (@f)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
void iter2_c(void (@f)(`c, `a, `b), `c env, list_t<`a,`s> x, list_t<`b,`t> y);

/* fold_left(f, a, [x1,…,xn]) is f(…f(f(a,x1),x2)…,xn); fold_right(f, [x1,…,xn], a) is
   f(x1, f(x2, …f(xn,a)…)) and uses no stack for the length of the list. */
`a fold_left(`a (@f)(`a, `b), `a accum, list_t<`b,`s> x);
`a fold_left_c(`a (@f)(`c, `a, `b), `c env, `a accum, list_t<`b,`s> x);
`b fold_right(`b (@f)(`a, `b), list_t<`a,`s> x, `b accum);
`b fold_right_c(`b (@f)(`c, `a, `b), `c env, list_t<`a,`s> x, `b accum);

/* Order and joining. */
list_t<`a,`H> rev(list_t<`a,`s> x);
list_t<`a,`r> rrev(region_t<`r>, list_t<`a,`s> x);
list_t<`a,`r> imp_rev(list_t<`a,`r> x);
list_t<`a,`H> revappend(list_t<`a,`s> x, list_t<`a,`H> y);
list_t<`a,`r> rrevappend(region_t<`r>, list_t<`a,`s> x, list_t<`a,`r> y);
list_t<`a,`H> append(list_t<`a,`s> x, list_t<`a,`H> y);
list_t<`a,`r> rappend(region_t<`r>, list_t<`a,`s> x, list_t<`a,`r> y);
list_t<`a,`r> imp_append(list_t<`a,`r> x, list_t<`a,`r> y);
list_t<`a,`H> flatten(list_t<list_t<`a,`s>,`t> x);
list_t<`a,`r> rflatten(region_t<`r>, list_t<list_t<`a,`s>,`t> x);

/* Merge sorts; all are stable. */
list_t<`a,`H> merge_sort(int (@cmp)(`a, `a), list_t<`a,`s> x);
list_t<`a,`r> rmerge_sort(region_t<`r>, int (@cmp)(`a, `a), list_t<`a,`s> x);
list_t<`a,`r> imp_merge_sort(int (@cmp)(`a, `a), list_t<`a,`r> x);
list_t<`a,`H> merge(int (@cmp)(`a, `a), list_t<`a,`s> x, list_t<`a,`t> y);
list_t<`a,`r> rmerge(region_t<`r>, int (@cmp)(`a, `a), list_t<`a,`s> x, list_t<`a,`t> y);
list_t<`a,`r> imp_merge(int (@cmp)(`a, `a), list_t<`a,`r> x, list_t<`a,`r> y);

/* Asking. A function named …q compares with ==, one with a cmp argument takes 0 for equal.
   assoc and its kin raise Not_found. */
bool for_all(bool (@pred)(`a), list_t<`a,`s> x);
bool for_all_c(bool (@pred)(`b, `a), `b env, list_t<`a,`s> x);
bool for_all2(bool (@pred)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
bool for_all2_c(bool (@pred)(`c, `a, `b), `c env, list_t<`a,`s> x, list_t<`b,`t> y);
bool exists(bool (@pred)(`a), list_t<`a,`s> x);
bool exists_c(bool (@pred)(`b, `a), `b env, list_t<`a,`s> x);
bool exists2(bool (@pred)(`a, `b), list_t<`a,`s> x, list_t<`b,`t> y);
bool exists2_c(bool (@pred)(`c, `a, `b), `c env, list_t<`a,`s> x, list_t<`b,`t> y);
Core::opt_t<`a,`H> find(bool (@pred)(`a), list_t<`a,`s> x);
Core::opt_t<`a,`H> find_c(bool (@pred)(`b, `a), `b env, list_t<`a,`s> x);
bool memq(list_t<`a,`s> l, `a x);
bool mem(int (@cmp)(`a, `a), list_t<`a,`s> l, `a x);
`b assq(list_t<$(`a,`b) @`t,`s> l, `a x);
`b assoc(list_t<$(`a,`b) @`t,`s> l, `a x);
`b assoc_cmp(int (@cmp)(`a, `c), list_t<$(`a,`b) @`t,`s> l, `c x);
bool mem_assoc(list_t<$(`a,`b) @`t,`s> l, `a x);
Core::opt_t<`a,`H> check_unique(int (@cmp)(`a, `a), list_t<`a,`s> x);
int list_cmp(int (@cmp)(`a, `a), list_t<`a,`s> l1, list_t<`a,`t> l2);
bool list_prefix(int (@cmp)(`a, `a), list_t<`a,`s> l1, list_t<`a,`t> l2);

/* Leaving out. */
list_t<`a,`H> filter(bool (@f)(`a), list_t<`a,`s> x);
list_t<`a,`r> rfilter(region_t<`r>, bool (@f)(`a), list_t<`a,`s> x);
list_t<`a,`H> filter_c(bool (@f)(`b, `a), `b env, list_t<`a,`s> x);
list_t<`a,`r> rfilter_c(region_t<`r>, bool (@f)(`b, `a), `b env, list_t<`a,`s> x);
list_t<`a,`H> delete(list_t<`a,`s> l, `a x);
list_t<`a,`r> rdelete(region_t<`r>, list_t<`a,`s> l, `a x);
list_t<`a,`H> delete_cmp(int (@cmp)(`a, `a), list_t<`a,`s> l, `a x);
list_t<`a,`r> rdelete_cmp(region_t<`r>, int (@cmp)(`a, `a), list_t<`a,`s> l, `a x);

/* Pairs. zip and zip3 raise List_mismatch. */
list_t<$(`a,`b) @`H,`H> zip(list_t<`a,`s> x, list_t<`b,`t> y);
list_t<$(`a,`b) @`r,`r> rzip(region_t<`r>, list_t<`a,`s> x, list_t<`b,`t> y);
list_t<$(`a,`b,`c) @`H,`H> zip3(list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
list_t<$(`a,`b,`c) @`r,`r> rzip3(region_t<`r>, list_t<`a,`s> x, list_t<`b,`t> y, list_t<`c,`u> z);
$(list_t<`a,`H>, list_t<`b,`H>) split(list_t<$(`a,`b) @`t,`s> x);
$(list_t<`a,`r>, list_t<`b,`r>) rsplit(region_t<`r>, list_t<$(`a,`b) @`t,`s> x);
$(list_t<`a,`H>, list_t<`b,`H>, list_t<`c,`H>) split3(list_t<$(`a,`b,`c) @`t,`s> x);
$(list_t<`a,`r>, list_t<`b,`r>, list_t<`c,`r>) rsplit3(region_t<`r>, list_t<$(`a,`b,`c) @`t,`s> x);

/* Between lists and arrays. The bodies stand here because a copy is compiled for each type of element that is not one
   word long. */

static inline list_t<`a,`r> rfrom_array(region_t<`r> r, `a ?`s arr)
{
  list_t<`a,`r> result = NULL;
  for (size_t i = numelts(arr); i > 0; i--)
    result = rnew(r) List{.hd = arr[i - 1], .tl = result};
  return result;
}

static inline list_t<`a,`H> from_array(`a ?`s arr)
{
  return rfrom_array(heap_region, arr);
}

static inline `a ?`r rto_array(region_t<`r> r, list_t<`a,`s> x)
{
  if (x == NULL)
    return NULL;
  `a first = x->hd;
  size_t n = (size_t)length(x);
  `a ?`r result = rnew(r) {for i < n : first};
  for (size_t i = 0; x != NULL; x = x->tl)
    result[i++] = x->hd;
  return result;
}

static inline `a ?`H to_array(list_t<`a,`s> x)
{
  return rto_array(heap_region, x);
}

/* The list of the arguments. */
static inline list_t<`a,`H> list(... `a elements)
{
  return rfrom_array(heap_region, elements);
}

static inline list_t<`a,`r> rlist(region_t<`r> r, ... `a elements)
{
  return rfrom_array(r, elements);
}

}

#endif
