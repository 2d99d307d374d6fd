#ifndef TN_LINK_H
#define TN_LINK_H

/* The C symbol of a library function. A top-level function's symbol is its own name, and a
   library function that replaces one of C's must not take that one's symbol. */
#define TN_LINK(symbol) __attribute__((link_name(#symbol)))

/* What the function raises is said to be at the call. */
#define TN_CALLER __attribute__((caller_site))

/* A function of C's that is declared for headers that name it: its use is an error, which says what to use. */
#define TN_UNAVAILABLE(instead) __attribute__((unavailable(instead)))

#endif
