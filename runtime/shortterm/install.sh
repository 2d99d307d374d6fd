#!/bin/sh
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# usage: install.sh BUILD DESTDIR PREFIX VERSION
# Installs the libraries, the headers and the pkg-config file of short-term memory.
set -eu
[ $# -eq 4 ] || { echo "usage: install.sh BUILD DESTDIR PREFIX VERSION" >&2; exit 2; }
build=$1
to=$2$3
headers=$(cd "$(dirname "$0")/../include/tenure" && pwd)
install -d "$to/lib/pkgconfig" "$to/include/tenure"
install -m 644 "$build/libtenure-shortterm.a" "$build/libtenure-shortterm-wrap.a" "$to/lib/"
install -m 755 "$build/libtenure-shortterm.so.0" "$build/libtenure-shortterm-preload.so" "$to/lib/"
ln -sf libtenure-shortterm.so.0 "$to/lib/libtenure-shortterm.so"
for header in shortterm.h shortterm.hpp libscm.h; do
    install -m 644 "$headers/$header" "$to/include/tenure/"
done
cat >"$to/lib/pkgconfig/tenure-shortterm.pc" <<END
prefix=$3
libdir=\${prefix}/lib
includedir=\${prefix}/include
wrap=-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free -Wl,--wrap=aligned_alloc -Wl,--wrap=posix_memalign -ltenure-shortterm-wrap

Name: tenure-shortterm
Description: Short-term memory: objects that expire instead of being freed
Version: $4
Libs: -L\${libdir} -ltenure-shortterm
Libs.private: -pthread
Cflags: -I\${includedir}
END
