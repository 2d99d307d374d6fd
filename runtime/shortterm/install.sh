#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# usage: install.sh BUILD DESTDIR PREFIX VERSION Installs the libraries, the headers and the pkg-config files of
# short-term memory: tenure-shortterm, and tenure-libscm, which programs that include <libscm.h> compile and link with
# as they are.
set -eu
[ $# -eq 4 ] || { echo "usage: install.sh BUILD DESTDIR PREFIX VERSION" >&2; exit 2; }
build=$1
to=$2$3
prefix=$3
version=$4
headers=$(cd "$(dirname "$0")/../include/tenure" && pwd)
install -d "$to/lib/pkgconfig" "$to/include/tenure"
install -m 644 "$build/libtenure-shortterm.a" "$build/libtenure-shortterm-wrap.a" "$to/lib/"
install -m 755 "$build/libtenure-shortterm.so.0" "$build/libtenure-shortterm-preload.so" "$to/lib/"
ln -sf libtenure-shortterm.so.0 "$to/lib/libtenure-shortterm.so"
for header in shortterm.h shortterm.hpp libscm.h; do
    install -m 644 "$headers/$header" "$to/include/tenure/"
done
install -d "$to/include/tenure-libscm"
echo '#include <tenure/libscm.h>' >"$to/include/tenure-libscm/libscm.h"
package() { # NAME DESCRIPTION FLAGS
    cat >"$to/lib/pkgconfig/$1.pc" <<END
prefix=$prefix
libdir=\${prefix}/lib
includedir=\${prefix}/include
wrap=-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=malloc_usable_size -L\${libdir} -ltenure-shortterm-wrap -ltenure-shortterm

Name: $1
Description: $2
Version: $version
Libs: -L\${libdir} -ltenure-shortterm
Libs.private: -pthread
Cflags: -I\${includedir}$3
END
}
package tenure-shortterm "Short-term memory: objects that expire instead of being freed" ""
package tenure-libscm "Short-term memory with libscm's interface" " -I\${includedir}/tenure-libscm"
