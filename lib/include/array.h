#ifndef _ARRAY_H
#define _ARRAY_H

#include <core.h>
#include <list.h>

/* Arrays as fat pointers. The elements are word-sized (integers of 8 bytes, doubles, pointers, …).
   Functions of two arrays raise Array_mismatch unless both have as many elements. */

namespace Array {

@extensible datatype exn {
  extern Array_mismatch;
};

/* Sorts the first count elements; msort is stable and uses a second array meanwhile. */
void qsort(int (@cmp)(`a, `a), `a ?`r x, int count);
void msort(int (@cmp)(`a, `a), `a ?`r x, int count);
`a ?`r rfrom_list(region_t<`r> r, List::list_t<`a,`s> l);
`a ?`H from_list(List::list_t<`a,`s> l);
List::list_t<`a,`r> rto_list(region_t<`r> r, `a ?`s x);
List::list_t<`a,`H> to_list(`a ?`s x);
`a ?`r rcopy(region_t<`r> r, `a ?`s x);
`a ?`H copy(`a ?`s x);
`b ?`r rmap(region_t<`r> r, `b (@f)(`a), `a ?`s x);
`b ?`H map(`b (@f)(`a), `a ?`s x);
`b ?`r rmap_c(region_t<`r> r, `b (@f)(`c, `a), `c env, `a ?`s x);
`b ?`H map_c(`b (@f)(`c, `a), `c env, `a ?`s x);
`c ?`r rmap2(region_t<`r> r, `c (@f)(`a, `b), `a ?`s x, `b ?`t y);
`c ?`H map2(`c (@f)(`a, `b), `a ?`s x, `b ?`t y);
`a ?`r rrev_copy(region_t<`r> r, `a ?`s x);
`a ?`H rev_copy(`a ?`s x);
$(`a,`b) ?`r rzip(region_t<`r> r, `a ?`s x, `b ?`t y);
$(`a,`b) ?`H zip(`a ?`s x, `b ?`t y);
/* n elements from x[start] on. */
`a ?`r rextract(region_t<`r> r, `a ?`s x, int start, int n);
`a ?`H extract(`a ?`s x, int start, int n);
void imp_map(`a (@f)(`a), `a ?`r x);
void imp_map_c(`a (@f)(`b, `a), `b env, `a ?`r x);
void imp_rev(`a ?`r x);
void app(`b (@f)(`a), `a ?`r x);
void app_c(`b (@f)(`c, `a), `c env, `a ?`r x);
void iter(void (@f)(`a), `a ?`r x);
void iter_c(void (@f)(`b, `a), `b env, `a ?`r x);
void iter2(void (@f)(`a, `b), `a ?`r x, `b ?`s y);
`a fold_left(`a (@f)(`a, `b), `a accum, `b ?`r x);
`a fold_left_c(`a (@f)(`c, `a, `b), `c env, `a accum, `b ?`r x);
`b fold_right(`b (@f)(`a, `b), `a ?`r x, `b accum);
`b fold_right_c(`b (@f)(`c, `a, `b), `c env, `a ?`r x, `b accum);
bool for_all(bool (@pred)(`a), `a ?`r x);
bool for_all_c(bool (@pred)(`b, `a), `b env, `a ?`r x);
bool exists(bool (@pred)(`a), `a ?`r x);
bool exists_c(bool (@pred)(`b, `a), `b env, `a ?`r x);
/* By ==, and by cmp being 0. */
bool memq(`a ?`r x, `a wanted);
bool mem(int (@cmp)(`a, `a), `a ?`r x, `a wanted);

}

#endif
