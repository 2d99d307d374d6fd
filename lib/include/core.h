#ifndef _CORE_H
#define _CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <tn/link.h>

/* What nearly every program names: string types, options, pairs, exceptions.
   `heap_region` is a word of the compiler's and needs no header. */

namespace Core {

/* Characters with bounds; a string ends at its first zero or at its bound. */
typedef const char ?`r string_t<`r::R>;
typedef char ?`r mstring_t<`r::R>;
typedef string_t<`r> @`s stringptr_t<`r::R,`s::R>;
typedef mstring_t<`r> @`s mstringptr_t<`r::R,`s::R>;

/* Zero-terminated, as C has them. */
typedef char *@zeroterm`r Cstring<`r::R>;
typedef char @@zeroterm`r CstringNN<`r::R>;
typedef char *@nozeroterm`r Cbuffer_t<`r::R>;
typedef char @@nozeroterm`r CbufferNN_t<`r::R>;

typedef _Bool bool;

struct Opt<`a> { `a v; };
typedef struct Opt<`a> *`r opt_t<`a,`r::R>;
typedef struct Opt<`a> @`r Opt_t<`a,`r::R>;

@extensible datatype exn {
  extern Invalid_argument(string_t<`H>);
  extern Failure(string_t<`H>);
  extern Impossible(string_t<`H>);
  extern Not_found;
  extern Unreachable(string_t<`H>);
};

opt_t<`b,`H> opt_map(`b (@f)(`a), opt_t<`a,`r> x);

/* n zero characters; rnew_string takes them from the region of r. */
mstring_t<`H> new_string(size_t n);
mstring_t<`r> rnew_string(region_t<`r> r, size_t n);

bool true_f(`a);
bool false_f(`a);

`a fst($(`a,`b) @`r);
`b snd($(`a,`b) @`r);
`c third($(`a,`b,`c) @`r);
`a identity(`a);

/* Less than, equal to or greater than zero. Pointers are ordered by address. */
int intcmp(int, int);
int charcmp(char, char);
int ptrcmp(`a @`r, `a @`r);
int nptrcmp(`a *`r, `a *`r);


}

using Core;

#endif
