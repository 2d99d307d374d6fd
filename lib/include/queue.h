#ifndef _QUEUE_H
#define _QUEUE_H

#include <core.h>
#include <list.h>

/* First in, first out; changed in place. */

namespace Queue {

struct Queue<`a,`r::R> {
  List::list_t<`a,`r> front;
  List::list_t<`a,`r> rear;  /* the last cell of front, NULL if there is none */
};
typedef struct Queue<`a,`r> @`r queue_t<`a,`r::R>;

@extensible datatype exn {
  extern Empty;
};

queue_t<`a,`H> create(void);
queue_t<`a,`r> rcreate(region_t<`r>);
void add(queue_t<`a,`H> q, `a x);
void radd(region_t<`r>, queue_t<`a,`r> q, `a x);
/* Both raise Empty. */
`a take(queue_t<`a,`r> q);
`a peek(queue_t<`a,`r> q);
bool is_empty(queue_t<`a,`r> q);
void clear(queue_t<`a,`r> q);
int length(queue_t<`a,`r> q);
/* Takes out those that pred accepts. */
void remove(bool (@pred)(`a), queue_t<`a,`r> q);
void iter(void (@f)(`a), queue_t<`a,`r> q);
void app(`b (@f)(`a), queue_t<`a,`r> q);

}

#endif
