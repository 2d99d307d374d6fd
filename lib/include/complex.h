#error "<complex.h>: complex numbers are not supported yet; a pair $(double, double) holds one"
