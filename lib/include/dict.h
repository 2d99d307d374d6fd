#ifndef _DICT_H
#define _DICT_H

#include <core.h>
#include <list.h>

/* Dictionaries that never change: insert and delete give a new one, which shares most of the old. A dictionary
   knows its order and the region where it grows. cmp(a, b) is less than, equal to or greater than 0. */

namespace Dict {

using List;

struct Tree<`a,`b,`r::R> {
  struct Tree<`a,`b,`r> *`r left;
  struct Tree<`a,`b,`r> *`r right;
  `a key;
  `b value;
  int height;
};
typedef struct Tree<`a,`b,`r> *`r tree_t<`a,`b,`r::R>;

struct Dict<`a,`b,`r::R> {
  region_t<`r> home;
  int (@cmp)(`a, `a);
  struct Tree<`a,`b,`r> *`r tree;
};
typedef struct Dict<`a,`b,`r> @`r dict_t<`a,`b,`r::R>;

@extensible datatype exn {
  extern Present;
  extern Absent;
};

dict_t<`a,`b,`H> empty(int (@cmp)(`a, `a));
dict_t<`a,`b,`r> rempty(region_t<`r>, int (@cmp)(`a, `a));
dict_t<`a,`b,`H> singleton(int (@cmp)(`a, `a), `a key, `b value);
dict_t<`a,`b,`r> rsingleton(region_t<`r>, int (@cmp)(`a, `a), `a key, `b value);

bool is_empty(dict_t<`a,`b,`r> d);
bool member(dict_t<`a,`b,`r> d, `a key);
int cardinality(dict_t<`a,`b,`r> d);

/* insert replaces an earlier value; insert_new raises Present. delete of an absent key gives d. */
dict_t<`a,`b,`r> insert(dict_t<`a,`b,`r> d, `a key, `b value);
dict_t<`a,`b,`r> insert_new(dict_t<`a,`b,`r> d, `a key, `b value);
dict_t<`a,`b,`r> inserts(dict_t<`a,`b,`r> d, list_t<$(`a,`b) @`t,`s> l);
dict_t<`a,`b,`r> delete(dict_t<`a,`b,`r> d, `a key);

/* lookup raises Absent, lookup_opt gives NULL, lookup_bool says whether it has set *value. lookup_other finds a key
   of another type by an order that agrees with the dictionary's. */
`b lookup(dict_t<`a,`b,`r> d, `a key);
Core::opt_t<`b,`H> lookup_opt(dict_t<`a,`b,`r> d, `a key);
`b lookup_other(dict_t<`a,`b,`r> d, int (@cmp)(`c, `a), `c key);

/* The node of the key, NULL if there is none. */
tree_t<`a,`b,`r> entry(dict_t<`a,`b,`r> d, `a key);
tree_t<`a,`b,`r> entry_other(dict_t<`a,`b,`r> d, int (@cmp)(`c, `a), `c key);

static inline bool lookup_bool(dict_t<`a,`b,`r> d, `a key, `b @`s value)
{
  tree_t<`a,`b,`r> t = entry(d, key);
  if (t == NULL)
    return false;
  *value = t->value;
  return true;
}

static inline bool lookup_other_bool(dict_t<`a,`b,`r> d, int (@cmp)(`c, `a), `c key, `b @`s value)
{
  tree_t<`a,`b,`r> t = entry_other(d, cmp, key);
  if (t == NULL)
    return false;
  *value = t->value;
  return true;
}

/* All of these go through the keys in ascending order. */
`c fold(`c (@f)(`a, `b, `c), dict_t<`a,`b,`r> d, `c accum);
`c fold_c(`c (@f)(`d, `a, `b, `c), `d env, dict_t<`a,`b,`r> d, `c accum);
void app(`c (@f)(`a, `b), dict_t<`a,`b,`r> d);
void app_c(`c (@f)(`d, `a, `b), `d env, dict_t<`a,`b,`r> d);
void iter(void (@f)(`a, `b), dict_t<`a,`b,`r> d);
void iter_c(void (@f)(`c, `a, `b), `c env, dict_t<`a,`b,`r> d);
dict_t<`a,`c,`H> map(`c (@f)(`b), dict_t<`a,`b,`s> d);
dict_t<`a,`c,`r> rmap(region_t<`r>, `c (@f)(`b), dict_t<`a,`b,`s> d);
dict_t<`a,`c,`H> map_c(`c (@f)(`d, `b), `d env, dict_t<`a,`b,`s> d);
dict_t<`a,`c,`r> rmap_c(region_t<`r>, `c (@f)(`d, `b), `d env, dict_t<`a,`b,`s> d);
dict_t<`a,`b,`H> filter(bool (@f)(`a, `b), dict_t<`a,`b,`s> d);
dict_t<`a,`b,`r> rfilter(region_t<`r>, bool (@f)(`a, `b), dict_t<`a,`b,`s> d);
dict_t<`a,`b,`H> filter_c(bool (@f)(`c, `a, `b), `c env, dict_t<`a,`b,`s> d);
dict_t<`a,`b,`r> rfilter_c(region_t<`r>, bool (@f)(`c, `a, `b), `c env, dict_t<`a,`b,`s> d);
bool forall_c(bool (@f)(`c, `a, `b), `c env, dict_t<`a,`b,`r> d);
list_t<$(`a,`b) @`H,`H> to_list(dict_t<`a,`b,`r> d);
list_t<$(`a,`b) @`r,`r> rto_list(region_t<`r>, dict_t<`a,`b,`s> d);
/* Any one entry; raises Absent where there is none. */
$(`a,`b) @`r rchoose(region_t<`r>, dict_t<`a,`b,`s> d);

dict_t<`a,`b,`H> copy(dict_t<`a,`b,`s> d);
dict_t<`a,`b,`r> rcopy(region_t<`r>, dict_t<`a,`b,`s> d);
/* Keys of both; f makes the value where both have the key. */
dict_t<`a,`b,`r> union_two_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a,`b,`r> d1, dict_t<`a,`b,`r> d2);
dict_t<`a,`b,`r> intersect(`b (@f)(`a, `b, `b), dict_t<`a,`b,`r> d1, dict_t<`a,`b,`r> d2);
dict_t<`a,`b,`r> intersect_c(`b (@f)(`c, `a, `b, `b), `c env, dict_t<`a,`b,`r> d1, dict_t<`a,`b,`r> d2);
/* Those of d1 whose keys d2 has not. */
dict_t<`a,`b,`r> difference(dict_t<`a,`b,`r> d1, dict_t<`a,`b,`r> d2);

}

#endif
