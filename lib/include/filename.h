#ifndef _FILENAME_H
#define _FILENAME_H

#include <core.h>

/* Cyclone's functions over the names of files; the results are new strings on the heap. */

namespace Filename {

using Core;

mstring_t<`H> concat(string_t dir, string_t file);
/* Without its last extension; raises Invalid_argument where there is none. */
mstring_t<`H> chop_extension(string_t name);
mstring_t<`H> dirname(string_t name);
mstring_t<`H> basename(string_t name);
bool check_suffix(string_t name, string_t suffix);

}

#endif
