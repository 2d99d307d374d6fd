#ifndef TN_RAW_H
#define TN_RAW_H

#include <string.h>

/* For the modules of the library alone: a fat pointer as C wants it, thin. The shim is told the bound
   beside it. NULL stands for a pointer without elements. */
#define RAW(s) (numelts(s) == 0 ? NULL : (char *@nozeroterm)(s))
#define CRAW(s) (numelts(s) == 0 ? NULL : (const char *@nozeroterm)(s))

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
