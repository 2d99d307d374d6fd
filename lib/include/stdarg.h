/* The system's headers ask for one name of it alone. */
#ifdef __need___va_list
#undef __need___va_list
#ifndef __GNUC_VA_LIST
#define __GNUC_VA_LIST
typedef __builtin_va_list __gnuc_va_list;
#endif
#else
#error "<stdarg.h> is not safe: name the type of the arguments, int f(int n, ... int args), and use args as an array; a wrapper of printf takes ... inject parg_t and calls vprintf(fmt, args)"
#endif
