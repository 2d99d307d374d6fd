#ifndef _STDBOOL_H
#define _STDBOOL_H

/* A typedef and not a macro, so that `Core::bool` is a name as well. */
typedef _Bool bool;
#define true 1
#define false 0
#define __bool_true_false_are_defined 1

#endif
