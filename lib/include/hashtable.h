#ifndef _HASHTABLE_H
#define _HASHTABLE_H

#include <core.h>
#include <list.h>

/* Hash tables that change in place and grow by themselves. cmp gives 0 for equal keys; equal keys must have
   equal hashes. A key may be inserted twice: the newer entry hides the older until it is removed. */

namespace Hashtable {

struct Entry<`a,`b,`r::R> {
  `a key;
  `b value;
  int hash;
  struct Entry<`a,`b,`r> *`r next;
};
typedef struct Entry<`a,`b,`r> *`r entry_t<`a,`b,`r::R>;

struct Table<`a,`b,`r::R> {
  region_t<`r> home;
  int (@cmp)(`a, `a);
  int (@hash)(`a);
  struct Entry<`a,`b,`r> *`r ?`r buckets;
  int count;
};
typedef struct Table<`a,`b,`r> @`r table_t<`a,`b,`r::R>;

/* size is how many entries are expected. */
table_t<`a,`b,`H> create(int size, int (@cmp)(`a, `a), int (@hash)(`a));
table_t<`a,`b,`r> rcreate(region_t<`r>, int size, int (@cmp)(`a, `a), int (@hash)(`a));

void insert(table_t<`a,`b,`r> t, `a key, `b value);
/* As insert, but an equal key's value is replaced. */
void update(table_t<`a,`b,`r> t, `a key, `b value);
void remove(table_t<`a,`b,`r> t, `a key);
/* lookup raises Not_found. lookup_opt is a pointer to the value in the table, or NULL. */
`b lookup(table_t<`a,`b,`r> t, `a key);
`b *`r lookup_opt(table_t<`a,`b,`r> t, `a key);
/* The newest entry of the key, NULL if there is none. */
entry_t<`a,`b,`r> entry(table_t<`a,`b,`r> t, `a key);
static inline bool try_lookup(table_t<`a,`b,`r> t, `a key, `b @`s value)
{
  entry_t<`a,`b,`r> e = entry(t, key);
  if (e == NULL)
    return false;
  *value = e->value;
  return true;
}

`b lookup_other(table_t<`a,`b,`r> t, `c key, int (@cmp)(`c, `a), int (@hash)(`c));
bool member(table_t<`a,`b,`r> t, `a key);
int length(table_t<`a,`b,`r> t);
void resize(table_t<`a,`b,`r> t, int size);

/* In no particular order; f must not change the table. */
void iter(void (@f)(`a, `b), table_t<`a,`b,`r> t);
void iter_c(void (@f)(`a, `b, `c), table_t<`a,`b,`r> t, `c env);
`c fold(`c (@f)(`a, `b, `c), table_t<`a,`b,`r> t, `c accum);
List::list_t<$(`a,`b) @`H,`H> to_list(table_t<`a,`b,`r> t);
List::list_t<$(`a,`b) @`s,`s> rto_list(region_t<`s>, table_t<`a,`b,`r> t);

int hash_string(const char ?s);
int hash_stringptr(Core::string_t<`r> @`s s);
int hash_int(int x);

}

#endif
