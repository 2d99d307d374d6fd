#ifndef _SET_H
#define _SET_H

#include <core.h>
#include <dict.h>
#include <list.h>

/* Sets that never change, except by the imp_ functions. A set knows its order and the region where it grows. */

namespace Set {

using List;

struct Set<`a,`r::R> { Dict::dict_t<`a,int,`r> elements; };
typedef struct Set<`a,`r> @`r set_t<`a,`r::R>;

@extensible datatype exn {
  extern Absent;
};

set_t<`a,`H> empty(int (@cmp)(`a, `a));
set_t<`a,`r> rempty(region_t<`r>, int (@cmp)(`a, `a));
set_t<`a,`H> singleton(int (@cmp)(`a, `a), `a x);
set_t<`a,`r> rsingleton(region_t<`r>, int (@cmp)(`a, `a), `a x);
set_t<`a,`H> from_list(int (@cmp)(`a, `a), list_t<`a,`s> l);
set_t<`a,`r> rfrom_list(region_t<`r>, int (@cmp)(`a, `a), list_t<`a,`s> l);

set_t<`a,`r> insert(set_t<`a,`r> s, `a x);
void imp_insert(set_t<`a,`r> s, `a x);
/* An absent element raises Absent. */
set_t<`a,`r> delete(set_t<`a,`r> s, `a x);
void imp_delete(set_t<`a,`r> s, `a x);
set_t<`a,`r> union_two(set_t<`a,`r> s1, set_t<`a,`s> s2);
set_t<`a,`r> intersect(set_t<`a,`r> s1, set_t<`a,`s> s2);
set_t<`a,`r> diff(set_t<`a,`r> s1, set_t<`a,`s> s2);

int cardinality(set_t<`a,`r> s);
bool is_empty(set_t<`a,`r> s);
bool member(set_t<`a,`r> s, `a x);
/* Whether s2 has all of s1. */
bool subset(set_t<`a,`r> s1, set_t<`a,`s> s2);
bool equals(set_t<`a,`r> s1, set_t<`a,`s> s2);
int setcmp(set_t<`a,`r> s1, set_t<`a,`s> s2);
/* Any one; raises Absent where there is none. */
`a choose(set_t<`a,`r> s);

/* In ascending order. */
list_t<`a,`H> elements(set_t<`a,`r> s);
list_t<`a,`r> relements(region_t<`r>, set_t<`a,`s> s);
`b fold(`b (@f)(`a, `b), set_t<`a,`r> s, `b accum);
`b fold_c(`b (@f)(`c, `a, `b), `c env, set_t<`a,`r> s, `b accum);
void app(`b (@f)(`a), set_t<`a,`r> s);
void iter(void (@f)(`a), set_t<`a,`r> s);
void iter_c(void (@f)(`c, `a), `c env, set_t<`a,`r> s);

}

#endif
