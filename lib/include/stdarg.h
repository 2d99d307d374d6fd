/* The system's headers ask for one name of it alone. */
#ifndef __GNUC_VA_LIST
#define __GNUC_VA_LIST
typedef __builtin_va_list __gnuc_va_list;
#endif
#ifdef __need___va_list
#undef __need___va_list
#elif !defined _STDARG_H
#define _STDARG_H

/* Headers may name the type; what would read arguments of an unknown type is declared nowhere. */
typedef __builtin_va_list va_list;
#define va_start(list, last) (va_start)
#define va_arg(list, type) (va_arg)
#define va_copy(to, from) (va_copy)
#define va_end(list) (va_end)

#endif
