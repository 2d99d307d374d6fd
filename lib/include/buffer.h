#ifndef _BUFFER_H
#define _BUFFER_H

#include <core.h>
#include <stdio.h>

/* Text that grows at its end. */

namespace Buffer {

struct Buffer<`r::R> {
  region_t<`r> home;
  char ?`r text;
  size_t length;
};
typedef struct Buffer<`r> @`r t<`r::R>;

/* n is how many characters are expected. */
t<`H> create(size_t n);
t<`r> rcreate(region_t<`r>, size_t n);

/* The characters so far, as a new string. */
char ?`H contents(t<`r> b);
char ?`s rcontents(region_t<`s>, t<`r> b);
size_t length(t<`r> b);
void clear(t<`r> b);
void reset(t<`r> b);

void add_char(t<`r> b, char c);
void add_string(t<`r> b, const char ?s);
/* n characters from s[from] on, zeros among them; Array_bounds where s has less. */
void add_substring(t<`r> b, const char ?s, int from, size_t n);
void add_buffer(t<`r> b, t<`s> from);
void add_printf(t<`r> b, const char ?fmt, ... inject parg_t<`s>) __attribute__((format(printf, 2, 3)));
/* All of it to f; false where that failed. */
bool output(FILE @f, t<`r> b);

}

#endif
