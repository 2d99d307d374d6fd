#ifndef _STRINGS_H
#define _STRINGS_H

#include <tn/features.h>
#include <string.h>

static inline int ffs(int x)
{
  for (int i = 0; i < 32; i++)
    if (((unsigned)x >> i & 1) != 0)
      return i + 1;
  return 0;
}

void bzero(char ?s, size_t n) TN_LINK(tn_bzero) __attribute__((bytes, overload(bzero_z)));
void bzero_z(char ?@zeroterm s, size_t n) TN_LINK(tn_bzero_z) __attribute__((bytes));
void bcopy(const char ?src, char ?dest, size_t n) TN_LINK(tn_bcopy) __attribute__((bytes));
char ?`r index(char ?`r s, int c) TN_LINK(tn_mstrchr) __attribute__((overload(cindex)));
const char ?`r cindex(const char ?`r s, int c) TN_LINK(tn_strchr);
char ?`r rindex(char ?`r s, int c) TN_LINK(tn_mstrrchr) __attribute__((overload(crindex)));
const char ?`r crindex(const char ?`r s, int c) TN_LINK(tn_strrchr);

#endif
