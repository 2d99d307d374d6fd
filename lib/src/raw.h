#ifndef TN_RAW_H
#define TN_RAW_H

#include <string.h>

/* For the modules of the library alone: a fat pointer as C wants it, thin. The shim is told the bound
   beside it. NULL stands for a pointer without elements. */
#define RAW(s) (numelts(s) == 0 ? NULL : (char *@nozeroterm)(s))
#define CRAW(s) (numelts(s) == 0 ? NULL : (const char *@nozeroterm)(s))

extern "C" {
  void tnc_too_short(size_t need, size_t have, const char *function, const char *header) __attribute__((noreturn));
}

/* Raises Array_bounds unless n elements are there. */
static inline void need(size_t n, size_t have, const char *function, const char *header)
{
  if (n > have)
    tnc_too_short(n, have, function, header);
}

/* Raises Array_bounds unless n elements are there from an index on. */
static inline void need_part(int from, size_t n, size_t have, const char *function, const char *header)
{
  size_t start = from < 0 ? have + 1 : (size_t)from;
  if (start > have || n > have - start)
    tnc_too_short(start > have ? start : start + n, have, function, header);
}

/* A string that C is to read up to its zero, during one call. */
static inline const char @@nozeroterm`r cstring(const char ?`r s)
{
  if (s == NULL)
    throw new Null_Exception;
  if (strlen(s) >= numelts(s))
    throw new Core::Invalid_argument("a string for C has no zero within its bounds");
  return (const char @@nozeroterm)s;
}

#endif
