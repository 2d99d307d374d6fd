#error "<varargs.h> is not safe: name the type of the arguments, int f(int n, ... int args), and use args as an array"
