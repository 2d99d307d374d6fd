#ifndef TN_CORE_H
#define TN_CORE_H

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

/* Dynamic regions (papers/000, section 3.3). The key is the right to use a region and to free it:
   within a scope, `region h = open(key);`. A unique key has one holder; a counted one is copied by
   alias_refptr, and the last free_rckey frees the region. */
struct DynamicRegion<`r::R>;
typedef struct DynamicRegion<`r> @`U uregion_key_t<`r::R>;
typedef struct DynamicRegion<`r> @`RC rcregion_key_t<`r::R>;
struct NewDynamicRegion { <`r::R> uregion_key_t<`r> key; };
struct NewRcDynamicRegion { <`r::R> rcregion_key_t<`r> key; };
extern "C" struct NewDynamicRegion new_ukey(void) TN_LINK(tn_new_ukey);
extern "C" struct NewRcDynamicRegion new_rckey(void) TN_LINK(tn_new_rckey);
extern "C" void free_ukey(uregion_key_t<`r> key; {}) TN_LINK(tn_free_ukey);
extern "C" void free_rckey(rcregion_key_t<`r> key; {}) TN_LINK(tn_free_rckey);

/* Region sequences (papers/001, section 2.4): from a generator comes, once, the key of the region that
   follows `r, and the next generator. A generator that is not used any more is freed with `free`. */
typedef _::R next_rgn<`r::R>;
struct DynamicRegionGen<`r::R>;
typedef struct DynamicRegionGen<`r> @`U uregion_gen_t<`r::R>;
struct DynamicRegionSeq<`r::R> {
  uregion_key_t<`r> key;
  uregion_gen_t<`r> gen;
};
typedef struct DynamicRegionSeq<`r> drseq_t<`r::R>;
struct NewDynamicRegionSeq { <`r::R> struct DynamicRegionSeq<`r> drseq; };
extern "C" struct NewDynamicRegionSeq new_drseq(void) TN_LINK(tn_new_drseq);
extern "C" struct DynamicRegionSeq<next_rgn<`r>> next_drseq(uregion_gen_t<`r> gen) TN_LINK(tn_next_drseq);

/* Bytes that a region's objects take, that are left on its current page, and both together with what
   it needs for itself; 0 for the heap. */
extern "C" size_t region_used_bytes(region_t<`r>) TN_LINK(tn_region_used_bytes);
extern "C" size_t region_free_bytes(region_t<`r>) TN_LINK(tn_region_free_bytes);
extern "C" size_t region_alloc_bytes(region_t<`r>) TN_LINK(tn_region_alloc_bytes);

/* The most bytes that a region may reserve: an allocation beyond raises Region_Exhausted. 0 for the
   default. A limit on the heap has no effect. */
extern "C" void region_set_limit(region_t<`r>, size_t bytes) TN_LINK(tn_region_set_limit);

/* What each kind of region holds, and the most that it held. Objects and their bytes are counted in a program that runs with
   TENURE_STATISTICS=1; what arenas have reserved is always. */
enum Region_kind { Lexical_regions, Dynamic_regions, Heap_region, Unique_region, Counted_region };
struct Region_statistics {
  long objects, most_objects;
  long bytes, most_bytes;
  long bytes_reserved, most_bytes_reserved;
};
extern "C" void region_statistics(struct Region_statistics @{5}`r kinds) TN_LINK(tn_statistics_read);

}

#endif
