#ifndef TN_RAW_H
#define TN_RAW_H

/* For the modules of the library alone: a fat pointer as C wants it, thin. The shim is told the bound
   beside it. NULL stands for a pointer without elements. */
#define RAW(s) (numelts(s) == 0 ? NULL : (char *@nozeroterm)(s))
#define CRAW(s) (numelts(s) == 0 ? NULL : (const char *@nozeroterm)(s))

#endif
