#ifndef _STRINGS_H
#define _STRINGS_H

#include <string.h>

static inline int ffs(int x)
{
  for (int i = 0; i < 32; i++)
    if (((unsigned)x >> i & 1) != 0)
      return i + 1;
  return 0;
}

void bzero(char ?s, size_t n) TN_LINK(tn_bzero) __attribute__((bytes));
void bcopy(const char ?src, char ?dest, size_t n) TN_LINK(tn_bcopy) __attribute__((bytes));
const char ?`r index(const char ?`r s, int c) TN_LINK(tn_strchr) __attribute__((overload(mindex)));
char ?`r mindex(char ?`r s, int c) TN_LINK(tn_mstrchr);
const char ?`r rindex(const char ?`r s, int c) TN_LINK(tn_strrchr) __attribute__((overload(mrindex)));
char ?`r mrindex(char ?`r s, int c) TN_LINK(tn_mstrrchr);

#endif
