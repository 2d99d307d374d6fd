#ifndef _ARG_H
#define _ARG_H

#include <core.h>
#include <list.h>

/* Command lines, described by a table of options. */

namespace Arg {

@extensible datatype exn {
  extern Bad(Core::string_t<`H>);
  extern Error;
};

datatype Spec {
  Unit_spec(void (@)(void));
  Flag_spec(void (@)(Core::string_t<`H>));        /* is given the option itself */
  FlagString_spec(void (@)(Core::string_t<`H>, Core::string_t<`H>));
  Set_spec(bool @);
  Clear_spec(bool @);
  String_spec(void (@)(Core::string_t<`H>));
  Int_spec(void (@)(int));
  Rest_spec(void (@)(Core::string_t<`H>));        /* each word that follows */
};
typedef datatype Spec @spec_t;

/* The option, whether what follows it in the same word is its argument (-O2), the argument's name, what to do,
   and its help. */
typedef List::list_t<$(Core::string_t<`H>, bool, Core::string_t<`H>, spec_t, Core::string_t<`H>) @`H,`H> speclist_t;

/* The word of args that is being looked at. */
extern int current;

/* anon is given each word that is no option; flag may take an option that the table does not have and says whether
   it did. A wrong command line prints errmsg and the table to stderr and raises Error; Bad, raised by any of the functions,
   does the same with its own message. */
void parse(speclist_t specs, void (@anon)(Core::string_t<`H>), bool (@flag)(Core::string_t<`H>), Core::string_t<`H> errmsg,
           Core::string_t<`H> ?args);
void usage(speclist_t specs, Core::string_t<`H> errmsg);

}

#endif
