#error "<stdarg.h> is not safe: name the type of the arguments, int f(int n, ... int args), and use args as an array; a wrapper of printf takes ... inject parg_t and calls vprintf(fmt, args)"
